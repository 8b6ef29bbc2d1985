import type { UserSummary } from '../accounts/user.ts'
import type { Milestone } from '../milestones/milestone.ts'

/** An issue as it is stored, without what hangs on it: enough to judge who may do what. */
export interface IssueRecord {
  id: number
  /** Its number within the project. */
  iid: number
  projectId: number
  authorId: number
  title: string
  description: string | null
  state: 'opened' | 'closed'
  confidential: boolean
  discussionLocked: boolean
  milestoneId: number | null
  dueDate: string | null
  createdAt: string
  updatedAt: string
  closedAt: string | null
  closedById: number | null
}

/** An issue with everything that hangs on it. */
export interface Issue extends IssueRecord {
  author: UserSummary
  assignees: readonly UserSummary[]
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
}
