import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import type { ApprovalRuleType, ProjectApprovalRule } from './approval-rule.ts'
import { type ApproversInput, isSameSet } from './approvers.ts'
import { completeProjectRules } from './complete.ts'
import { insertRuleWithApprovers, updateRule } from './mutations.ts'
import { getRule, type RuleRow, selectRuleBranches, toRuleOwner } from './queries.ts'

interface ProjectRuleInput extends ApproversInput {
  readonly appliesToAllProtectedBranches?: boolean | undefined
  readonly protectedBranchIds?: readonly number[] | undefined
}

interface NewProjectRule extends ProjectRuleInput {
  readonly name: string
  readonly approvalsRequired: number
  readonly ruleType?: ApprovalRuleType | undefined
}

interface ProjectRuleChange extends ProjectRuleInput {
  readonly rule: number
  readonly name?: string | undefined
  readonly approvalsRequired?: number | undefined
  readonly removeHiddenGroups: boolean
}

const toProjectRule = async (ctx: Context, row: RuleRow): Promise<ProjectApprovalRule> =>
  defined((await completeProjectRules(ctx, [row]))[0])

/**
 * Replaces the protected branches of a rule, and records the time if they changed.
 *
 * @throws PlatformError `invalid` for an id that is not a protected branch of the project
 */
const replaceBranches = async (
  ctx: Context,
  { id: ruleId, projectId }: RuleRow,
  ids: readonly number[] | undefined,
) => {
  if (ids === undefined) return
  const { db, now } = ctx
  const branches = ids.length
    ? await db
        .selectFrom('protectedReference')
        .where('projectId', '=', projectId)
        .where('kind', '=', 'branch')
        .where('id', 'in', ids)
        .select('id')
        .execute()
    : []
  const missing = ids.find((id) => !branches.some((branch) => branch.id === id))
  if (missing !== undefined) throw invalid({ protected_branches: [`${missing} does not exist`] })
  const current = await selectRuleBranches(ctx, [ruleId]).execute()
  const present = current.map(({ protectedReferenceId }) => protectedReferenceId)
  const wanted = branches.map(({ id }) => id)
  if (isSameSet(present, wanted)) return
  await db.updateTable('approvalRule').set({ updatedAt: now }).where('id', '=', ruleId).execute()
  await db.deleteFrom('approvalRuleBranch').where('ruleId', '=', ruleId).execute()
  if (!branches.length) return
  const rows = branches.map(({ id: protectedReferenceId }) => ({ ruleId, protectedReferenceId }))
  await db
    .insertInto('approvalRuleBranch')
    .values(rows satisfies CompleteRow<'approvalRuleBranch'>[])
    .execute()
}

/** @throws PlatformError `invalid` for an invalid rule, unknown users, groups and branches, or a rule without approvers */
export const createProjectRule = async (
  ctx: Context,
  subject: Subjects['project'],
  { name, approvalsRequired, ruleType, ...input }: NewProjectRule,
): Promise<ProjectApprovalRule> => {
  const { appliesToAllProtectedBranches = false, protectedBranchIds, ...approvers } = input
  const rule = { name, approvalsRequired, ruleType, appliesToAllProtectedBranches }
  const row = await insertRuleWithApprovers(ctx, subject.project, toRuleOwner(subject), rule, approvers)
  await replaceBranches(ctx, row, protectedBranchIds)
  return toProjectRule(ctx, row)
}

/** @throws PlatformError as `createProjectRule`, and `not_found` for a rule of another project or a merge request */
export const updateProjectRule = async (
  ctx: Context,
  subject: Subjects['project'],
  { rule: id, name, approvalsRequired, ...input }: ProjectRuleChange,
): Promise<ProjectApprovalRule> => {
  const { appliesToAllProtectedBranches, protectedBranchIds, ...approvers } = input
  const rule = await getRule(ctx, toRuleOwner(subject), id)
  const change = { name, approvalsRequired, appliesToAllProtectedBranches }
  const changed = await updateRule(ctx, subject.project, rule, change, approvers)
  await replaceBranches(ctx, changed, protectedBranchIds)
  return toProjectRule(ctx, changed)
}
