import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findPastActor } from '../../../access/authenticate.ts'
import { Access } from '../../../access/levels.ts'
import { readableGroups } from '../../../access/predicates.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { userSummaries } from './queries.ts'

/** Users and groups that rules name beside the roles: of protected environments, branches and tags. */
interface Grantee {
  readonly userId: number | null
  readonly groupId: number | null
}

/** A copy of the context with another user as the actor, to check that user's access; undefined if the user does not exist. */
export const asUser = async (ctx: Context, userId: number) => {
  const actor = await findPastActor(ctx, userId, 'access')
  return actor.kind === 'user' ? { ...ctx.actAs(actor), admin: actor.admin } : undefined
}

export const canAccessProject = async (
  ctx: Context,
  project: Pick<Project, 'id' | 'namespaceId'>,
  userId: number,
): Promise<boolean> => {
  const user = await asUser(ctx, userId)
  return user !== undefined && (user.admin || (await getProjectAccessLevel(user, project)) >= Access.guest)
}

/**
 * Returns the name of a grant's user or group; `Group` for a group that the current user cannot see, and `User` for a missing
 * user.
 */
export const readGranteeNames = async (
  ctx: Context,
  grants: readonly Grantee[],
): Promise<(grant: Grantee) => string> => {
  const users = await userSummaries(
    ctx,
    grants.map(({ userId }) => userId),
  )
  const groupIds = grants.flatMap(({ groupId }) => groupId ?? [])
  const groups = groupIds.length
    ? await ctx.db
        .selectFrom('namespace')
        .where('namespace.id', 'in', groupIds)
        .where(readableGroups(ctx))
        .select(['namespace.id', 'namespace.name'])
        .execute()
    : []
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]))
  return ({ userId, groupId }) =>
    userId === null ? (groupNames.get(groupId ?? 0) ?? 'Group') : (users.get(userId)?.name ?? 'User')
}
