import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { MergeRequestApprovalRule } from '../approval-rules/approval-rule.ts'
import { completeRules } from '../approval-rules/complete.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import { type AppliedRule, type ApprovalStatus, loadApprovalStatuses } from '../approval-rules/requirements.ts'
import type { ApprovalRuleState, ApprovalState, MergeRequestApprovals } from './approvals.ts'
import { selectApprovals } from './mutations.ts'

type MergeRequest = Subjects['mergeRequest']['mergeRequest']

const readStatus = async (ctx: Context, mergeRequest: MergeRequest): Promise<ApprovalStatus> => {
  const [statusOf, { approvalsBeforeMerge }] = await awaitAll([
    loadApprovalStatuses(ctx, [mergeRequest]),
    readConfiguration(ctx, mergeRequest.projectId),
  ])
  return statusOf(mergeRequest, approvalsBeforeMerge)
}

export const readApprovals = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
): Promise<MergeRequestApprovals> => {
  const { id, iid, projectId, title, description, state, mergeStatus, createdAt, updatedAt, authorId } =
    subject.mergeRequest
  const [rows, status, { mergeRequestsAuthorApproval, requirePasswordToApprove }] = await awaitAll([
    selectApprovals(ctx, id).orderBy('createdAt').orderBy('userId').select(['userId', 'createdAt']).execute(),
    readStatus(ctx, subject.mergeRequest),
    readConfiguration(ctx, projectId),
  ])
  const users = await userSummaries(
    ctx,
    rows.map(({ userId }) => userId),
  )
  const callerId = getUserId(ctx.actor)
  const userHasApproved = rows.some(({ userId }) => userId === callerId)
  const isPermitted =
    hasAbility(ctx.actor, subject, 'mergeRequest.approve') && (mergeRequestsAuthorApproval || callerId !== authorId)
  return {
    ...{ id, iid, projectId, title, description, state, mergeStatus, createdAt, updatedAt },
    approvalsRequired: status.approvalsRequired,
    approvalsLeft: status.approvalsLeft,
    approvalRulesLeft: status.rules
      .filter(({ approvalsLeft }) => approvalsLeft > 0)
      .map(({ rule }) => ({ id: rule.id, name: rule.name, ruleType: rule.ruleType })),
    hasApprovalRules: status.rules.some(({ rule }) => rule.ruleType === 'regular'),
    approved: rows.length > 0 && status.approvalsLeft === 0,
    approvedBy: rows.map((row) => ({ user: defined(users.get(row.userId)), approvedAt: row.createdAt })),
    requirePasswordToApprove,
    userHasApproved,
    userCanApprove: !userHasApproved && state === 'opened' && isPermitted,
  }
}

/** Adds users and groups to the rules that apply to a merge request. */
const completeAppliedRules = async (
  ctx: Context,
  applied: readonly AppliedRule[],
): Promise<MergeRequestApprovalRule[]> => {
  const rules = await completeRules(
    ctx,
    applied.map(({ rule }) => rule),
  )
  return rules.map((rule, at) => {
    const { source, approvalsRequired } = defined(applied[at])
    return {
      ...rule,
      approvalsRequired,
      sourceRule: source ? { id: source.id, approvalsRequired: source.approvalsRequired } : null,
      overridden: source !== undefined && approvalsRequired > source.approvalsRequired,
    }
  })
}

export const readState = async (ctx: Context, { mergeRequest }: Subjects['mergeRequest']): Promise<ApprovalState> => {
  const { rules: applied } = await readStatus(ctx, mergeRequest)
  const [rules, users] = await awaitAll([
    completeAppliedRules(ctx, applied),
    userSummaries(
      ctx,
      applied.flatMap(({ approvedBy }) => approvedBy),
    ),
  ])
  return {
    approvalRulesOverwritten: applied.some(
      ({ rule }) => rule.mergeRequestId !== null && rule.ruleType !== 'code_owner',
    ),
    rules: rules.map((rule, at): ApprovalRuleState => {
      const { approvalsLeft, approvedBy } = defined(applied[at])
      return {
        ...rule,
        approved: approvalsLeft === 0,
        approvedBy: [...approvedBy].sort((a, b) => a - b).map((id) => defined(users.get(id))),
      }
    }),
  }
}
