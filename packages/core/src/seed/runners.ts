import * as v from 'valibot'
import { runnerAccessLevels } from '../features/delivery/runners/runner.ts'
import { namedIn } from './identity.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const Runner = v.strictObject({
  description: v.string(),
  /** Full path of the project of the runner. Default: none. */
  project: v.optional(v.string()),
  /** Full path of the group of the runner. Without a project or a group, it is one of the instance. */
  group: v.optional(v.string()),
  paused: v.optional(v.boolean()),
  tagList: v.optional(v.array(v.string())),
  runUntagged: v.optional(v.boolean()),
  locked: v.optional(v.boolean()),
  accessLevel: v.optional(v.picklist(runnerAccessLevels)),
  maximumTimeout: v.optional(v.number()),
  /** A fixed token, for the configuration of the runner. Default: a random one, which nothing shows. */
  secret: v.optional(v.string()),
  createdAt: Timestamp,
})

/** Programs that take jobs. */
export const runnersSection = defineSection(
  'runners',
  Runner,
  async (seeder: Seeder, { createdAt, ...fields }) => {
    const { id } = await seeder.asHost(createdAt).runners.create(fields)
    seeder.record('runners', fields.description, { id })
  },
  namedIn(
    (host) => host.runners,
    ({ description }) => description ?? '',
  ),
)
