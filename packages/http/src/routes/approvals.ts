import { features } from '@forgelet/core/operations'
import { accepted, empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import {
  ApprovalConfigurationWire,
  ApprovalStateWire,
  ApprovalsWire,
  MergeRequestApprovalRuleWire,
  ProjectApprovalRuleWire,
} from '../shapes/approvals.ts'

const { approvalRules, mergeRequestApprovals } = features

const extension = { extension: true } satisfies RouteOptions
const projectOptions = { ...extension, hidden: ['mergeRequest', 'approvalProjectRuleId'] } satisfies RouteOptions
const ruleOptions = { ...projectOptions, names: { approval_rule_id: 'rule' } } satisfies RouteOptions
const mergeRequestOptions = { ...extension, names: { merge_request_iid: 'mergeRequest' } } satisfies RouteOptions
const approvalOptions = { ...mergeRequestOptions, hidden: ['user'], errors: [422] } satisfies RouteOptions
const newRuleOptions = {
  ...mergeRequestOptions,
  hidden: ['ruleType', 'appliesToAllProtectedBranches', 'protectedBranchIds'],
} satisfies RouteOptions
const mergeRequestRuleOptions = {
  ...newRuleOptions,
  names: { ...mergeRequestOptions.names, ...ruleOptions.names },
} satisfies RouteOptions

const rules = '/projects/:id/approval_rules'
const mergeRequest = '/projects/:id/merge_requests/:merge_request_iid'
const mergeRequestRules = `${mergeRequest}/approval_rules` as const

/** Not in the specification; code review tools read and change them. */
export const approvalRoutes = [
  route('GET /projects/:id/approvals', approvalRules.getConfiguration, one(ApprovalConfigurationWire), extension),
  route('POST /projects/:id/approvals', approvalRules.updateConfiguration, one(ApprovalConfigurationWire), extension),
  route(`GET ${rules}`, approvalRules.list, page(ProjectApprovalRuleWire), projectOptions),
  route(`POST ${rules}`, approvalRules.create, one(ProjectApprovalRuleWire), projectOptions),
  route(`GET ${rules}/:approval_rule_id`, approvalRules.get, one(ProjectApprovalRuleWire), ruleOptions),
  route(`PUT ${rules}/:approval_rule_id`, approvalRules.update, one(ProjectApprovalRuleWire), ruleOptions),
  route(`DELETE ${rules}/:approval_rule_id`, approvalRules.remove, empty(), ruleOptions),

  route(`GET ${mergeRequest}/approvals`, mergeRequestApprovals.get, one(ApprovalsWire), {
    ...mergeRequestOptions,
    errors: [422],
  }),
  route(`POST ${mergeRequest}/approvals`, mergeRequestApprovals.update, one(ApprovalsWire), {
    ...mergeRequestOptions,
  }),
  route(`POST ${mergeRequest}/approve`, mergeRequestApprovals.approve, one(ApprovalsWire), approvalOptions),
  route(`POST ${mergeRequest}/unapprove`, mergeRequestApprovals.unapprove, one(ApprovalsWire), approvalOptions),
  route(`PUT ${mergeRequest}/reset_approvals`, mergeRequestApprovals.reset, accepted(), mergeRequestOptions),
  route(
    `GET ${mergeRequest}/approval_state`,
    mergeRequestApprovals.getState,
    one(ApprovalStateWire),
    mergeRequestOptions,
  ),
  route(`GET ${mergeRequestRules}`, approvalRules.list, page(MergeRequestApprovalRuleWire), mergeRequestOptions),
  route(`POST ${mergeRequestRules}`, approvalRules.create, one(MergeRequestApprovalRuleWire), newRuleOptions),
  route(
    `GET ${mergeRequestRules}/:approval_rule_id`,
    approvalRules.get,
    one(MergeRequestApprovalRuleWire),
    mergeRequestRuleOptions,
  ),
  route(
    `PUT ${mergeRequestRules}/:approval_rule_id`,
    approvalRules.update,
    one(MergeRequestApprovalRuleWire),
    mergeRequestRuleOptions,
  ),
  route(`DELETE ${mergeRequestRules}/:approval_rule_id`, approvalRules.remove, empty(), mergeRequestRuleOptions),
]
