import * as v from 'valibot'
import { readableGroups } from '../../../access/predicates.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { canAccessProject } from '../../accounts/users/grantees.ts'
import { selectRuleGroups, selectRuleUsers } from './queries.ts'

const IdList = v.optional(v.pipe(v.array(Id), v.maxLength(100)))

export const approversInput = {
  /** Ids of users with access to the project whose approvals count, at most 100. */
  userIds: IdList,
  /** Usernames of further users, at most 100. */
  usernames: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(100))),
  /** Ids of visible groups whose direct members' approvals count, at most 100. */
  groupIds: IdList,
}

const ApproversSchema = v.object(approversInput)
export type ApproversInput = v.InferOutput<typeof ApproversSchema>

/** The new users and groups of a rule; undefined for those that stay. */
export interface Approvers {
  readonly userIds: readonly number[] | undefined
  readonly groupIds: readonly number[] | undefined
}

const findUserIds = async ({ db }: Context, usernames: readonly string[]): Promise<readonly number[]> => {
  if (!usernames.length) return []
  const names = [...new Set(usernames.map((username) => username.toLowerCase()))]
  const rows = await db.selectFrom('user').where(lower('username'), 'in', names).select('id').execute()
  if (rows.length < names.length) throw invalid({ usernames: ['include an unknown user'] })
  return rows.map(({ id }) => id)
}

const readUserIds = async (ctx: Context, project: Project, { userIds, usernames }: ApproversInput) => {
  if (userIds === undefined && usernames === undefined) return undefined
  const ids = [...new Set([...(userIds ?? []), ...(await findUserIds(ctx, usernames ?? []))])]
  for (const id of ids) {
    if (!(await canAccessProject(ctx, project, id))) throw invalid({ users: [`${id} cannot access the project`] })
  }
  return ids
}

const selectReadableGroupIds = async (ctx: Context, ids: readonly number[]): Promise<readonly number[]> => {
  if (!ids.length) return []
  const rows = await ctx.db
    .selectFrom('namespace')
    .where('namespace.id', 'in', ids)
    .where('namespace.kind', '=', 'group')
    .where(readableGroups(ctx))
    .select('namespace.id')
    .execute()
  return rows.map(({ id }) => id)
}

const readGroupIds = async (ctx: Context, { groupIds }: ApproversInput) => {
  if (groupIds === undefined) return undefined
  const ids = await selectReadableGroupIds(ctx, groupIds)
  const missing = groupIds.find((id) => !ids.includes(id))
  if (missing !== undefined) throw invalid({ groups: [`${missing} does not exist`] })
  return ids
}

/** @throws PlatformError `invalid` for users without access to the project, and groups that the current user cannot see */
export const readApprovers = async (ctx: Context, project: Project, input: ApproversInput): Promise<Approvers> => ({
  userIds: await readUserIds(ctx, project, input),
  groupIds: await readGroupIds(ctx, input),
})

/** Whether two lists without duplicates contain the same ids. */
export const isSameSet = (one: readonly number[], other: readonly number[]) => {
  const set = new Set(one)
  return set.size === other.length && other.every((id) => set.has(id))
}

/** @returns whether the users changed */
const replaceUsers = async (ctx: Context, ruleId: number, userIds: readonly number[]): Promise<boolean> => {
  const { db } = ctx
  const current = (await selectRuleUsers(ctx, [ruleId]).execute()).map(({ userId }) => userId)
  if (isSameSet(current, userIds)) return false
  await db.deleteFrom('approvalRuleUser').where('ruleId', '=', ruleId).execute()
  if (!userIds.length) return true
  await db
    .insertInto('approvalRuleUser')
    .values(userIds.map((userId) => ({ ruleId, userId }) satisfies CompleteRow<'approvalRuleUser'>))
    .execute()
  return true
}

/**
 * Groups that the current user cannot see stay, unless they are to be removed.
 *
 * @returns whether the groups changed
 */
const replaceGroups = async (
  ctx: Context,
  ruleId: number,
  groupIds: readonly number[] | undefined,
  removesHiddenGroups: boolean,
): Promise<boolean> => {
  const current = (await selectRuleGroups(ctx, [ruleId]).execute()).map(({ groupId }) => groupId)
  const visible = await selectReadableGroupIds(ctx, current)
  const hidden = removesHiddenGroups ? [] : current.filter((id) => !visible.includes(id))
  const all = [...new Set([...(groupIds ?? visible), ...hidden])]
  if (isSameSet(current, all)) return false
  await ctx.db.deleteFrom('approvalRuleGroup').where('ruleId', '=', ruleId).execute()
  if (!all.length) return true
  await ctx.db
    .insertInto('approvalRuleGroup')
    .values(all.map((groupId) => ({ ruleId, groupId }) satisfies CompleteRow<'approvalRuleGroup'>))
    .execute()
  return true
}

/** Replaces the given users and groups of a rule, and records the time if they changed. */
export const replaceApprovers = async (
  ctx: Context,
  ruleId: number,
  { userIds, groupIds }: Approvers,
  removesHiddenGroups = false,
): Promise<void> => {
  const areUsersChanged = userIds !== undefined && (await replaceUsers(ctx, ruleId, userIds))
  const areGroupsChanged =
    (groupIds !== undefined || removesHiddenGroups) && (await replaceGroups(ctx, ruleId, groupIds, removesHiddenGroups))
  if (areUsersChanged || areGroupsChanged)
    await ctx.db.updateTable('approvalRule').set({ updatedAt: ctx.now }).where('id', '=', ruleId).execute()
}

/** @throws PlatformError `invalid` for a regular rule without users and groups, which no approval could meet */
export const assertHasApprovers = async (ctx: Context, ruleId: number): Promise<void> => {
  const rows = [
    await selectRuleUsers(ctx, [ruleId]).limit(1).execute(),
    await selectRuleGroups(ctx, [ruleId]).limit(1).execute(),
  ]
  if (rows.every(({ length }) => length === 0)) throw invalid({ users: ["or groups can't be blank"] })
}
