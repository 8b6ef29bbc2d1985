import * as v from 'valibot'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const Push = v.strictObject({
  /** A branch or tag. */
  ref: v.string(),
  refType: v.optional(v.picklist(['branch', 'tag'])),
  /** Commit id before the push. Omitted for a new branch or tag. */
  before: v.optional(v.string()),
  /** Commit id after the push. Omitted for a removed branch or tag. */
  after: v.optional(v.string()),
  commitCount: v.optional(v.number()),
  /** Message of the last commit, of which the first line is stored. */
  commitTitle: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  createdAt: Timestamp,
})

/** Push events of a project. Does not write commits: see `RepositorySeed`. */
export const pushesSection = defineSection('pushes', Push, async (seeder: Seeder, item, parent: SectionParent) => {
  const { createdAt, ...fields } = item
  await seeder.asHost(createdAt).events.create({ project: projectOf(parent), ...fields })
})
