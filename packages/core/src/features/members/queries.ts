import type { AliasableExpression } from 'kysely'
import { lower } from '../../db/functions.ts'
import { type Context, today } from '../../kernel/context.ts'
import type { Subjects } from '../../policy.ts'
import { toUserSummary } from '../accounts/user.ts'
import type { Settings } from '../settings/definition.ts'
import type { Member } from './member.ts'
import { directRows, nearestRows, type UserIds } from './membership-rows.ts'

export type Container = Subjects['project'] | Subjects['group']

/** The columns that say whose a membership, share or similar row is. */
export const ownerOf = (subject: Container) =>
  subject.kind === 'project'
    ? { projectId: subject.project.id, groupId: null }
    : { projectId: null, groupId: subject.group.id }

/** A row of either kind; the columns of a union stand in one order. */
type Held = Awaited<ReturnType<ReturnType<typeof directRows>['executeTakeFirstOrThrow']>>

/** Memberships with their users. */
export const withUsers = (ctx: Context, rows: AliasableExpression<Held>) =>
  ctx.db
    .selectFrom(rows.as('held'))
    .innerJoin('user', 'user.id', 'held.userId')
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.email'])
    .select(['held.id as memberId', 'held.groupId', 'held.accessLevel', 'held.expiresAt', 'held.stale'])
    .select(['held.syncedLevel', 'held.overriddenAt'])

/** Direct memberships of a project or a group. */
export const directMembers = (ctx: Context, subject: Container) => withUsers(ctx, directRows(ctx, subject))

/**
 * Some users as members of a project or a group, each once: with the direct membership of the project, else with that of
 * the first ancestor group, else with one that comes through a share (specification 1, "Members").
 */
export const membersAmong = (ctx: Context, subject: Container, users: UserIds) =>
  withUsers(ctx, nearestRows(ctx, subject, users))

type Members = ReturnType<typeof directMembers>
export type MemberRow = Awaited<ReturnType<Members['executeTakeFirstOrThrow']>>

/** The direct membership of one user, by id or username. */
export const memberNamed = (members: Members, user: number | string): Promise<MemberRow | undefined> =>
  members
    .where((eb) =>
      typeof user === 'number' ? eb('held.userId', '=', user) : eb(lower('user.username'), '=', user.toLowerCase()),
    )
    .executeTakeFirst()

/** The nearest membership of one user, by id or username. */
export function nearestMember(ctx: Context, subject: Container, user: number | string): Promise<MemberRow | undefined> {
  const named = ctx.db.selectFrom('user').where(lower('user.username'), '=', String(user).toLowerCase())
  const users = typeof user === 'number' ? [user] : named.select('user.id as userId')
  return membersAmong(ctx, subject, users).executeTakeFirst()
}

/** When a membership was last changed, or made. */
export async function changedAt(ctx: Context, { memberId }: MemberRow): Promise<string> {
  const row = await ctx.db
    .selectFrom('member')
    .where('id', '=', memberId)
    .select(['createdAt', 'updatedAt'])
    .executeTakeFirstOrThrow()
  return row.updatedAt ?? row.createdAt
}

export const toMember =
  (settings: Settings) =>
  (row: MemberRow): Member => ({
    ...toUserSummary(settings)(row),
    accessLevel: row.accessLevel,
    expiresAt: row.expiresAt,
    ...(row.syncedLevel !== null && { override: row.overriddenAt !== null }),
  })

/** The group that gives a user the highest level on everything in or below `namespaceId`. */
export const inheritedMembership = (
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
    .where((eb) => eb.or([eb('member.expiresAt', 'is', null), eb('member.expiresAt', '>', today(ctx))]))
    .orderBy('member.accessLevel', 'desc')
    .orderBy('up.depth')
    .select(['member.accessLevel', 'group.name as groupName'])
    .limit(1)
    .executeTakeFirst()
