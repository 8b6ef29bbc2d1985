import type { UserSummary } from '../accounts/user.ts'

/** The approval of a merge request by one user. */
export interface Approval {
  /** The user who approved. */
  user: UserSummary
  /** When the user approved: ISO 8601, UTC, with milliseconds. */
  approvedAt: string
}

/** The approvals of a merge request. */
export interface MergeRequestApprovals {
  /** Id of the merge request, unique on the instance. */
  id: number
  /** The number of the merge request within its project. */
  iid: number
  /** Id of the target project. */
  projectId: number
  /** Title of the merge request; one that starts with `Draft:` or `WIP:` marks a draft. */
  title: string
  /** Description of the merge request in Markdown; null without one. */
  description: string | null
  /** `opened`, `closed` without a merge, or `merged`. */
  state: 'opened' | 'closed' | 'merged'
  /** When the merge request was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the merge request was last changed: ISO 8601, UTC, with milliseconds. Approvals do not change it. */
  updatedAt: string
  /** Number of approvals that the project requires for a merge. */
  approvalsRequired: number
  /** Whether any user has approved. */
  approved: boolean
  /** The approvals, oldest first. */
  approvedBy: readonly Approval[]
  /** Whether the caller has approved; false for anonymous callers and the host application. */
  userHasApproved: boolean
  /**
   * Whether `approve` would succeed for the caller: the merge request is open, the caller has not approved it and is a
   * developer or above.
   */
  userCanApprove: boolean
}
