/** A milestone of a project or a group. */
export interface Milestone {
  /** Unique on the instance. */
  id: number
  /** Number within the project or group, from 1. */
  iid: number
  /** Id of the project; null for a milestone of a group. */
  projectId: number | null
  /** Id of the group; null for a milestone of a project. */
  groupId: number | null
  /** Such as `v1.0`; unique in the project or group. */
  title: string
  /** Text in Markdown; null without one. */
  description: string | null
  /** `active` until it is closed. */
  state: 'active' | 'closed'
  /** First day, such as `2026-11-21`; null without one. */
  startDate: string | null
  /** Last day, such as `2026-11-28`; null without one. It is not compared with `startDate`. */
  dueDate: string | null
  /** When it was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When it was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** Whether the milestone is active and its last day has passed. */
  expired: boolean
  /** Full path of the project or group: `acme/web`. */
  parentPath: string
}

/** A milestone as stored. */
export type MilestoneRecord = Omit<Milestone, 'expired' | 'parentPath'>
