import * as v from 'valibot'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'
import type { SectionParent } from './shared-sections.ts'

const Push = v.strictObject({
  /** A branch or tag. */
  ref: v.string(),
  refType: v.optional(v.picklist(['branch', 'tag'])),
  /** Commit ids. `before` is absent for a new branch or tag, `after` for a removed one. */
  before: v.optional(v.string()),
  after: v.optional(v.string()),
  commitCount: v.optional(v.number()),
  commitTitle: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  createdAt: Timestamp,
})

/** Push events of a project. Does not write commits: see `RepositorySeed`. */
export const pushesSection = defineSection('pushes', Push, async (seeder: Seeder, item, parent: SectionParent) => {
  const { createdAt, ...fields } = item
  await seeder.asHost(createdAt).events.recordPush({ project: (parent as { project: number }).project, ...fields })
})
