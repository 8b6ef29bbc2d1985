import { isUnexpired, least } from '../db/functions.ts'
import { getUserId } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import { cachedQuery } from '../kernel/prepared-query.ts'
import type { Dialect } from '../kernel/store.ts'
import { Access } from './levels.ts'

/** Where the actor has a level by a direct membership, a share or, in the personal namespace, as its owner. */
interface Grant {
  readonly namespaceId: number | null
  readonly projectId: number | null
  readonly level: number
}

/** All grants of an actor. Access to other groups and projects is inherited from these. */
export interface Grants {
  /** Conditions with lists of ids differ between the databases. */
  readonly dialect: Dialect
  readonly rows: readonly Grant[]
}

/** The access of actors with more grants is checked by subqueries. */
const maxGrants = 1_000

const queryGrants = cachedQuery((db, { userId, today }: { userId: number; today: string }) => {
  const members = db
    .selectFrom('member')
    .where('member.userId', '=', userId)
    .where(isUnexpired('member.expiresAt', today))
  const shares = members
    .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
    .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
    .where(isUnexpired('share.expiresAt', today))
    .select(({ ref }) => [
      'share.groupId as namespaceId',
      'share.projectId',
      least(ref('member.accessLevel'), ref('share.accessLevel')).as('level'),
    ])
  const own = db
    .selectFrom('namespace')
    .where('namespace.ownerId', '=', userId)
    .select((eb) => [
      'namespace.id as namespaceId',
      eb.lit<number | null>(null).as('projectId'),
      eb.lit<number>(Access.owner).as('level'),
    ])
  return members
    .select(['member.groupId as namespaceId', 'member.projectId', 'member.accessLevel as level'])
    .unionAll(shares)
    .unionAll(own)
    .limit(maxGrants + 1)
})

/**
 * Loads the actor's grants for the conditions of `predicates.ts`. They are correct without, but take longer: PostgreSQL spends
 * up to 100 ms on planning the subqueries of one list.
 */
export const withGrants = async <C extends Context>(ctx: C): Promise<C & { readonly grants?: Grants }> => {
  if (ctx.actor.kind !== 'user') return ctx
  const rows = await queryGrants(ctx, { userId: getUserId(ctx.actor), today: today(ctx) })
  return rows.length > maxGrants ? ctx : { ...ctx, grants: { dialect: ctx.dialect, rows } }
}
