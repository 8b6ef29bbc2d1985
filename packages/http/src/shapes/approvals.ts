import {
  type Approval,
  type ApprovalConfiguration,
  type ApprovalRule,
  type ApprovalRuleName,
  type ApprovalRuleState,
  type ApprovalState,
  defined,
  type MergeRequestApprovals,
  type SourceRule,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { GroupWire } from './group.ts'
import { ProtectedBranchWire } from './protected-branch.ts'
import { UserSummaryWire } from './user.ts'

const ApprovalWire = wire<Approval>('MergeRequestApproval')({ user: UserSummaryWire, approved_at: DateTime })

/** A rule that lacks approvals. */
const ApprovalRuleNameWire = wire<ApprovalRuleName>('ApprovalRuleName')({
  id: Integer,
  name: v.string(),
  rule_type: v.string(),
})

export const ApprovalsWire = wire<MergeRequestApprovals>('MergeRequestApprovals')({
  id: Integer,
  iid: Integer,
  project_id: Integer,
  title: v.string(),
  description: NullableText,
  state: v.string(),
  merge_status: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
  approved: v.boolean(),
  approved_by: list(ApprovalWire),
  user_has_approved: v.boolean(),
  user_can_approve: v.boolean(),
  approvals_required: Integer,
  approvals_left: Integer,
  approval_rules_left: list(ApprovalRuleNameWire),
  has_approval_rules: v.boolean(),
  require_password_to_approve: v.boolean(),
})

const ruleFields = {
  id: Integer,
  name: v.string(),
  rule_type: v.string(),
  /** Always null: no rule depends on a report. */
  report_type: computed(v.null(), (_rule: ApprovalRule) => null),
  eligible_approvers: list(UserSummaryWire),
  approvals_required: Integer,
  users: list(UserSummaryWire),
  groups: list(GroupWire),
  contains_hidden_groups: v.boolean(),
}

/** A rule for all merge requests of a project. */
export const ProjectApprovalRuleWire = wire<ApprovalRule>('ProjectApprovalRule')({
  ...ruleFields,
  applies_to_all_protected_branches: computed(v.boolean(), (rule: ApprovalRule) =>
    defined(rule.appliesToAllProtectedBranches),
  ),
  protected_branches: computed(list(ProtectedBranchWire), (rule: ApprovalRule) => defined(rule.protectedBranches)),
})

/** The rule of the project that a rule of a merge request replaces. */
const SourceRuleWire = wire<SourceRule>('ApprovalSourceRule')({ id: Integer, approvals_required: Integer })

const mergeRequestRuleFields = {
  ...ruleFields,
  source_rule: computed(nullable(SourceRuleWire), (rule: ApprovalRule) => rule.sourceRule ?? null),
  overridden: computed(v.boolean(), (rule: ApprovalRule) => defined(rule.overridden)),
  section: NullableText,
}

/** A rule of a single merge request. */
export const MergeRequestApprovalRuleWire = wire<ApprovalRule>('MergeRequestApprovalRule')(mergeRequestRuleFields)

/** A rule of a merge request, and whether it has its approvals. */
const ApprovalRuleStateWire = wire<ApprovalRuleState>('ApprovalRuleState')({
  ...mergeRequestRuleFields,
  approved: v.boolean(),
  approved_by: list(UserSummaryWire),
  /** Whether the rule is of the code owners of changed files. */
  code_owner: computed(v.boolean(), ({ ruleType }: ApprovalRuleState) => ruleType === 'code_owner'),
})

/** The rules that apply to a merge request. */
export const ApprovalStateWire = wire<ApprovalState>('ApprovalState')({
  approval_rules_overwritten: v.boolean(),
  rules: list(ApprovalRuleStateWire),
})

/** The settings of a project about approvals. */
export const ApprovalConfigurationWire = wire<ApprovalConfiguration>('ApprovalConfiguration')({
  approvals_before_merge: Integer,
  reset_approvals_on_push: v.boolean(),
  /** Always false: a push removes all approvals, or none. */
  selective_code_owner_removals: computed(v.boolean(), () => false),
  disable_overriding_approvers_per_merge_request: v.boolean(),
  merge_requests_author_approval: v.boolean(),
  merge_requests_disable_committers_approval: v.boolean(),
  require_password_to_approve: v.boolean(),
})
