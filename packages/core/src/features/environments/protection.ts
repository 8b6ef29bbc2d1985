import { Access } from '../../access/levels.ts'
import { accessToGroup, accessToProject } from '../../access/membership.ts'
import { type Context, today } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { findUser } from '../accounts/queries.ts'
import { findGroup } from '../groups/queries.ts'
import type { Project } from '../projects/project.ts'
import { type DeployAccessLevel, type DeployLevel, deployLevelNames } from './protected-environment.ts'

interface Wanted {
  readonly accessLevel: DeployLevel | null
  readonly userId: number | null
  readonly groupId: number | null
}

/** The context as another user would have it, to ask what they may reach. */
const asUser = async (ctx: Context, userId: number): Promise<Context & { readonly admin: boolean }> => {
  const { id, username, name, admin, external } = await findUser(ctx, userId)
  return { ...ctx, admin, actor: { kind: 'user', id, username, name, admin, external, scopes: null } }
}

const userExists = async (ctx: Context, id: number) =>
  (await ctx.db.selectFrom('user').where('id', '=', id).select('id').executeTakeFirst()) !== undefined

const reaches = async (ctx: Context, project: Project, userId: number): Promise<boolean> => {
  if (!(await userExists(ctx, userId))) return false
  const user = await asUser(ctx, userId)
  return user.admin || (await accessToProject(user, project)) >= Access.guest
}

const isSharedWith = async (ctx: Context, project: Project, groupId: number): Promise<boolean> => {
  const share = await ctx.db
    .selectFrom('share')
    .where('projectId', '=', project.id)
    .where('withGroupId', '=', groupId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', today(ctx))]))
    .select('id')
    .executeTakeFirst()
  return share !== undefined
}

/**
 * What can be granted of what is wanted: a user must have access to the project, a group must have it shared
 * (specification 2, "Protected environments"). The rest is left out.
 */
export async function grantable<W extends Wanted>(ctx: Context, project: Project, wanted: readonly W[]): Promise<W[]> {
  const distinct = new Map(wanted.map((one) => [`${one.accessLevel} ${one.userId} ${one.groupId}`, one]))
  const kept: W[] = []
  for (const one of distinct.values()) {
    const { accessLevel, userId, groupId } = one
    if (userId !== null && !(await reaches(ctx, project, userId))) continue
    if (groupId !== null && !(await isSharedWith(ctx, project, groupId))) continue
    if (accessLevel !== null || userId !== null || groupId !== null) kept.push(one)
  }
  return kept
}

/** A grant with its words. */
export async function described(ctx: Context, { accessLevel, userId, groupId }: Wanted): Promise<DeployAccessLevel> {
  const words = async () => {
    if (userId !== null) return (await findUser(ctx, userId)).name
    if (groupId !== null) return (await findGroup(ctx, groupId))?.name ?? null
    return accessLevel && deployLevelNames[accessLevel]
  }
  return { accessLevel, accessLevelDescription: await words(), userId, groupId }
}

/** The grants of the protected environments with these ids, in the order in which they were given. */
export const grantsOf = (ctx: Context, ids: readonly number[]) =>
  ctx.db
    .selectFrom('deployAccessLevel')
    .where('protectedEnvironmentId', 'in', ids)
    .orderBy('id')
    .select(['protectedEnvironmentId', 'accessLevel', 'userId', 'groupId'])

/**
 * Keeps those out of a protected environment whom its protection does not name. Without the paid tier nothing is protected.
 *
 * @throws PlatformError `forbidden`, with the reason `protected`
 */
export async function refuseUnlessMayDeploy(
  ctx: Context,
  project: Project,
  name: string,
  userId: number,
): Promise<void> {
  if (ctx.tier === 'free') return
  const protection = await ctx.db
    .selectFrom('protectedEnvironment')
    .where('projectId', '=', project.id)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  if (!protection) return
  const user = await asUser(ctx, userId)
  if (user.admin) return
  const level = await accessToProject(user, project)
  for (const grant of await grantsOf(ctx, [protection.id]).execute()) {
    if (grant.accessLevel !== null && level >= grant.accessLevel) return
    if (grant.userId === userId) return
    if (grant.groupId !== null && (await accessToGroup(user, grant.groupId)) >= Access.developer) return
  }
  throw forbidden('The environment is protected', 'protected')
}
