import { isUnexpired } from '../../../db/functions.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { matchesName } from '../../code/protected-references/reference-names.ts'
import { type RuleRow, selectRuleGroups, selectRules, selectRuleUsers, toApproversId } from './queries.ts'

/** The part of a merge request that determines which rules apply to it. */
export interface ApprovalTarget {
  readonly id: number
  readonly projectId: number
  readonly targetBranch: string
}

/** A rule as it applies to a merge request. */
export interface AppliedRule {
  /** The rule of the merge request if it has one, else that of the project. */
  readonly rule: RuleRow
  /** The rule of the project that it is based on. */
  readonly source: RuleRow | undefined
  readonly approvalsRequired: number
  /** Ids of the users whose approvals count. */
  readonly approvedBy: readonly number[]
  readonly approvalsLeft: number
}

export interface ApprovalStatus {
  /** The sum of all rules. */
  readonly approvalsRequired: number
  readonly approvalsLeft: number
  readonly rules: readonly AppliedRule[]
}

/** The rules that can apply to merge requests. Rules are part of the paid tier. */
const loadRules = async (ctx: Context, targets: readonly ApprovalTarget[]): Promise<readonly RuleRow[]> => {
  if (ctx.tier === 'free') return []
  const ids = targets.map(({ id }) => id)
  const projectIds = [...new Set(targets.map(({ projectId }) => projectId))]
  return selectRules(ctx)
    .where((eb) =>
      eb.or([
        eb('mergeRequestId', 'in', ids),
        eb.and([eb('projectId', 'in', projectIds), eb('mergeRequestId', 'is', null)]),
      ]),
    )
    .orderBy('id')
    .execute()
}

const selectProtectedBranches = ({ db }: Context, projectIds: readonly number[]) =>
  db
    .selectFrom('protectedReference')
    .where('projectId', 'in', projectIds)
    .where('kind', '=', 'branch')
    .select(['id', 'projectId', 'name'])

const selectBranchesOfRules = ({ db }: Context, ruleIds: readonly number[]) =>
  db
    .selectFrom('approvalRuleBranch')
    .innerJoin('protectedReference', 'protectedReference.id', 'approvalRuleBranch.protectedReferenceId')
    .where('approvalRuleBranch.ruleId', 'in', ruleIds)
    .select(['approvalRuleBranch.ruleId', 'protectedReference.name'])

/** Returns a function that checks whether a rule of a project is for the target branch of a merge request. */
const loadBranchCheck = async (ctx: Context, rules: readonly RuleRow[]) => {
  if (!rules.length) return () => false
  const ruleIds = rules.map(({ id }) => id)
  const projectIds = rules.filter((rule) => rule.appliesToAllProtectedBranches).map(({ projectId }) => projectId)
  const [branches, protectedBranches] = await awaitAll([
    selectBranchesOfRules(ctx, ruleIds).execute(),
    projectIds.length ? selectProtectedBranches(ctx, projectIds).execute() : [],
  ])
  return (rule: RuleRow, { projectId, targetBranch }: ApprovalTarget): boolean => {
    const matches = ({ name }: { readonly name: string }) => matchesName(name, targetBranch)
    if (rule.appliesToAllProtectedBranches)
      return protectedBranches.some((branch) => branch.projectId === projectId && matches(branch))
    const own = branches.filter(({ ruleId }) => ruleId === rule.id)
    return own.length === 0 || own.some(matches)
  }
}

/** Returns a function that checks whether a target branch requires the approvals of code owners. */
const loadCodeOwnerCheck = async ({ db }: Context, rules: readonly RuleRow[]) => {
  const projectIds = rules.filter(({ ruleType }) => ruleType === 'code_owner').map(({ projectId }) => projectId)
  if (!projectIds.length) return () => false
  const required = db
    .selectFrom('protectedReference')
    .where('protectedReference.kind', '=', 'branch')
    .where('protectedReference.codeOwnerApprovalRequired', '=', true)
  const [ofProjects, ofGroups] = await awaitAll([
    required.where('projectId', 'in', projectIds).select(['projectId', 'protectedReference.name']).execute(),
    required
      .innerJoin('namespaceLineage', 'namespaceLineage.ancestorId', 'protectedReference.groupId')
      .innerJoin('project', 'project.namespaceId', 'namespaceLineage.namespaceId')
      .where('project.id', 'in', projectIds)
      .select(['project.id as projectId', 'protectedReference.name'])
      .execute(),
  ])
  return ({ projectId, targetBranch }: ApprovalTarget): boolean =>
    [...ofProjects, ...ofGroups].some((rule) => rule.projectId === projectId && matchesName(rule.name, targetBranch))
}

/** Returns a function that checks whether the approval of a user counts for a rule. */
const loadApproverCheck = async (ctx: Context, rules: readonly RuleRow[], userIds: readonly number[]) => {
  const ruleIds = [...new Set(rules.map(toApproversId))]
  const [users, groups] = await awaitAll([
    selectRuleUsers(ctx, ruleIds).execute(),
    selectRuleGroups(ctx, ruleIds).execute(),
  ])
  const groupIds = groups.map(({ groupId }) => groupId)
  const members =
    groupIds.length && userIds.length
      ? await ctx.db
          .selectFrom('member')
          .where('groupId', 'in', groupIds)
          .where('userId', 'in', userIds)
          .where(isUnexpired('member.expiresAt', today(ctx)))
          .select(['groupId', 'userId'])
          .execute()
      : []
  const approvers = new Set(users.map(({ ruleId, userId }) => `${ruleId} ${userId}`))
  for (const { ruleId, groupId } of groups) {
    for (const member of members) if (member.groupId === groupId) approvers.add(`${ruleId} ${member.userId}`)
  }
  return (rule: RuleRow, userId: number) =>
    rule.ruleType === 'any_approver' || approvers.has(`${toApproversId(rule)} ${userId}`)
}

/** A rule of a merge request replaces the one of its project only if it requires more approvals. */
const combineRules = (ofProject: readonly RuleRow[], ofMergeRequest: readonly RuleRow[]) => {
  const findReplacement = (rule: RuleRow) =>
    ofMergeRequest.find(
      (own) => own.sourceRuleId === rule.id || (own.ruleType === 'any_approver' && rule.ruleType === 'any_approver'),
    )
  const combined = ofProject.map((source) => ({ rule: findReplacement(source) ?? source, source }))
  const used = new Set(combined.map(({ rule }) => rule.id))
  // The rule of the project does not apply to the target branch.
  const isUnused = (rule: RuleRow) => !used.has(rule.id) && rule.sourceRuleId === null
  return [...combined, ...ofMergeRequest.filter(isUnused).map((rule) => ({ rule, source: undefined }))]
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/**
 * Returns a function with the required approvals of each merge request, in a constant number of queries.
 * `approvalsBeforeMerge`: the setting of the project, which counts as a rule for any approvers.
 */
export const loadApprovalStatuses = async (
  ctx: Context,
  targets: readonly ApprovalTarget[],
): Promise<(target: ApprovalTarget, approvalsBeforeMerge: number) => ApprovalStatus> => {
  const [rules, approvals] = await awaitAll([
    loadRules(ctx, targets),
    ctx.db
      .selectFrom('mergeRequestApproval')
      .where(
        'mergeRequestId',
        'in',
        targets.map(({ id }) => id),
      )
      .select(['mergeRequestId', 'userId'])
      .execute(),
  ])
  const [isForBranch, isApprover, requiresCodeOwners] = rules.length
    ? await awaitAll([
        loadBranchCheck(
          ctx,
          rules.filter(({ mergeRequestId }) => mergeRequestId === null),
        ),
        loadApproverCheck(ctx, rules, [...new Set(approvals.map(({ userId }) => userId))]),
        loadCodeOwnerCheck(ctx, rules),
      ])
    : [() => true, () => true, () => true]
  return (target, approvalsBeforeMerge) => {
    const approvers = approvals.filter(({ mergeRequestId }) => mergeRequestId === target.id).map(({ userId }) => userId)
    const applied = combineRules(
      rules.filter(
        (rule) => rule.projectId === target.projectId && rule.mergeRequestId === null && isForBranch(rule, target),
      ),
      rules.filter(({ mergeRequestId }) => mergeRequestId === target.id),
    ).map(({ rule, source }): AppliedRule => {
      const least = rule.ruleType === 'any_approver' ? approvalsBeforeMerge : 0
      const isOptional = rule.ruleType === 'code_owner' && !requiresCodeOwners(target)
      const approvalsRequired = isOptional ? 0 : Math.max(rule.approvalsRequired, source?.approvalsRequired ?? 0, least)
      const approvedBy = approvers.filter((userId) => isApprover(rule, userId))
      const approvalsLeft = Math.max(0, approvalsRequired - approvedBy.length)
      return { rule, source, approvalsRequired, approvedBy, approvalsLeft }
    })
    const own = applied.some(({ rule }) => rule.ruleType === 'any_approver') ? 0 : approvalsBeforeMerge
    return {
      approvalsRequired: own + sum(applied.map(({ approvalsRequired }) => approvalsRequired)),
      approvalsLeft: Math.max(0, own - approvers.length) + sum(applied.map(({ approvalsLeft }) => approvalsLeft)),
      rules: applied,
    }
  }
}

/** Ids of the users whom the rules that apply to a merge request name as approvers; members of groups are not named. */
export const findNamedApprovers = async (ctx: Context, target: ApprovalTarget): Promise<readonly number[]> => {
  const statusOf = await loadApprovalStatuses(ctx, [target])
  const ruleIds = statusOf(target, 0).rules.map(({ rule }) => toApproversId(rule))
  const users = ruleIds.length ? await selectRuleUsers(ctx, ruleIds).execute() : []
  return [...new Set(users.map(({ userId }) => userId))]
}
