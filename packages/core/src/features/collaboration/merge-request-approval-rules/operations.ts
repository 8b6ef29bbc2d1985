import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import type { MergeRequestApprovalRule } from '../approval-rules/approval-rule.ts'
import { approversInput } from '../approval-rules/approvers.ts'
import { completeRules } from '../approval-rules/complete.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import {
  ApprovalCount,
  insertRule,
  insertRuleWithApprovers,
  removeRule,
  updateRule,
} from '../approval-rules/mutations.ts'
import { getRule, type RuleRow, selectRules, selectRulesOf } from '../approval-rules/queries.ts'
import { readApprovals } from '../merge-request-approvals/queries.ts'
import { mergeRequest } from '../merge-requests/subject.ts'

const ruleInput = {
  /** Id of an approval rule of this merge request. */
  rule: Id,
}

const toOwner = ({ mergeRequest }: Subjects['mergeRequest']) => ({
  projectId: mergeRequest.projectId,
  mergeRequestId: mergeRequest.id,
})

/** Adds the rules of the project that they replace. */
const toRules = async (ctx: Context, rows: readonly RuleRow[]): Promise<MergeRequestApprovalRule[]> => {
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
  defined((await toRules(ctx, [row]))[0])

/** @throws PlatformError `forbidden` if the project does not permit rules of merge requests */
const assertMayOverride = async (ctx: Context, { mergeRequest }: Subjects['mergeRequest']) => {
  if ((await readConfiguration(ctx, mergeRequest.projectId)).disableOverridingApproversPerMergeRequest)
    throw forbidden('Approval rules cannot be changed in merge requests of this project')
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
  const source = await getRule(ctx, { ...toOwner(subject), mergeRequestId: null }, sourceRuleId)
  assertNotLess(approvalsRequired, source.approvalsRequired)
  const { name, ruleType } = source
  const rule = { name, ruleType, approvalsRequired, sourceRuleId, appliesToAllProtectedBranches: false }
  return insertRule(ctx, toOwner(subject), rule)
}

/** Required approvals of a single merge request. They add to those of the project. */
export const mergeRequestApprovalRules = {
  /** Lists the approval rules that a merge request has in addition to those of the project, oldest first. */
  list: query({
    on: mergeRequest,
    can: 'approvalRule.read',
    tier: 'paid',
    input: pagingEntries,
    async run(ctx, paging, subject): Promise<Page<MergeRequestApprovalRule>> {
      const page = await paginate(selectRulesOf(ctx, toOwner(subject)).orderBy('id'), paging, (row) => row)
      return { ...page, items: await toRules(ctx, page.items) }
    },
  }),

  /** Gets an approval rule of a merge request. */
  get: query({
    on: mergeRequest,
    can: 'approvalRule.read',
    tier: 'paid',
    input: ruleInput,
    run: async (ctx, { rule }, subject) => toRule(ctx, await getRule(ctx, toOwner(subject), rule)),
  }),

  /**
   * Adds an approval rule to a merge request, or requires more approvals for a rule of the project.
   *
   * @throws PlatformError `invalid` for a name that exists, fewer approvals than the project requires, a user without access
   * to the project or an unknown group; `forbidden` if the project does not permit rules of merge requests
   */
  create: command({
    on: mergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      /** Not blank, at most 255 characters, unique in the merge request. That of the project's rule if one is given. */
      name: v.string(),
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: ApprovalCount,
      /** Id of a rule of the project that requires more approvals here. Its users and groups apply. */
      approvalProjectRuleId: v.optional(v.nullable(Id)),
      ...approversInput,
    },
    async run(ctx, { name, approvalsRequired, approvalProjectRuleId, ...approvers }, subject) {
      await assertMayOverride(ctx, subject)
      if (approvalProjectRuleId != null)
        return toRule(ctx, await insertReplacement(ctx, subject, approvalProjectRuleId, approvalsRequired))
      const rule = { name, approvalsRequired, appliesToAllProtectedBranches: false }
      return toRule(ctx, await insertRuleWithApprovers(ctx, subject.project, toOwner(subject), rule, approvers))
    },
  }),

  /**
   * Changes an approval rule of a merge request. Each given list replaces the whole list. Only the number of approvals of a
   * rule that replaces one of the project can be changed.
   *
   * @throws PlatformError as `create`
   */
  update: command({
    on: mergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      ...ruleInput,
      /** Not blank, at most 255 characters, unique in the merge request. */
      name: v.optional(v.string()),
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: v.optional(ApprovalCount),
      ...approversInput,
      /** Whether to remove the groups that the current user cannot see. Default: they stay. */
      removeHiddenGroups: v.optional(v.boolean(), false),
    },
    async run(ctx, { rule: id, name, approvalsRequired, ...approvers }, subject) {
      await assertMayOverride(ctx, subject)
      const rule = await getRule(ctx, toOwner(subject), id)
      if (rule.sourceRuleId === null)
        return toRule(ctx, await updateRule(ctx, subject.project, rule, { name, approvalsRequired }, approvers))
      const { approvalsRequired: least } = await getRule(ctx, { ...rule, mergeRequestId: null }, rule.sourceRuleId)
      if (approvalsRequired !== undefined) assertNotLess(approvalsRequired, least)
      return toRule(ctx, await updateRule(ctx, subject.project, rule, { approvalsRequired }, {}))
    },
  }),

  /** Removes an approval rule of a merge request. Those of the project remain. */
  remove: command({
    on: mergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: ruleInput,
    async run(ctx, { rule }, subject) {
      await assertMayOverride(ctx, subject)
      await removeRule(ctx, await getRule(ctx, toOwner(subject), rule))
    },
  }),

  /**
   * Sets the number of approvals by any users that a merge request requires, and returns its approvals.
   *
   * @throws PlatformError `invalid` for a number below that of the project; `forbidden` if the project does not permit rules
   * of merge requests
   */
  requireApprovals: command({
    on: mergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: ApprovalCount,
    },
    async run(ctx, { approvalsRequired }, subject) {
      await assertMayOverride(ctx, subject)
      const owner = toOwner(subject)
      const select = (mergeRequestId: number | null) =>
        selectRulesOf(ctx, { ...owner, mergeRequestId })
          .where('ruleType', '=', 'any_approver')
          .executeTakeFirst()
      const { approvalsBeforeMerge } = await readConfiguration(ctx, owner.projectId)
      assertNotLess(approvalsRequired, Math.max(approvalsBeforeMerge, (await select(null))?.approvalsRequired ?? 0))
      const rule = await select(owner.mergeRequestId)
      if (rule) await updateRule(ctx, subject.project, rule, { approvalsRequired }, {})
      else
        await insertRuleWithApprovers(
          ctx,
          subject.project,
          owner,
          { name: 'All Members', approvalsRequired, appliesToAllProtectedBranches: false },
          {},
        )
      return readApprovals(ctx, subject)
    },
  }),
}
