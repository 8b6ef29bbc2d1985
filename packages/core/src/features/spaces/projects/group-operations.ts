import * as v from 'valibot'
import { groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { withGrants } from '../../../access/grants.ts'
import { Access, groupLevels } from '../../../access/levels.ts'
import { project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { Id } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import { selectReadableGroups } from '../groups/group-list.ts'
import { groupPage, searchInput } from '../groups/group-search.ts'

const selectAncestorIds = (ctx: Context, { namespaceId }: Project) =>
  ctx.db.selectFrom('namespaceLineage as up').where('up.namespaceId', '=', namespaceId).select('up.ancestorId as id')

const selectInvitedIds = (ctx: Context, { id }: Project, minLevel: number) =>
  ctx.db
    .selectFrom('share')
    .where('share.projectId', '=', id)
    .where('share.accessLevel', '>=', minLevel)
    .where(isUnexpired('share.expiresAt', today(ctx)))
    .select('share.withGroupId as id')

/** A group above the project, or the project's group, forbids sharing projects. */
const isSharingLocked = async (ctx: Context, project: Project): Promise<boolean> =>
  (await ctx.db
    .selectFrom('namespace')
    .where('namespace.id', 'in', selectAncestorIds(ctx, project))
    .where('namespace.shareWithGroupLock', '=', true)
    .select('namespace.id')
    .limit(1)
    .executeTakeFirst()) !== undefined

export const projectGroups = {
  /** Lists the group of a project and its ancestors that the current user can read, by name. */
  listGroups: query({
    on: project,
    can: 'project.read',
    input: {
      ...searchInput,
      /** Ids of groups to omit, at most 1,000. Default: none. */
      skipGroups: v.optional(v.pipe(v.array(Id), v.maxLength(1_000)), []),
      /** Whether to include groups that the project is shared with. Default: false. */
      withShared: v.optional(v.boolean(), false),
      /** Only groups that the project is shared with at this level or above, next to the ancestors. */
      sharedMinAccessLevel: v.optional(v.picklist(groupLevels)),
      /** Whether to omit groups of shares that the current user cannot read. It has no effect: they are always omitted. */
      sharedVisibleOnly: v.optional(v.boolean(), false),
    },
    async run(ctx, { skipGroups, withShared, sharedMinAccessLevel, sharedVisibleOnly: _, ...input }, { project }) {
      let rows = selectReadableGroups(await withGrants(ctx)).where((eb) => {
        const isAncestor = eb('namespace.id', 'in', selectAncestorIds(ctx, project))
        if (!withShared) return isAncestor
        const invited = selectInvitedIds(ctx, project, sharedMinAccessLevel ?? Access.guest)
        return eb.or([isAncestor, eb('namespace.id', 'in', invited)])
      })
      if (skipGroups.length) rows = rows.where('namespace.id', 'not in', skipGroups)
      return groupPage(ctx, rows, input)
    },
  }),

  /**
   * Lists the groups that a project can be shared with, by name: those of the current user, all for administrators, without the
   * project's group, its ancestors and groups that the project is shared with. None if `shareWithGroupLock` of a group
   * forbids sharing.
   */
  listShareLocations: query({
    on: project,
    can: 'share.manage',
    input: searchInput,
    async run(ctx, input, { project }) {
      let rows = selectReadableGroups(await withGrants(ctx))
        .where('namespace.id', 'not in', selectAncestorIds(ctx, project))
        .where('namespace.id', 'not in', selectInvitedIds(ctx, project, Access.none))
      if (!isAdministrator(ctx.actor)) rows = rows.where('namespace.id', 'in', groupIdsWithAccess(ctx, Access.guest))
      if (await isSharingLocked(ctx, project)) rows = rows.where('namespace.id', '=', 0)
      return groupPage(ctx, rows, input)
    },
  }),
}
