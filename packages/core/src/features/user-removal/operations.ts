import * as v from 'valibot'
import { Access } from '../../access/levels.ts'
import { findPersonalNamespace } from '../../access/namespaces.ts'
import { findProject } from '../../access/projects.ts'
import { instance, userEntries } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { command } from '../../kernel/operation.ts'
import { findUser } from '../accounts/queries.ts'
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

export const userRemoval = {
  /**
   * Removes a user with the personal namespace and its projects, personal snippets, memberships, keys and tokens. The
   * user's issues, merge requests, epics, notes, comments on commits and project snippets remain, with a ghost user as their
   * author.
   *
   * @throws PlatformError `conflict` if the user is the only owner of a group, unless `hardDelete` is set
   */
  remove: command({
    on: instance,
    can: 'user.manage',
    input: {
      ...userEntries,
      /** Whether to delete the user's contributions, and the groups of which the user is the only owner. Default: false. */
      hardDelete: v.optional(v.boolean(), false),
    },
    async run(ctx, { user, hardDelete }) {
      const removed = await findUser(ctx, user)
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
    },
  }),
}
