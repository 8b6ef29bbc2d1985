import * as v from 'valibot'
import type { Project } from '../../../contract/project.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { ApprovalRuleType } from './approval-rule.ts'
import { type ApproversInput, assertHasApprovers, readApprovers, replaceApprovers } from './approvers.ts'
import { type RuleOwner, type RuleRow, selectRulesOf } from './queries.ts'

/** Rules of a project or a merge request. Every list of merge requests reads them. */
const maxRules = 100

/** Number of approvals, at most 100. */
export const ApprovalCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(100))

interface RuleFields {
  readonly name: string
  readonly ruleType: ApprovalRuleType
}

/** @throws PlatformError `invalid` for an invalid or existing name, a second rule for any approvers, or too many rules */
const assertValidRule = async (
  ctx: Context,
  owner: RuleOwner,
  { name, ruleType }: RuleFields,
  currentId?: number,
): Promise<void> => {
  if (name.trim() === '') throw invalid({ name: ["can't be blank"] })
  if (name.length > 255) throw invalid({ name: ['is too long (maximum is 255 characters)'] })
  const rules = await selectRulesOf(ctx, owner).where('ruleType', '!=', 'code_owner').execute()
  const others = rules.filter(({ id }) => id !== currentId)
  if (others.length >= maxRules) throw invalid(`At most ${maxRules} approval rules are possible`)
  if (others.some((rule) => rule.name === name)) throw invalid({ name: ['has already been taken'] })
  if (ruleType === 'any_approver' && others.some((rule) => rule.ruleType === ruleType))
    throw invalid({ rule_type: ['any-approver for the project already exists'] })
}

interface NewRule extends RuleFields {
  readonly approvalsRequired: number
  readonly sourceRuleId: number | null
  readonly appliesToAllProtectedBranches: boolean
}

/** Inserts a rule without users and groups. */
export const insertRule = async (ctx: Context, owner: RuleOwner, rule: NewRule): Promise<RuleRow> => {
  await assertValidRule(ctx, owner, rule)
  const { projectId, mergeRequestId } = owner
  const { name, ruleType, approvalsRequired, sourceRuleId, appliesToAllProtectedBranches } = rule
  const values = { projectId, mergeRequestId, sourceRuleId, name, ruleType, approvalsRequired }
  const row = await ctx.db
    .insertInto('approvalRule')
    .values({
      ...values,
      section: null,
      appliesToAllProtectedBranches,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'approvalRule'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, ...values, section: null, appliesToAllProtectedBranches }
}

/** Inserts a rule with its users and groups. Without any, approvals of all users count by default. */
export const insertRuleWithApprovers = async (
  ctx: Context,
  project: Project,
  owner: RuleOwner,
  rule: Omit<NewRule, 'ruleType' | 'sourceRuleId'> & { readonly ruleType?: ApprovalRuleType | undefined },
  input: ApproversInput,
): Promise<RuleRow> => {
  const approvers = await readApprovers(ctx, project, input)
  const hasApprovers = Boolean(approvers.userIds?.length || approvers.groupIds?.length)
  const { ruleType = hasApprovers ? 'regular' : 'any_approver' } = rule
  if (ruleType === 'any_approver' && hasApprovers) throw invalid({ users: ['must be blank for any_approver'] })
  const row = await insertRule(ctx, owner, { ...rule, ruleType, sourceRuleId: null })
  if (ruleType === 'regular') {
    await replaceApprovers(ctx, row.id, approvers)
    await assertHasApprovers(ctx, row.id)
  }
  return row
}

interface RuleChange {
  readonly name?: string | undefined
  readonly approvalsRequired?: number | undefined
  readonly appliesToAllProtectedBranches?: boolean | undefined
}

/** Changes a rule, and replaces the given users and groups. */
export const updateRule = async (
  ctx: Context,
  project: Project,
  rule: RuleRow,
  change: RuleChange,
  { removeHiddenGroups, ...input }: ApproversInput & { readonly removeHiddenGroups?: boolean | undefined },
): Promise<RuleRow> => {
  const changed = { ...rule, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) }
  if (change.name !== undefined) await assertValidRule(ctx, rule, changed, rule.id)
  const approvers = await readApprovers(ctx, project, input)
  const hasApprovers = Boolean(approvers.userIds?.length || approvers.groupIds?.length)
  if (rule.ruleType === 'any_approver' && hasApprovers) throw invalid({ users: ['must be blank for any_approver'] })
  await updateChanged(ctx, 'approvalRule', rule.id, change)
  if (rule.ruleType === 'regular' && rule.sourceRuleId === null) {
    await replaceApprovers(ctx, rule.id, approvers, removeHiddenGroups)
    await assertHasApprovers(ctx, rule.id)
  }
  return changed
}

export const removeRule = async (ctx: Context, { id }: RuleRow): Promise<void> => {
  await assertRowUnmodified(ctx, 'approvalRule', id)
  await ctx.db.deleteFrom('approvalRule').where('id', '=', id).execute()
}
