import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

/** Stored URLs hide their credentials. */
const withoutCredentials = (url: string) => url.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1')

const Flag = v.optional(v.boolean())

const Hook = v.strictObject({
  /** Name in the result. Default: the project path and the id. */
  as: v.optional(v.string()),
  /** May contain a username and password. */
  url: v.string(),
  token: v.optional(v.string()),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  urlVariables: v.optional(v.array(v.strictObject({ key: v.string(), value: v.string() }))),
  customWebhookTemplate: v.optional(v.string()),
  branchFilterStrategy: v.optional(v.picklist(['wildcard', 'regex', 'all_branches'])),
  customHeaders: v.optional(v.array(v.strictObject({ key: v.string(), value: v.string() }))),
  enableSslVerification: Flag,
  pushEventsBranchFilter: v.optional(v.string()),
  pushEvents: Flag,
  tagPushEvents: Flag,
  issuesEvents: Flag,
  confidentialIssuesEvents: Flag,
  noteEvents: Flag,
  confidentialNoteEvents: Flag,
  mergeRequestsEvents: Flag,
  jobEvents: Flag,
  pipelineEvents: Flag,
  wikiPageEvents: Flag,
  deploymentEvents: Flag,
  releasesEvents: Flag,
  milestoneEvents: Flag,
  emojiEvents: Flag,
  featureFlagEvents: Flag,
  resourceAccessTokenEvents: Flag,
  vulnerabilityEvents: Flag,
  createdAt: Timestamp,
})

/** Webhooks of a project. The rest of the seed data is not sent to them. */
export const hooksSection = defineSection(
  'hooks',
  Hook,
  async (seeder: Seeder, { as: name, createdAt, ...fields }, parent: SectionParent) => {
    const { id } = await seeder.asHost(createdAt).hooks.create({ project: projectOf(parent), ...fields })
    seeder.record('hooks', name ?? `${parent.path} ${id}`, { id })
  },
  namedIn(
    (host) => host.hooks,
    ({ url }) => withoutCredentials(url),
  ),
)
