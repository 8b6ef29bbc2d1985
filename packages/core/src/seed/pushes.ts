import * as v from 'valibot'
import type { Container } from './container.ts'
import { At, type Planting, section } from './planting.ts'

const Push = v.strictObject({
  /** A branch or tag. */
  ref: v.string(),
  refType: v.optional(v.picklist(['branch', 'tag'])),
  /** Commit ids; absent before a new branch or tag, and after a removed one. */
  before: v.optional(v.string()),
  after: v.optional(v.string()),
  commitCount: v.optional(v.number()),
  commitTitle: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  createdAt: At,
})

/** What people pushed to a project, as its activity tells it. Commits themselves come with the repository. */
export const pushesSection = section('pushes', Push, async (planting: Planting, item, on: Container) => {
  const { createdAt, ...given } = item
  await planting.at(createdAt).events.recordPush({ project: (on as { project: number }).project, ...given })
})
