import type { UserSummary } from '../../accounts/users/user.ts'
import type { LabelDetails } from '../labels/label.ts'

/** An epic without its relations, as stored. Sufficient for permission checks. */
export interface EpicRecord {
  /** Unique among epics; used in operations and URLs. */
  id: number
  /** Number of the epic within the group, from 1. */
  iid: number
  /** Id of the group that contains the epic. */
  groupId: number
  /** Id of the user who created the epic. */
  authorId: number
  /** Not blank, at most 255 characters. */
  title: string
  /** Markdown, at most 1,000,000 characters; null for none. */
  description: string | null
  /** Whether the epic is open or closed; a new one is open. */
  state: 'opened' | 'closed'
  /** Whether only the author and reporters and above can read the epic. */
  confidential: boolean
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change or comment; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
  /** Time of the closing, ISO 8601 in UTC with milliseconds; null while the epic is open. */
  closedAt: string | null
  /** User id of who closed the epic; null while it is open, or if the host closed it. */
  closedById: number | null
  /** The fixed first day such as `2026-11-21`; null for none. */
  startDate: string | null
  /** The fixed last day such as `2026-11-28`; null for none. */
  dueDate: string | null
  /** Whether the epic starts on `startDate` instead of the first day of the milestones of its issues. */
  startDateIsFixed: boolean
  /** Whether the epic ends on `dueDate` instead of the last day of the milestones of its issues. */
  dueDateIsFixed: boolean
  /** `#` and 6 hexadecimal digits; null for the default. */
  color: string | null
}

/** The parent of an epic. */
export interface EpicParent {
  /** Id of the epic on the instance. */
  id: number
  /** Number of the epic within its group. */
  iid: number
  /** Id of its group. */
  groupId: number
}

/** An epic with its users. */
export interface Epic extends EpicRecord {
  /** The user who created the epic. */
  author: UserSummary
  /** The user who closed the epic; null while it is open, or if the host closed it. */
  closedBy: UserSummary | null
  /** Label names in alphabetical order. */
  labels: readonly string[]
  /** The labels with their colors, in the same order. Only in lists with `withLabelsDetails`. */
  labelDetails?: readonly LabelDetails[]
  /** Number of `thumbsup` emoji. */
  upvotes: number
  /** Number of `thumbsdown` emoji. */
  downvotes: number
  /** Full path of the group: `acme`. */
  groupPath: string
  /** The epic above it; null for none. */
  parent: EpicParent | null
  /** The first day of the milestones of its issues; null for none. */
  startDateFromMilestones: string | null
  /** The last day of the milestones of its issues; null for none. */
  dueDateFromMilestones: string | null
}

/** An epic, and what depends on its comments. */
export interface EpicDetails extends Epic {
  /** Whether the current user gets notifications, as a participant. */
  subscribed: boolean
  /** Number of comments that the current user can read, without system notes. */
  userNotesCount: number
}
