import type { AliasableExpression, ExpressionBuilder } from 'kysely'
import { lower, matches } from '../../db/functions.ts'
import { isAdministrator, personId } from '../../kernel/actor.ts'
import { type Context, today } from '../../kernel/context.ts'
import { searchPatterns } from '../../kernel/search-text.ts'
import type { Subjects } from '../../policy.ts'
import { toUserSummary } from '../accounts/user.ts'
import type { Member } from './member.ts'
import { directRows, nearestRows } from './membership-rows.ts'

type Container = Subjects['project'] | Subjects['group']

/** The columns that say whose a membership, share or similar row is. */
export const ownerOf = (subject: Container) =>
  subject.kind === 'project'
    ? { projectId: subject.project.id, groupId: null }
    : { projectId: null, groupId: subject.group.id }

/** A row of either kind; the columns of a union stand in one order. */
type Held = Awaited<ReturnType<ReturnType<typeof directRows>['executeTakeFirstOrThrow']>>

const withUsers = (ctx: Context, rows: AliasableExpression<Held>) =>
  ctx.db
    .selectFrom(rows.as('held'))
    .innerJoin('user', 'user.id', 'held.userId')
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.email'])
    .select(['held.id as memberId', 'held.groupId', 'held.accessLevel', 'held.expiresAt', 'held.stale'])
    .select(['held.syncedLevel', 'held.overriddenAt'])

/** Direct memberships of a project or a group. */
export const directMembers = (ctx: Context, subject: Container) => withUsers(ctx, directRows(ctx, subject))

/**
 * Everybody who is a member of a project or a group, each once: with the direct membership of the project, else with that
 * of the first ancestor group, else with one that comes through a share (specification 1, "Members").
 */
export const allMembers = (ctx: Context, subject: Container) => withUsers(ctx, nearestRows(ctx, subject))

type Members = ReturnType<typeof directMembers>
export type MemberRow = Awaited<ReturnType<Members['executeTakeFirstOrThrow']>>

interface Filter {
  readonly query?: string | undefined
  readonly userIds?: readonly number[] | undefined
}

/** A list without ids admits nobody; SQL has no empty lists. */
const anyOf = (eb: ExpressionBuilder<{ held: { userId: number } }, 'held'>, ids: readonly number[]) =>
  ids.length ? eb('held.userId', 'in', ids) : eb.lit(false)

/**
 * The members that a list asks for, in the order in which they joined. With a search text: names and usernames that hold
 * its words, exact ones first, then by name. A whole e-mail address finds its user only for those who may read it: the
 * user and administrators.
 */
export function selected(ctx: Context, members: Members, { query = '', userIds }: Filter): Members {
  const patterns = searchPatterns(query, 'query')
  const among = userIds === undefined ? members : members.where((eb) => anyOf(eb, userIds))
  if (!patterns.length) return among.orderBy('held.id').orderBy('held.userId')
  const text = query.trim().toLowerCase()
  const self = personId(ctx.actor)
  return among
    .where((eb) => {
      const words = patterns.map((pattern) => eb.or([matches('user.name', pattern), matches('user.username', pattern)]))
      const address = eb(lower('user.email'), '=', text)
      return eb.or([eb.and(words), isAdministrator(ctx.actor) ? address : eb.and([address, eb('user.id', '=', self)])])
    })
    .orderBy((eb) =>
      eb
        .case()
        .when(eb.or([eb(lower('user.name'), '=', text), eb(lower('user.username'), '=', text)]))
        .then(0)
        .else(1)
        .end(),
    )
    .orderBy('user.name')
    .orderBy('user.id')
}

/** The membership of one user, by id or username. */
export const memberNamed = (members: Members, user: number | string): Promise<MemberRow | undefined> =>
  members
    .where((eb) =>
      typeof user === 'number' ? eb('held.userId', '=', user) : eb(lower('user.username'), '=', user.toLowerCase()),
    )
    .executeTakeFirst()

/** When a membership was last changed, or made. */
export async function changedAt(ctx: Context, { memberId }: MemberRow): Promise<string> {
  const row = await ctx.db
    .selectFrom('member')
    .where('id', '=', memberId)
    .select(['createdAt', 'updatedAt'])
    .executeTakeFirstOrThrow()
  return row.updatedAt ?? row.createdAt
}

export const toMember = (row: MemberRow): Member => ({
  ...toUserSummary(row),
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
