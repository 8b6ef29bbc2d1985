import type { UserSummary } from '../accounts/user.ts'
import type { Milestone } from '../milestones/milestone.ts'

/** A stored merge request without related records: enough for permission checks. */
export interface MergeRequestRecord {
  id: number
  /** The number within the project. */
  iid: number
  /** The target project. */
  projectId: number
  sourceProjectId: number
  authorId: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'merged'
  sourceBranch: string
  targetBranch: string
  discussionLocked: boolean
  milestoneId: number | null
  mergeStatus: 'unchecked' | 'can_be_merged' | 'cannot_be_merged'
  createdAt: string
  updatedAt: string
  mergedAt: string | null
  mergedById: number | null
  closedAt: string | null
  closedById: number | null
}

/** A merge request with its related records. */
export interface MergeRequest extends MergeRequestRecord {
  author: UserSummary
  assignees: readonly UserSummary[]
  mergedBy: UserSummary | null
  closedBy: UserSummary | null
  /** Label names, in alphabetical order. */
  labels: readonly string[]
  milestone: Milestone | null
  /** Emoji `thumbsup` and `thumbsdown`. */
  upvotes: number
  downvotes: number
  /** The number of comments, without system notes. */
  userNotesCount: number
  /** Full path of the target project. */
  projectPath: string
  /** Whether the title marks a draft, such as `Draft:`. */
  workInProgress: boolean
}

/** Whether a title starts with `WIP:`, `[WIP]`, `Draft:`, `[Draft]` or `(Draft)`. */
export const isWorkInProgress = (title: string): boolean => /^\s*(\[(wip|draft)\]|\(draft\)|(wip|draft):)/i.test(title)
