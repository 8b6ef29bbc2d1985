import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Database } from '../contract/database.ts'
import { isUnexpired, least } from '../db/functions.ts'
import { getUserId } from '../kernel/actor.ts'
import { type Context, today } from '../kernel/context.ts'
import { cachedQuery } from '../kernel/prepared-query.ts'
import { chain, type MaybePromise } from '../kernel/store.ts'
import { getDeployKeyLevel } from './deploy-key-level.ts'
import { getDeployTokenLevel } from './deploy-token-level.ts'
import { isOpenToJob } from './job-token-access.ts'
import { Access } from './levels.ts'

interface LevelParameters {
  readonly userId: number
  readonly namespaceId: number
  readonly today: string
}

/** The user's memberships that have not expired. A membership expires at the start of `expiresAt` (UTC). */
const isActiveMember =
  ({ userId, today }: LevelParameters) =>
  (eb: ExpressionBuilder<Database, 'member'>) =>
    eb.and([eb('member.userId', '=', userId), isUnexpired('member.expiresAt', today)])

/**
 * The user's levels on a namespace: direct ones, those inherited from its ancestors, and those from shares of any of them.
 *
 * The cross joins fix SQLite's join order: from the namespace to its few ancestors, their shares and single memberships.
 * In the reverse order SQLite would scan all memberships of the user.
 */
const selectNamespaceLevels = (db: Kysely<Database>, parameters: LevelParameters) =>
  db
    .selectFrom('namespaceLineage as up')
    .crossJoin('member')
    .where('up.namespaceId', '=', parameters.namespaceId)
    .whereRef('member.groupId', '=', 'up.ancestorId')
    .where(isActiveMember(parameters))
    .select('member.accessLevel as level')
    .unionAll(
      db
        .selectFrom('namespaceLineage as up')
        .crossJoin('share')
        .crossJoin('namespaceLineage as invited')
        .crossJoin('member')
        .where('up.namespaceId', '=', parameters.namespaceId)
        .whereRef('share.groupId', '=', 'up.ancestorId')
        .where(isUnexpired('share.expiresAt', parameters.today))
        .whereRef('invited.namespaceId', '=', 'share.withGroupId')
        .whereRef('member.groupId', '=', 'invited.ancestorId')
        .where(isActiveMember(parameters))
        .select(({ ref }) => least(ref('member.accessLevel'), ref('share.accessLevel')).as('level')),
    )

const queryGroupLevel = cachedQuery((db, parameters: LevelParameters) =>
  db
    .selectFrom(selectNamespaceLevels(db, parameters).as('levels'))
    .select((eb) => eb.fn.max<number | null>('level').as('level')),
)

/** The user's levels on the project itself: direct ones and those from its own shares. */
const selectDirectProjectLevels = (db: Kysely<Database>, parameters: LevelParameters & { projectId: number }) =>
  db
    .selectFrom('member')
    .where('member.projectId', '=', parameters.projectId)
    .where(isActiveMember(parameters))
    .select('member.accessLevel as level')
    .unionAll(
      db
        .selectFrom('share')
        .crossJoin('namespaceLineage as invited')
        .crossJoin('member')
        .where('share.projectId', '=', parameters.projectId)
        .where(isUnexpired('share.expiresAt', parameters.today))
        .whereRef('invited.namespaceId', '=', 'share.withGroupId')
        .whereRef('member.groupId', '=', 'invited.ancestorId')
        .where(isActiveMember(parameters))
        .select(({ ref }) => least(ref('member.accessLevel'), ref('share.accessLevel')).as('level')),
    )

const queryProjectLevel = cachedQuery((db, parameters: LevelParameters & { projectId: number }) =>
  db
    .selectFrom(
      selectNamespaceLevels(db, parameters)
        .unionAll(selectDirectProjectLevels(db, parameters))
        .unionAll(
          db
            .selectFrom('namespace')
            .where('namespace.id', '=', parameters.namespaceId)
            .where('namespace.ownerId', '=', parameters.userId)
            .select((eb) => eb.lit<number>(Access.owner).as('level')),
        )
        .as('levels'),
    )
    .select((eb) => eb.fn.max<number | null>('level').as('level')),
)

const getHighestLevel = ([row]: readonly { readonly level: number | null }[]) => row?.level ?? Access.none

/** The actor's level on a group: the highest of direct, inherited and shared memberships, or that of a deploy token; 0 for none. */
export function getGroupAccessLevel(ctx: Context, groupId: number): MaybePromise<number> {
  if (ctx.actor.kind === 'deployToken') return getDeployTokenLevel(ctx, ctx.actor, { namespaceId: groupId })
  const userId = getUserId(ctx.actor)
  if (!userId) return Access.none
  return chain(queryGroupLevel(ctx, { userId, namespaceId: groupId, today: today(ctx) }), getHighestLevel)
}

const getUserLevel = (ctx: Context, userId: number, project: { id: number; namespaceId: number }) => {
  const parameters = { userId, namespaceId: project.namespaceId, projectId: project.id, today: today(ctx) }
  return chain(queryProjectLevel(ctx, parameters), getHighestLevel)
}

/**
 * The actor's level on a project: the highest of direct, inherited and shared memberships; 0 for none. The owner of a
 * personal namespace has level 50 on its projects, although the API reports 40. A job token has the level of its user in projects
 * that permit it.
 */
export function getProjectAccessLevel(
  ctx: Context,
  project: { id: number; namespaceId: number },
): MaybePromise<number> {
  if (ctx.actor.kind === 'deployToken') return getDeployTokenLevel(ctx, ctx.actor, project)
  if (ctx.actor.kind === 'deployKey') return getDeployKeyLevel(ctx, ctx.actor, project.id)
  const userId = getUserId(ctx.actor)
  if (!userId) return Access.none
  const job = ctx.actor.kind === 'user' ? ctx.actor.job : undefined
  if (job === undefined) return getUserLevel(ctx, userId, project)
  return chain(isOpenToJob(ctx, job, project.id), (isOpen) => {
    if (!isOpen) return Access.none
    return job.isOfAdministrator ? Access.owner : getUserLevel(ctx, userId, project)
  })
}
