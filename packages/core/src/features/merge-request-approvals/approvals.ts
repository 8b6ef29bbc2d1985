import type { UserSummary } from '../accounts/user.ts'

/** The approval of a merge request by one user. */
export interface Approval {
  user: UserSummary
  approvedAt: string
}

/** The approvals of a merge request. None is required. */
export interface MergeRequestApprovals {
  id: number
  iid: number
  projectId: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'merged'
  createdAt: string
  updatedAt: string
  /** Whether any user has approved. */
  approved: boolean
  /** Oldest first. */
  approvedBy: readonly Approval[]
  userHasApproved: boolean
  userCanApprove: boolean
}
