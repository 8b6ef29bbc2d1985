import { Access } from '../../access/levels.ts'
import { findPersonalNamespace } from '../../access/namespaces.ts'
import { findProject } from '../../access/projects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import type { User } from '../accounts/user.ts'
import { moveContributions } from './ghost.ts'

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

const removeGroups = async (ctx: Context, ids: readonly number[]) => {
  for (const groupId of ids) {
    await ctx.emit('group.removed', { groupId })
    await ctx.db.deleteFrom('namespace').where('id', '=', groupId).execute()
  }
}

/** Announces the removal of the personal projects, which have repositories and files. */
const announcePersonalProjects = async (ctx: Context, userId: number) => {
  const namespace = await findPersonalNamespace(ctx, userId)
  const rows = await ctx.db
    .selectFrom('project')
    .where('namespaceId', '=', namespace?.id ?? 0)
    .select('id')
    .execute()
  for (const { id } of rows) {
    const project = await findProject(ctx, id)
    if (project) await ctx.emit('project.removed', { project: { ...project } })
  }
}

/**
 * Removes a user with the personal namespace, memberships, keys and tokens. The contributions remain, with a ghost user as their
 * author, unless `hardDelete` is set.
 *
 * @throws PlatformError `conflict` if the user is the only owner of a group, unless `hardDelete` is set
 */
export async function removeUser(ctx: Context, removed: User, hardDelete: boolean): Promise<void> {
  const { id } = removed
  const owned = await findSolelyOwnedGroups(ctx, id)
  if (owned.length && !hardDelete) {
    throw conflict(`User cannot be removed: the only owner of ${owned[0]?.fullPath}`)
  }
  await removeGroups(
    ctx,
    owned.map((group) => group.id),
  )
  await announcePersonalProjects(ctx, id)
  await ctx.emit('user.removed', { user: removed })
  if (!hardDelete) await moveContributions(ctx, id)
  await ctx.db.deleteFrom('user').where('id', '=', id).execute()
}
