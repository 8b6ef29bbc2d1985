import type { UserSummary } from '../accounts/user.ts'
import type { Milestone } from '../milestones/milestone.ts'

/** An issue without its relations, as stored. Sufficient for permission checks. */
export interface IssueRecord {
  id: number
  /** The issue number within the project. */
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

/** An issue with its relations. */
export interface Issue extends IssueRecord {
  author: UserSummary
  assignees: readonly UserSummary[]
  closedBy: UserSummary | null
  /** Label names, in alphabetical order. */
  labels: readonly string[]
  milestone: Milestone | null
  /** Number of `thumbsup` emoji; `downvotes` counts `thumbsdown`. */
  upvotes: number
  downvotes: number
  /** Number of comments, without system notes. */
  userNotesCount: number
  /** Full path of the project. */
  projectPath: string
}
