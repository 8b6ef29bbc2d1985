import type { UserSummary } from '../accounts/user.ts'
import type { Milestone } from '../milestones/milestone.ts'

/** A merge request as it is stored, without what hangs on it: enough to judge who may do what. */
export interface MergeRequestRecord {
  id: number
  /** Its number within the project. */
  iid: number
  /** The project that is to receive the changes. */
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

/** A merge request with everything that hangs on it. */
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
  /** Comments; records of changes do not count. */
  userNotesCount: number
  /** Full path of the project that it belongs to. */
  projectPath: string
  /** The title says that it is not ready: `WIP:` or `Draft:`. */
  workInProgress: boolean
}

/** `WIP:`, `[WIP]`, `Draft:`, `[Draft]`, `(Draft)` at the start of a title. */
export const isWorkInProgress = (title: string): boolean => /^\s*(\[(wip|draft)\]|\(draft\)|(wip|draft):)/i.test(title)
