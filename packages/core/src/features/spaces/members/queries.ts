import type { AliasableExpression } from 'kysely'
import { isUnexpired, lower } from '../../../db/functions.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { toUserSummary } from '../../accounts/users/user.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { Member } from './member.ts'
import { type Container, directRows, nearestRows, type UserIds } from './membership-rows.ts'

/** The foreign keys of a membership, share or similar row of a project or a group. */
export const containerKey = (subject: Container) =>
  subject.kind === 'project'
    ? { projectId: subject.project.id, groupId: null }
    : { projectId: null, groupId: subject.group.id }

/** A row of any membership query: all parts of a union have the same columns in the same order. */
type MembershipRow = Awaited<ReturnType<ReturnType<typeof directRows>['executeTakeFirstOrThrow']>>

/** Memberships with their users. */
export const withUsers = (ctx: Context, rows: AliasableExpression<MembershipRow>) =>
  ctx.db
    .selectFrom(rows.as('membership'))
    .innerJoin('user', 'user.id', 'membership.userId')
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.publicEmail', 'user.bot'])
    .select([
      'membership.id as memberId',
      'membership.groupId',
      'membership.accessLevel',
      'membership.expiresAt',
      'membership.createdAt',
      'membership.stale',
    ])
    .select(['membership.createdById', 'membership.syncedLevel', 'membership.overriddenAt'])

/** Direct memberships of a project or a group with their users. */
export const directMembers = (ctx: Context, subject: Container) => withUsers(ctx, directRows(ctx, subject))

/**
 * The memberships of some users, one per user: the direct membership of the project, else that of the nearest ancestor
 * group, else one through a share (specification 1, "Members").
 */
export const selectMembers = (ctx: Context, subject: Container, users: UserIds, hidden: readonly number[] = []) =>
  withUsers(ctx, nearestRows(ctx, subject, users, hidden))

type Members = ReturnType<typeof directMembers>
export type MemberRow = Awaited<ReturnType<Members['executeTakeFirstOrThrow']>>

/** The direct membership of one user, by id or username. */
export const findMemberByUser = (members: Members, user: number | string): Promise<MemberRow | undefined> =>
  members
    .where((eb) =>
      typeof user === 'number'
        ? eb('membership.userId', '=', user)
        : eb(lower('user.username'), '=', user.toLowerCase()),
    )
    .executeTakeFirst()

/** The nearest membership of one user, by id or username. */
export function findNearestMember(
  ctx: Context,
  subject: Container,
  user: number | string,
  hidden: readonly number[] = [],
): Promise<MemberRow | undefined> {
  const byUsername = ctx.db.selectFrom('user').where(lower('user.username'), '=', String(user).toLowerCase())
  const users = typeof user === 'number' ? [user] : byUsername.select('user.id as userId')
  return selectMembers(ctx, subject, users, hidden).executeTakeFirst()
}

/** When a membership was last changed or, if never, created. */
export async function getModifiedAt(ctx: Context, { memberId }: MemberRow): Promise<string> {
  const row = await ctx.db
    .selectFrom('member')
    .where('id', '=', memberId)
    .select(['createdAt', 'updatedAt'])
    .executeTakeFirstOrThrow()
  return row.updatedAt ?? row.createdAt
}

/** Members with the users who added them, in two statements for any number of members. */
export const toMembers = async (ctx: Context, rows: readonly MemberRow[], showSeatInfo = false): Promise<Member[]> => {
  const creatorIds = rows.map(({ createdById }) => createdById)
  const [settings, creators] = await awaitAll([getSettings(ctx), userSummaries(ctx, creatorIds)])
  const summary = toUserSummary(settings)
  return rows.map((row) => ({
    ...summary(row),
    accessLevel: row.accessLevel,
    createdAt: row.createdAt,
    createdBy: creators.get(row.createdById ?? 0) ?? null,
    expiresAt: row.expiresAt,
    ...(showSeatInfo && { isUsingSeat: row.state === 'active' && !row.bot }),
    ...(row.syncedLevel !== null && { override: row.overriddenAt !== null }),
  }))
}

/** The highest level of a user in a namespace and its ancestors, with the group that grants it. */
export const findInheritedMembership = (
  ctx: Context,
  userId: number,
  namespaceId: number,
): Promise<{ accessLevel: number; groupName: string } | undefined> =>
  ctx.db
    .selectFrom('member')
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'member.groupId')
    .innerJoin('namespace as group', 'group.id', 'member.groupId')
    .where('up.namespaceId', '=', namespaceId)
    .where('member.userId', '=', userId)
    .where(isUnexpired('member.expiresAt', today(ctx)))
    .orderBy('member.accessLevel', 'desc')
    .orderBy('up.depth')
    .select(['member.accessLevel', 'group.name as groupName'])
    .limit(1)
    .executeTakeFirst()
