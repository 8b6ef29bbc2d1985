import type { UserSummary } from '../../accounts/users/user.ts'
import type { ProtectedBranch } from '../../code/protected-references/protected-reference.ts'
import type { GroupRecord } from '../../spaces/groups/group-record.ts'

/** The types of rules that users create. */
export const approvalRuleTypes = ['regular', 'any_approver'] as const
export type ApprovalRuleType = (typeof approvalRuleTypes)[number] | 'code_owner'

/** A number of approvals that merge requests require. */
export interface ApprovalRule {
  /** Unique among the rules of projects and merge requests. */
  id: number
  /** Unique among the rules of the project or the merge request; the pattern of a rule of code owners, unique in its section. */
  name: string
  /**
   * `regular`: approvals of the users and group members. `any_approver`: approvals of any users. `code_owner`: approvals of the code
   * owners of changed files.
   */
  ruleType: ApprovalRuleType
  /** Users whose approvals count, by id, at most 1,000; empty for `any_approver`. Members of hidden groups are left out. */
  eligibleApprovers: readonly UserSummary[]
  /** Number of approvals that the rule requires. */
  approvalsRequired: number
  /** Users whose approvals count, by id. */
  users: readonly UserSummary[]
  /** Groups whose direct members' approvals count, by id; without those that the current user cannot see. */
  groups: readonly GroupRecord[]
  /** Whether the rule has groups that the current user cannot see. */
  containsHiddenGroups: boolean
  /** Whether the rule is for merge requests into protected branches only. Omitted for rules of merge requests. */
  appliesToAllProtectedBranches?: boolean
  /**
   * The protected branches that the rule is for; empty for all branches, unless `appliesToAllProtectedBranches` is set. Omitted for rules
   * of merge requests.
   */
  protectedBranches?: readonly ProtectedBranch[]
  /** The rule of the project whose users and groups it has; null for a rule of the merge request alone. Omitted for rules of projects. */
  sourceRule?: SourceRule | null
  /** Whether the merge request requires more approvals than the rule of the project. Omitted for rules of projects. */
  overridden?: boolean
  /** The section of the file of code owners, `codeowners` before the first heading; null for other rules. */
  section: string | null
}

/** A rule for all merge requests of a project. */
export interface ProjectApprovalRule extends ApprovalRule {
  /** Whether the rule is for merge requests into protected branches only. */
  appliesToAllProtectedBranches: boolean
  /** The protected branches that the rule is for; empty for all branches, unless `appliesToAllProtectedBranches` is set. */
  protectedBranches: readonly ProtectedBranch[]
}

/** The rule of the project that a rule of a merge request replaces. */
export interface SourceRule {
  /** Id of the rule of the project. */
  id: number
  /** Number of approvals that the rule of the project requires. */
  approvalsRequired: number
}

/** A rule as it applies to a merge request. */
export interface MergeRequestApprovalRule extends ApprovalRule {
  /** The rule of the project whose users and groups it has; null for a rule of the merge request alone. */
  sourceRule: SourceRule | null
  /** Whether the merge request requires more approvals than the rule of the project. */
  overridden: boolean
}

/** The settings of a project about approvals. */
export interface ApprovalConfiguration {
  /** Number of approvals by any users that a merge requires. */
  approvalsBeforeMerge: number
  /** Whether a push to the source branch removes the approvals. */
  resetApprovalsOnPush: boolean
  /** Whether merge requests cannot have rules of their own. */
  disableOverridingApproversPerMergeRequest: boolean
  /** Whether authors can approve their own merge requests. */
  mergeRequestsAuthorApproval: boolean
  /** Whether users with commits in a merge request cannot approve it. */
  mergeRequestsDisableCommittersApproval: boolean
  /** Whether approvals require the password of the user. */
  requirePasswordToApprove: boolean
}
