import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { smaller } from '../db/functions.ts'
import { personId } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import { remembered } from '../kernel/prepared.ts'
import { after, type Soon } from '../kernel/store.ts'
import { Access } from './levels.ts'

interface Place {
  readonly userId: number
  readonly namespaceId: number
  readonly today: string
}

/** A membership of the user that counts today: expiry holds from the start of its day. */
const activeMember =
  ({ userId, today }: Place) =>
  (eb: ExpressionBuilder<Database, 'member'>) =>
    eb.and([
      eb('member.userId', '=', userId),
      eb.or([eb('member.expiresAt', 'is', null), eb('member.expiresAt', '>', today)]),
    ])

const activeShare =
  ({ today }: Place) =>
  (eb: ExpressionBuilder<Database, 'share'>) =>
    eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today)])

/**
 * Levels held on a namespace: its own, those of all its ancestors, and those that come through shares of any of them.
 *
 * The cross joins tell SQLite in which order to look: from the place that is asked about up to its few ancestors, over
 * their shares to single memberships. From the other end it would walk everything that the user is a member of.
 */
const namespaceLevels = (db: Kysely<Database>, place: Place) =>
  db
    .selectFrom('namespaceLineage as up')
    .crossJoin('member')
    .where('up.namespaceId', '=', place.namespaceId)
    .whereRef('member.groupId', '=', 'up.ancestorId')
    .where(activeMember(place))
    .select('member.accessLevel as level')
    .unionAll(
      db
        .selectFrom('namespaceLineage as up')
        .crossJoin('share')
        .crossJoin('namespaceLineage as invited')
        .crossJoin('member')
        .where('up.namespaceId', '=', place.namespaceId)
        .whereRef('share.groupId', '=', 'up.ancestorId')
        .where(activeShare(place))
        .whereRef('invited.namespaceId', '=', 'share.withGroupId')
        .whereRef('member.groupId', '=', 'invited.ancestorId')
        .where(activeMember(place))
        .select(({ ref }) => smaller(ref('member.accessLevel'), ref('share.accessLevel')).as('level')),
    )

const groupLevel = remembered((db, place: Place) =>
  db.selectFrom(namespaceLevels(db, place).as('levels')).select((eb) => eb.fn.max<number | null>('level').as('level')),
)

/** Levels held on a project alone: direct ones, and those that come through its own shares. */
const ownLevels = (db: Kysely<Database>, place: Place & { projectId: number }) =>
  db
    .selectFrom('member')
    .where('member.projectId', '=', place.projectId)
    .where(activeMember(place))
    .select('member.accessLevel as level')
    .unionAll(
      db
        .selectFrom('share')
        .crossJoin('namespaceLineage as invited')
        .crossJoin('member')
        .where('share.projectId', '=', place.projectId)
        .where(activeShare(place))
        .whereRef('invited.namespaceId', '=', 'share.withGroupId')
        .whereRef('member.groupId', '=', 'invited.ancestorId')
        .where(activeMember(place))
        .select(({ ref }) => smaller(ref('member.accessLevel'), ref('share.accessLevel')).as('level')),
    )

const projectLevel = remembered((db, place: Place & { projectId: number }) =>
  db
    .selectFrom(
      namespaceLevels(db, place)
        .unionAll(ownLevels(db, place))
        .unionAll(
          db
            .selectFrom('namespace')
            .where('namespace.id', '=', place.namespaceId)
            .where('namespace.ownerId', '=', place.userId)
            .select((eb) => eb.lit<number>(Access.owner).as('level')),
        )
        .as('levels'),
    )
    .select((eb) => eb.fn.max<number | null>('level').as('level')),
)

const highest = ([row]: readonly { readonly level: number | null }[]) => row?.level ?? Access.none

/** The actor's level on a group: the highest of direct, inherited and shared memberships; 0 for none. */
export function accessToGroup(ctx: Context, groupId: number): Soon<number> {
  const userId = personId(ctx.actor)
  if (!userId) return Access.none
  return after(groupLevel(ctx, { userId, namespaceId: groupId, today: today(ctx) }), highest)
}

/**
 * The actor's level on a project: the highest of direct, inherited and shared memberships; 0 for none. The owner of a
 * personal namespace has level 50 there, although 40 is what the API reports.
 */
export function accessToProject(ctx: Context, project: { id: number; namespaceId: number }): Soon<number> {
  const userId = personId(ctx.actor)
  if (!userId) return Access.none
  const place = { userId, namespaceId: project.namespaceId, projectId: project.id, today: today(ctx) }
  return after(projectLevel(ctx, place), highest)
}
