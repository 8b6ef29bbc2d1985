import { getGroupAccessLevel, getProjectAccessLevel } from '../../../access/actor-level.ts'
import { Access } from '../../../access/levels.ts'
import type { Project } from '../../../contract/project.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { forbidden, PlatformError } from '../../../kernel/errors.ts'
import { asUser, canAccessProject, readGranteeNames } from '../../accounts/users/grantees.ts'
import { type DeployAccessLevel, type DeployLevel, deployLevelNames } from './protected-environment.ts'

/** Names an access level, a user or a group. */
export interface DeployGrant {
  readonly accessLevel: DeployLevel | null
  readonly userId: number | null
  readonly groupId: number | null
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
  if (userId !== null && !(await canAccessProject(ctx, project, userId)))
    return `user ${userId} cannot access the project`
  if (groupId !== null && !(await isSharedWith(ctx, project, groupId))) {
    return `the project is not shared with group ${groupId}`
  }
  return accessLevel === null && userId === null && groupId === null ? 'an entry is empty' : undefined
}

/**
 * The distinct grants. Grantees need access to the project (specification 2, "Protected environments").
 *
 * @throws PlatformError `unprocessable` with the grants that are not possible, or if there are fewer grants than `minimum`
 */
export async function checkGrants<G extends DeployGrant>(
  ctx: Context,
  project: Project,
  grants: readonly G[],
  { name, minimum }: { readonly name: string; readonly minimum: number },
): Promise<G[]> {
  const distinct = new Map(
    grants.map((grant) => [`${grant.accessLevel} ${grant.userId} ${grant.groupId}`, grant] as const),
  )
  const problems: string[] = []
  for (const grant of distinct.values()) {
    const problem = await findGrantProblem(ctx, project, grant)
    if (problem !== undefined) problems.push(problem)
  }
  if (distinct.size < minimum) problems.push('is too short (minimum is 1 character)')
  if (problems.length) throw new PlatformError('unprocessable', `${name} ${problems.join(', ')}`)
  return [...distinct.values()]
}

/** Adds the descriptions of grants. */
export async function toDeployAccessLevels<G extends DeployGrant>(
  ctx: Context,
  grants: readonly G[],
): Promise<(G & DeployAccessLevel)[]> {
  const nameOf = await readGranteeNames(ctx, grants)
  const describe = (grant: DeployGrant) =>
    grant.accessLevel === null ? nameOf(grant) : deployLevelNames[grant.accessLevel]
  return grants.map((grant) => ({ ...grant, accessLevelDescription: describe(grant) }))
}

/** Grants of the protected environments with these ids, in the order of their creation. */
export const selectGrants = (ctx: Context, ids: readonly number[]) =>
  ctx.db
    .selectFrom('deployAccessLevel')
    .where('protectedEnvironmentId', 'in', ids)
    .orderBy('id')
    .select(['protectedEnvironmentId', 'accessLevel', 'userId', 'groupId'])

/** The grants that cover a user, all of them for an administrator; undefined if none does. An administrator needs none. */
export async function filterGrants<G extends DeployGrant>(
  ctx: Context,
  project: Project,
  grants: readonly G[],
  userId: number,
): Promise<readonly G[] | undefined> {
  const user = await asUser(ctx, userId)
  if (user === undefined) return undefined
  if (user.admin) return grants
  const covering: G[] = []
  const level = await getProjectAccessLevel(user, project)
  for (const grant of grants) {
    const { accessLevel, groupId } = grant
    const isMember = async () => groupId !== null && (await getGroupAccessLevel(user, groupId)) >= Access.developer
    if ((accessLevel !== null && level >= accessLevel) || grant.userId === userId || (await isMember()))
      covering.push(grant)
  }
  return covering.length ? covering : undefined
}

/** Whether a user may deploy to an environment: no protection names it, or a grant covers the user. The free tier has none. */
export async function canDeploy(
  ctx: Context,
  project: Project,
  environmentName: string,
  userId: number,
): Promise<boolean> {
  if (ctx.tier === 'free') return true
  const protection = await ctx.db
    .selectFrom('protectedEnvironment')
    .where('projectId', '=', project.id)
    .where('name', '=', environmentName)
    .select('id')
    .executeTakeFirst()
  if (!protection) return true
  return (await filterGrants(ctx, project, await selectGrants(ctx, [protection.id]).execute(), userId)) !== undefined
}

/** @throws PlatformError `forbidden` with the reason `protected` if the user may not deploy to the environment */
export async function assertCanDeploy(
  ctx: Context,
  project: Project,
  environmentName: string,
  userId: number,
): Promise<void> {
  if (!(await canDeploy(ctx, project, environmentName, userId)))
    throw forbidden('The environment is protected', 'protected')
}

/**
 * @throws PlatformError `forbidden` with the reason `protected` if the current user may not deploy to the environment. The host
 * may.
 */
export const assertMayChangeEnvironment = async (ctx: Context, project: Project, name: string): Promise<void> => {
  if (ctx.actor.kind === 'user') await assertCanDeploy(ctx, project, name, ctx.actor.id)
}
