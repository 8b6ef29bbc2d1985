import type { UserSummary } from '../../accounts/users/user.ts'
import type { ApprovalRuleType, MergeRequestApprovalRule } from '../approval-rules/approval-rule.ts'
import type { MergeRequestRecord } from '../merge-requests/merge-request.ts'

/** The approval of a merge request by one user. */
export interface Approval {
  /** The user who approved. */
  user: UserSummary
  /** When the user approved: ISO 8601, UTC, with milliseconds. */
  approvedAt: string
}

/** A rule that lacks approvals. */
export interface ApprovalRuleName {
  /** Unique among the rules of projects and merge requests. */
  id: number
  /** Unique among the rules of the project or the merge request. */
  name: string
  /** `regular`: approvals of the users and group members. `any_approver`: of any users. `code_owner`: of the code owners. */
  ruleType: ApprovalRuleType
}

/** A rule of a merge request, and whether it has its approvals. */
export interface ApprovalRuleState extends MergeRequestApprovalRule {
  /** Whether no required approval is missing. */
  approved: boolean
  /** The users whose approvals count for the rule, by id. */
  approvedBy: readonly UserSummary[]
}

/** The rules that apply to a merge request. */
export interface ApprovalState {
  /** Whether the merge request has rules of its own. */
  approvalRulesOverwritten: boolean
  /** The rules of the project for the target branch, and those of the merge request. */
  rules: readonly ApprovalRuleState[]
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
  /** Whether the branches can be merged, from their last comparison. */
  mergeStatus: MergeRequestRecord['mergeStatus']
  /** When the merge request was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the merge request was last changed: ISO 8601, UTC, with milliseconds. Approvals do not change it. */
  updatedAt: string
  /** Number of approvals that a merge requires: the sum of all rules and the setting of the project. */
  approvalsRequired: number
  /** Number of approvals that are missing. */
  approvalsLeft: number
  /** The rules that lack approvals, in the order of their ids. */
  approvalRulesLeft: readonly ApprovalRuleName[]
  /** Whether any rules of users or groups apply. */
  hasApprovalRules: boolean
  /** Whether a user has approved and no required approval is missing. */
  approved: boolean
  /** The approvals, oldest first. */
  approvedBy: readonly Approval[]
  /** Whether the current user has approved; false for anonymous callers and the host application. */
  userHasApproved: boolean
  /** Whether approvals require the password of the user. */
  requirePasswordToApprove: boolean
  /**
   * Whether the current user can approve: the merge request is open, the current user has not approved it, is a developer or
   * above, and not the author where authors cannot approve. Does not tell whether the user has commits in it.
   */
  userCanApprove: boolean
}
