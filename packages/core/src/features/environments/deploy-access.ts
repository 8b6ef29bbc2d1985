import { getGroupAccessLevel, getProjectAccessLevel } from '../../access/actor-level.ts'
import { Access } from '../../access/levels.ts'
import { readableGroups } from '../../access/predicates.ts'
import type { Project } from '../../contract/project.ts'
import { isUnexpired } from '../../db/functions.ts'
import { type Context, today } from '../../kernel/context.ts'
import { forbidden, PlatformError } from '../../kernel/errors.ts'
import { findUser, userSummaries } from '../accounts/queries.ts'
import { type DeployAccessLevel, type DeployLevel, deployLevelNames } from './protected-environment.ts'

interface DeployGrant {
  readonly accessLevel: DeployLevel | null
  readonly userId: number | null
  readonly groupId: number | null
}

/** A copy of the context with another user as the actor, to check that user's access. */
const createUserContext = async (ctx: Context, userId: number): Promise<Context & { readonly admin: boolean }> => {
  const { id, username, name, admin, external, bot } = await findUser(ctx, userId)
  return { ...ctx, admin, actor: { kind: 'user', id, username, name, admin, external, bot, scopes: null } }
}

const userExists = async (ctx: Context, id: number) =>
  (await ctx.db.selectFrom('user').where('id', '=', id).select('id').executeTakeFirst()) !== undefined

const hasProjectAccess = async (ctx: Context, project: Project, userId: number): Promise<boolean> => {
  if (!(await userExists(ctx, userId))) return false
  const user = await createUserContext(ctx, userId)
  return user.admin || (await getProjectAccessLevel(user, project)) >= Access.guest
}

const isSharedWith = async (ctx: Context, project: Project, groupId: number): Promise<boolean> => {
  const share = await ctx.db
    .selectFrom('share')
    .where('projectId', '=', project.id)
    .where('withGroupId', '=', groupId)
    .where(isUnexpired('expiresAt', today(ctx)))
    .select('id')
    .executeTakeFirst()
  return share !== undefined
}

const findGrantProblem = async (
  ctx: Context,
  project: Project,
  { accessLevel, userId, groupId }: DeployGrant,
): Promise<string | undefined> => {
  if (userId !== null && !(await hasProjectAccess(ctx, project, userId)))
    return `user ${userId} cannot access the project`
  if (groupId !== null && !(await isSharedWith(ctx, project, groupId))) {
    return `the project is not shared with group ${groupId}`
  }
  return accessLevel === null && userId === null && groupId === null ? 'an entry is empty' : undefined
}

/**
 * The distinct grants. Grantees need access to the project (specification 2, "Protected environments").
 *
 * @throws PlatformError `unprocessable` with the grants that are not possible, or if there is no grant
 */
export async function checkGrants<G extends DeployGrant>(
  ctx: Context,
  project: Project,
  grants: readonly G[],
): Promise<G[]> {
  const distinct = new Map(
    grants.map((grant) => [`${grant.accessLevel} ${grant.userId} ${grant.groupId}`, grant] as const),
  )
  const problems: string[] = []
  for (const grant of distinct.values()) {
    const problem = await findGrantProblem(ctx, project, grant)
    if (problem !== undefined) problems.push(problem)
  }
  if (!distinct.size) problems.push('is too short (minimum is 1 character)')
  if (problems.length) throw new PlatformError('unprocessable', `Deploy access levels ${problems.join(', ')}`)
  return [...distinct.values()]
}

/** The names of these groups by id, without those that the caller cannot see. */
const findVisibleGroupNames = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  if (!ids.length) return new Map()
  const groups = await ctx.db
    .selectFrom('namespace')
    .where('namespace.id', 'in', ids)
    .where(readableGroups(ctx))
    .select(['namespace.id', 'namespace.name'])
    .execute()
  return new Map(groups.map(({ id, name }) => [id, name]))
}

/** Adds the descriptions of grants. A group that the caller cannot see has none. */
export async function toDeployAccessLevels<G extends DeployGrant>(
  ctx: Context,
  grants: readonly G[],
): Promise<(G & DeployAccessLevel)[]> {
  const users = await userSummaries(
    ctx,
    grants.map(({ userId }) => userId),
  )
  const groupNames = await findVisibleGroupNames(
    ctx,
    grants.flatMap(({ groupId }) => groupId ?? []),
  )
  const describe = ({ accessLevel, userId, groupId }: DeployGrant) => {
    if (userId !== null) return users.get(userId)?.name ?? null
    if (groupId !== null) return groupNames.get(groupId) ?? null
    return accessLevel && deployLevelNames[accessLevel]
  }
  return grants.map((grant) => ({ ...grant, accessLevelDescription: describe(grant) }))
}

/** Grants of the protected environments with these ids, in the order of their creation. */
export const selectGrants = (ctx: Context, ids: readonly number[]) =>
  ctx.db
    .selectFrom('deployAccessLevel')
    .where('protectedEnvironmentId', 'in', ids)
    .orderBy('id')
    .select(['protectedEnvironmentId', 'accessLevel', 'userId', 'groupId'])

/**
 * On the free tier, no environment is protected.
 *
 * @throws PlatformError `forbidden` with the reason `protected` if the environment is protected and no grant covers the user
 */
export async function assertCanDeploy(
  ctx: Context,
  project: Project,
  environmentName: string,
  userId: number,
): Promise<void> {
  if (ctx.tier === 'free') return
  const protection = await ctx.db
    .selectFrom('protectedEnvironment')
    .where('projectId', '=', project.id)
    .where('name', '=', environmentName)
    .select('id')
    .executeTakeFirst()
  if (!protection) return
  const user = await createUserContext(ctx, userId)
  if (user.admin) return
  const level = await getProjectAccessLevel(user, project)
  for (const grant of await selectGrants(ctx, [protection.id]).execute()) {
    if (grant.accessLevel !== null && level >= grant.accessLevel) return
    if (grant.userId === userId) return
    if (grant.groupId !== null && (await getGroupAccessLevel(user, grant.groupId)) >= Access.developer) return
  }
  throw forbidden('The environment is protected', 'protected')
}
