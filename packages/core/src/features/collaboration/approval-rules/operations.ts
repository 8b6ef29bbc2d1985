import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { atLeastOne, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { type ApprovalConfiguration, approvalRuleTypes, type ProjectApprovalRule } from './approval-rule.ts'
import { approversInput, isSameSet } from './approvers.ts'
import { completeProjectRules } from './complete.ts'
import { readConfiguration, updateConfiguration } from './configuration.ts'
import { ApprovalCount, insertRuleWithApprovers, removeRule, updateRule } from './mutations.ts'
import { getRule, type RuleRow, selectRuleBranches, selectRulesOf } from './queries.ts'

const ruleInput = {
  /** Id of an approval rule of the project. */
  rule: Id,
}

const branchInput = {
  /** Whether the rule is for merge requests into protected branches only. Takes precedence over `protectedBranchIds`. */
  appliesToAllProtectedBranches: v.optional(v.boolean()),
  /** Ids of the protected branches that the rule is for, at most 100. An empty list means all branches. */
  protectedBranchIds: v.optional(v.pipe(v.array(Id), v.maxLength(100))),
}

const toOwner = (projectId: number) => ({ projectId, mergeRequestId: null })

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

/** Required approvals of all merge requests of a project. */
export const approvalRules = {
  /** Lists the approval rules of a project, oldest first. */
  list: query({
    on: project,
    can: 'approvalRule.read',
    tier: 'paid',
    input: pagingEntries,
    async run(ctx, paging, { project }): Promise<Page<ProjectApprovalRule>> {
      const page = await paginate(selectRulesOf(ctx, toOwner(project.id)).orderBy('id'), paging, (row) => row)
      return { ...page, items: await completeProjectRules(ctx, page.items) }
    },
  }),

  /** Gets an approval rule of a project. */
  get: query({
    on: project,
    can: 'approvalRule.read',
    tier: 'paid',
    input: ruleInput,
    run: async (ctx, { rule }, { project }) => toProjectRule(ctx, await getRule(ctx, toOwner(project.id), rule)),
  }),

  /**
   * Adds an approval rule to a project, which can have 100 of them. Merge requests cannot be merged until their rules have
   * the required approvals.
   *
   * @throws PlatformError `invalid` for a name that exists, a second rule for any approvers, a regular rule without users
   * and groups, a user without access to the project, or an unknown group or branch
   */
  create: command({
    on: project,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      /** Not blank, at most 255 characters, unique in the project. */
      name: v.string(),
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: ApprovalCount,
      /** Whose approvals count. Default: `regular` with users or groups, else `any_approver`. */
      ruleType: v.optional(v.picklist(approvalRuleTypes)),
      ...approversInput,
      ...branchInput,
    },
    async run(ctx, { name, approvalsRequired, ruleType, ...input }, { project }): Promise<ProjectApprovalRule> {
      const { appliesToAllProtectedBranches = false, protectedBranchIds, ...approvers } = input
      const rule = { name, approvalsRequired, ruleType, appliesToAllProtectedBranches }
      const row = await insertRuleWithApprovers(ctx, project, toOwner(project.id), rule, approvers)
      await replaceBranches(ctx, row, protectedBranchIds)
      return toProjectRule(ctx, row)
    },
  }),

  /** Changes an approval rule of a project. Each given list replaces the whole list. */
  update: command({
    on: project,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      ...ruleInput,
      /** Not blank, at most 255 characters, unique in the project. */
      name: v.optional(v.string()),
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: v.optional(ApprovalCount),
      ...approversInput,
      /** Whether to remove the groups that the current user cannot see. Default: they stay. */
      removeHiddenGroups: v.optional(v.boolean(), false),
      ...branchInput,
    },
    async run(ctx, { rule: id, name, approvalsRequired, ...input }, { project }): Promise<ProjectApprovalRule> {
      const { appliesToAllProtectedBranches, protectedBranchIds, ...approvers } = input
      const rule = await getRule(ctx, toOwner(project.id), id)
      const change = { name, approvalsRequired, appliesToAllProtectedBranches }
      const changed = await updateRule(ctx, project, rule, change, approvers)
      await replaceBranches(ctx, changed, protectedBranchIds)
      return toProjectRule(ctx, changed)
    },
  }),

  /** Removes an approval rule of a project, also where merge requests require more approvals. */
  remove: command({
    on: project,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: ruleInput,
    run: async (ctx, { rule }, { project }) => removeRule(ctx, await getRule(ctx, toOwner(project.id), rule)),
  }),

  /** Gets the settings of a project about approvals. */
  getConfiguration: query({
    on: project,
    can: 'approvalRule.read',
    tier: 'paid',
    run: (ctx, _input, { project }): Promise<ApprovalConfiguration> => readConfiguration(ctx, project.id),
  }),

  /** Changes the settings of a project about approvals. At least one is required. */
  updateConfiguration: command({
    on: project,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      /** Number of approvals by any users that a merge requires, 0 to 100. */
      approvalsBeforeMerge: v.optional(ApprovalCount),
      /** Whether a push to the source branch removes the approvals. */
      resetApprovalsOnPush: v.optional(v.boolean()),
      /** Whether merge requests cannot have rules of their own. Existing ones stay. */
      disableOverridingApproversPerMergeRequest: v.optional(v.boolean()),
      /** Whether authors can approve their own merge requests. */
      mergeRequestsAuthorApproval: v.optional(v.boolean()),
    },
    rules: [
      atLeastOne(
        'approvalsBeforeMerge',
        'resetApprovalsOnPush',
        'disableOverridingApproversPerMergeRequest',
        'mergeRequestsAuthorApproval',
      ),
    ],
    run: (ctx, input, { project }): Promise<ApprovalConfiguration> => updateConfiguration(ctx, project.id, input),
  }),
}
