import { groupColumns } from '../../../access/namespaces.ts'
import { readableGroups } from '../../../access/predicates.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { toProtectedBranches } from '../../code/protected-references/grants.ts'
import { readRules } from '../../code/protected-references/queries.ts'
import { loadGroupRecords } from '../../spaces/groups/group-record-loader.ts'
import type { ApprovalRule, ProjectApprovalRule } from './approval-rule.ts'
import { type RuleRow, selectRuleBranches, selectRuleGroups, selectRuleUsers, toApproversId } from './queries.ts'

/** The most eligible approvers of the rules of a response. */
const maxApprovers = 1_000

const selectVisibleGroups = async (ctx: Context, ids: readonly number[]) => {
  if (!ids.length) return []
  const groups = await ctx.db
    .selectFrom('namespace')
    .where('namespace.id', 'in', ids)
    .where('namespace.kind', '=', 'group')
    .where(readableGroups(ctx))
    .select(groupColumns)
    .execute()
  return loadGroupRecords(ctx, groups, {})
}

const selectGroupMembers = async (ctx: Context, groupIds: readonly number[]) =>
  groupIds.length
    ? ctx.db
        .selectFrom('member')
        .where('groupId', 'in', groupIds)
        .where(isUnexpired('member.expiresAt', today(ctx)))
        .orderBy('userId')
        .limit(maxApprovers)
        .select(['groupId', 'userId'])
        .execute()
    : []

/** Adds users, groups and eligible approvers to rules, in a constant number of queries. */
export const completeRules = async (ctx: Context, rows: readonly RuleRow[]): Promise<ApprovalRule[]> => {
  if (!rows.length) return []
  const ruleIds = [...new Set(rows.map(toApproversId))]
  const [userRows, groupRows] = await awaitAll([
    selectRuleUsers(ctx, ruleIds).execute(),
    selectRuleGroups(ctx, ruleIds).execute(),
  ])
  const visible = await selectVisibleGroups(ctx, [...new Set(groupRows.map(({ groupId }) => groupId))])
  const members = await selectGroupMembers(
    ctx,
    visible.map(({ id }) => id),
  )
  const summaries = await userSummaries(
    ctx,
    [...userRows, ...members].map(({ userId }) => userId),
  )
  const toUsers = (ids: readonly number[]) =>
    [...new Set(ids)].sort((a, b) => a - b).map((id) => defined(summaries.get(id)))
  return rows.map((row) => {
    const ownUserIds = userRows.filter(({ ruleId }) => ruleId === toApproversId(row)).map(({ userId }) => userId)
    const ownGroupIds = groupRows.filter(({ ruleId }) => ruleId === toApproversId(row)).map(({ groupId }) => groupId)
    const memberIds = members
      .filter(({ groupId }) => ownGroupIds.includes(defined(groupId)))
      .map(({ userId }) => userId)
    const groups = ownGroupIds.flatMap((id) => visible.find((group) => group.id === id) ?? [])
    return {
      id: row.id,
      name: row.name,
      ruleType: row.ruleType,
      section: row.section,
      eligibleApprovers: toUsers([...ownUserIds, ...memberIds]),
      approvalsRequired: row.approvalsRequired,
      users: toUsers(ownUserIds),
      groups,
      containsHiddenGroups: groups.length < ownGroupIds.length,
    }
  })
}

/** Adds the protected branches to the rules of a project. */
export const completeProjectRules = async (ctx: Context, rows: readonly RuleRow[]): Promise<ProjectApprovalRule[]> => {
  const [first] = rows
  if (first === undefined) return []
  const links = await selectRuleBranches(
    ctx,
    rows.map(({ id }) => id),
  ).execute()
  const branches = links.length
    ? await toProtectedBranches(
        ctx,
        (await readRules(ctx, first.projectId)).filter(({ kind }) => kind === 'branch'),
      )
    : []
  const rules = await completeRules(ctx, rows)
  return rules.map((rule, at) => {
    const ids = links.filter(({ ruleId }) => ruleId === rule.id).map((link) => link.protectedReferenceId)
    return {
      ...rule,
      appliesToAllProtectedBranches: defined(rows[at]).appliesToAllProtectedBranches,
      protectedBranches: branches.filter(({ id }) => ids.includes(id)),
    }
  })
}
