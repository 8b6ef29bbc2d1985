import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import type { MergeRequestApprovalRule } from './approval-rule.ts'
import type { ApproversInput } from './approvers.ts'
import { completeRules } from './complete.ts'
import { readConfiguration } from './configuration.ts'
import { insertRule, insertRuleWithApprovers, updateRule } from './mutations.ts'
import {
  getRule,
  type RuleOwner,
  type RuleRow,
  selectRules,
  selectRulesOf,
  selectRuleUsers,
  toRuleOwner,
} from './queries.ts'

interface NewMergeRequestRule extends ApproversInput {
  readonly name: string
  readonly approvalsRequired: number
  readonly approvalProjectRuleId?: number | null | undefined
}

interface MergeRequestRuleChange extends ApproversInput {
  readonly rule: number
  readonly name?: string | undefined
  readonly approvalsRequired?: number | undefined
  readonly removeHiddenGroups: boolean
}

/** Adds the rules of the project that they replace. */
export const completeMergeRequestRules = async (
  ctx: Context,
  rows: readonly RuleRow[],
): Promise<MergeRequestApprovalRule[]> => {
  const sourceIds = rows.flatMap(({ sourceRuleId }) => sourceRuleId ?? [])
  const sources = sourceIds.length ? await selectRules(ctx).where('id', 'in', sourceIds).execute() : []
  const rules = await completeRules(ctx, rows)
  return rules.map((rule, at) => {
    const source = sources.find(({ id }) => id === rows[at]?.sourceRuleId)
    return {
      ...rule,
      sourceRule: source ? { id: source.id, approvalsRequired: source.approvalsRequired } : null,
      overridden: source !== undefined && rule.approvalsRequired > source.approvalsRequired,
    }
  })
}

const toRule = async (ctx: Context, row: RuleRow): Promise<MergeRequestApprovalRule> =>
  defined((await completeMergeRequestRules(ctx, [row]))[0])

/** @throws PlatformError `forbidden` if the project does not permit rules of merge requests */
export const assertMayOverride = async (ctx: Context, { mergeRequest }: Subjects['mergeRequest']) => {
  if ((await readConfiguration(ctx, mergeRequest.projectId)).disableOverridingApproversPerMergeRequest)
    throw forbidden('Approval rules cannot be changed in merge requests of this project')
}

/** @throws PlatformError `forbidden` for a rule of code owners, which follows their file */
export const assertOwnRule = ({ ruleType }: RuleRow): void => {
  if (ruleType === 'code_owner') throw forbidden('Rules of code owners cannot be changed')
}

const assertNotLess = (required: number, least: number) => {
  if (required < least) throw invalid({ approvals_required: [`must be greater than or equal to ${least}`] })
}

const insertReplacement = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  sourceRuleId: number,
  approvalsRequired: number,
): Promise<RuleRow> => {
  const source = await getRule(ctx, { ...toRuleOwner(subject), mergeRequestId: null }, sourceRuleId)
  assertNotLess(approvalsRequired, source.approvalsRequired)
  const { name, ruleType } = source
  const rule = { name, ruleType, approvalsRequired, sourceRuleId, appliesToAllProtectedBranches: false }
  return insertRule(ctx, toRuleOwner(subject), rule)
}

const readUserIds = async (ctx: Context, { id }: RuleRow): Promise<readonly number[]> =>
  (await selectRuleUsers(ctx, [id]).execute()).map(({ userId }) => userId)

/** Reports the users whom the rule names in addition to `before`. */
const reportApprovers = async (
  ctx: Context,
  { mergeRequest }: Subjects['mergeRequest'],
  rule: RuleRow,
  before: readonly number[] = [],
) => {
  const userIds = (await readUserIds(ctx, rule)).filter((id) => !before.includes(id))
  if (userIds.length) await ctx.emit('mergeRequest.approversAdded', { mergeRequest, userIds })
}

/** @throws PlatformError `forbidden` if the project does not permit it, `invalid` for an invalid rule or fewer approvals than it requires */
export const createMergeRequestRule = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  { name, approvalsRequired, approvalProjectRuleId, ...approvers }: NewMergeRequestRule,
): Promise<MergeRequestApprovalRule> => {
  await assertMayOverride(ctx, subject)
  if (approvalProjectRuleId != null)
    return toRule(ctx, await insertReplacement(ctx, subject, approvalProjectRuleId, approvalsRequired))
  const rule = { name, approvalsRequired, appliesToAllProtectedBranches: false }
  const row = await insertRuleWithApprovers(ctx, subject.project, toRuleOwner(subject), rule, approvers)
  await reportApprovers(ctx, subject, row)
  return toRule(ctx, row)
}

/** Only the number of approvals of a rule that replaces one of the project can be changed. */
export const updateMergeRequestRule = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  { rule: id, name, approvalsRequired, ...approvers }: MergeRequestRuleChange,
): Promise<MergeRequestApprovalRule> => {
  await assertMayOverride(ctx, subject)
  const rule = await getRule(ctx, toRuleOwner(subject), id)
  assertOwnRule(rule)
  if (rule.sourceRuleId === null) {
    const before = await readUserIds(ctx, rule)
    const row = await updateRule(ctx, subject.project, rule, { name, approvalsRequired }, approvers)
    await reportApprovers(ctx, subject, row, before)
    return toRule(ctx, row)
  }
  const { approvalsRequired: least } = await getRule(ctx, { ...rule, mergeRequestId: null }, rule.sourceRuleId)
  if (approvalsRequired !== undefined) assertNotLess(approvalsRequired, least)
  return toRule(ctx, await updateRule(ctx, subject.project, rule, { approvalsRequired }, {}))
}

const findAnyApproverRule = (ctx: Context, owner: RuleOwner) =>
  selectRulesOf(ctx, owner).where('ruleType', '=', 'any_approver').executeTakeFirst()

/** The number of approvals by any users that the project requires. */
const readLeast = async (ctx: Context, owner: RuleOwner) => {
  const { approvalsBeforeMerge } = await readConfiguration(ctx, owner.projectId)
  const rule = await findAnyApproverRule(ctx, { ...owner, mergeRequestId: null })
  return Math.max(approvalsBeforeMerge, rule?.approvalsRequired ?? 0)
}

const setAnyApprovals = async (ctx: Context, project: Project, owner: RuleOwner, approvalsRequired: number) => {
  const rule = await findAnyApproverRule(ctx, owner)
  if (rule) {
    await updateRule(ctx, project, rule, { approvalsRequired }, {})
    return
  }
  const added = { name: 'All Members', approvalsRequired, appliesToAllProtectedBranches: false }
  await insertRuleWithApprovers(ctx, project, owner, added, {})
}

/** Sets the number of approvals by any users. @throws PlatformError as `createMergeRequestRule` */
export const requireApprovals = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  approvalsRequired: number,
): Promise<void> => {
  await assertMayOverride(ctx, subject)
  const owner = toRuleOwner(subject)
  assertNotLess(approvalsRequired, await readLeast(ctx, owner))
  await setAnyApprovals(ctx, subject.project, owner, approvalsRequired)
}

/**
 * Requires more approvals by any users of a merge request than its project does. Without effect for fewer, where the project
 * permits no rules of merge requests, and without the paid tier.
 */
export const raiseApprovals = async (
  ctx: Context,
  project: Project,
  mergeRequestId: number,
  approvalsRequired: number,
): Promise<void> => {
  const owner = { projectId: project.id, mergeRequestId }
  const { disableOverridingApproversPerMergeRequest } = await readConfiguration(ctx, project.id)
  if (ctx.tier === 'free' || disableOverridingApproversPerMergeRequest) return
  if (approvalsRequired > (await readLeast(ctx, owner))) await setAnyApprovals(ctx, project, owner, approvalsRequired)
}
