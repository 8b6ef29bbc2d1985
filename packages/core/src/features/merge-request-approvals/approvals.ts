import type { UserSummary } from '../accounts/user.ts'

/** One approval. */
export interface Approval {
  user: UserSummary
  approvedAt: string
}

/** Who approves of a merge request. Approvals are asked for by nobody: none is required. */
export interface MergeRequestApprovals {
  id: number
  iid: number
  projectId: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'merged'
  createdAt: string
  updatedAt: string
  /** Somebody approves of it. */
  approved: boolean
  /** The oldest first. */
  approvedBy: readonly Approval[]
  userHasApproved: boolean
  userCanApprove: boolean
}
