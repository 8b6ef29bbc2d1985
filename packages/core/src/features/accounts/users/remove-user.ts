import { Access } from '../../../access/levels.ts'
import { findPersonalNamespace } from '../../../access/namespaces.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, isPlatformError } from '../../../kernel/errors.ts'
import type { JobContext } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { hasManyContributions, haveManyContents, moveContributions } from '../removal/contents.ts'
import { removeGroup, removeProject, selectGroupsBelow, selectProjectsBelow } from '../removal/remove.ts'
import { removeGroupInSteps, removeProjectInSteps } from '../removal/steps.ts'
import { getGhostId } from './ghost.ts'
import { findUser } from './queries.ts'
import type { User } from './user.ts'

/** Groups with the user as the only direct owner, which have no owner in a group above either. */
const findSolelyOwnedGroups = async (ctx: Context, userId: number) =>
  ctx.db
    .selectFrom('member')
    .innerJoin('namespace', 'namespace.id', 'member.groupId')
    .where('member.userId', '=', userId)
    .where('member.accessLevel', '>=', Access.owner)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('namespaceLineage as up')
            .innerJoin('member as other', 'other.groupId', 'up.ancestorId')
            .innerJoin('user as otherUser', 'otherUser.id', 'other.userId')
            .where('otherUser.bot', '=', false)
            .whereRef('up.namespaceId', '=', 'namespace.id')
            .where('other.userId', '!=', userId)
            .where('other.accessLevel', '>=', Access.owner)
            .select('other.id'),
        ),
      ),
    )
    .orderBy('namespace.id')
    .select(['namespace.id', 'namespace.fullPath'])
    .execute()

/** @throws PlatformError `conflict` if the user is the only owner of a group, unless `hardDelete` is set */
const findGroupsToRemove = async (ctx: Context, userId: number, hardDelete: boolean) => {
  const owned = await findSolelyOwnedGroups(ctx, userId)
  if (owned.length && !hardDelete) {
    throw conflict(`User cannot be removed: the only owner of ${owned[0]?.fullPath}`)
  }
  return owned.map(({ id }) => id)
}

const selectPersonalProjects = async (ctx: Context, userId: number) => {
  const namespace = await findPersonalNamespace(ctx, userId)
  return selectProjectsBelow(ctx, namespace?.id ?? 0)
}

const findPersonalProjects = async (ctx: Context, userId: number): Promise<readonly number[]> => {
  const rows = await (await selectPersonalProjects(ctx, userId)).orderBy('project.id').execute()
  return rows.map(({ id }) => id)
}

const hasManyRows = async (ctx: Context, userId: number, groupIds: readonly number[]) => {
  if (await hasManyContributions(ctx, userId)) return true
  if (await haveManyContents(ctx, { projectId: await selectPersonalProjects(ctx, userId) })) return true
  for (const id of groupIds) {
    const contents = { projectId: selectProjectsBelow(ctx, id), groupId: selectGroupsBelow(ctx, id) }
    if (await haveManyContents(ctx, contents)) return true
  }
  return false
}

/** The author of the contributions after the removal; undefined if they are removed too. */
const findNewAuthor = async (ctx: Context, hardDelete: boolean) => (hardDelete ? undefined : await getGhostId(ctx))

const moveProjectSnippets = (ctx: Context, userId: number, authorId: number) =>
  ctx.db
    .updateTable('snippet')
    .set({ authorId })
    .where('authorId', '=', userId)
    .where('projectId', 'is not', null)
    .execute()

/**
 * Removes a user with the personal namespace, memberships, keys and tokens. The contributions remain, with a ghost user as their
 * author, unless `hardDelete` is set. A job removes a user with very many of them; until then, the user is blocked.
 *
 * @throws PlatformError `conflict` if the user is the only owner of a group, unless `hardDelete` is set
 */
export async function removeUser(ctx: Context, removed: User, hardDelete: boolean): Promise<void> {
  const { id } = removed
  const groupIds = await findGroupsToRemove(ctx, id, hardDelete)
  if (await hasManyRows(ctx, id, groupIds)) {
    await ctx.db.updateTable('user').set({ state: 'blocked' }).where('id', '=', id).execute()
    await ctx.enqueue('users.remove', { userId: id, hardDelete }, { key: String(id) })
    return
  }
  for (const groupId of groupIds) await removeGroup(ctx, groupId)
  for (const projectId of await findPersonalProjects(ctx, id)) await removeProject(ctx, projectId)
  await ctx.emit('user.removed', { user: removed })
  const authorId = await findNewAuthor(ctx, hardDelete)
  if (authorId !== undefined) await moveProjectSnippets(ctx, id, authorId)
  while (await moveContributions(ctx, id, authorId));
  await ctx.db.deleteFrom('user').where('id', '=', id).execute()
}

const removeRows = async (tools: JobContext, userId: number, hardDelete: boolean) => {
  const [user, authorId, groupIds, projectIds] = await tools.write(
    async (ctx) =>
      [
        await findUser(ctx, userId),
        await findNewAuthor(ctx, hardDelete),
        await findGroupsToRemove(ctx, userId, hardDelete),
        await findPersonalProjects(ctx, userId),
      ] as const,
  )
  for (const id of groupIds) await removeGroupInSteps(tools, id)
  for (const id of projectIds) await removeProjectInSteps(tools, id)
  await repeatStep(tools, (ctx) => moveContributions(ctx, userId, authorId))
  await tools.write((ctx) => removeUser(ctx, user, hardDelete))
}

/** Removes a user in several transactions, so that other writers wait for one of them at most. */
export async function removeUserInSteps(tools: JobContext, userId: number, hardDelete: boolean): Promise<void> {
  try {
    await removeRows(tools, userId, hardDelete)
  } catch (error) {
    // Removed before.
    if (!isPlatformError(error) || error.code !== 'not_found') throw error
  }
}
