import { group } from '../../../access/subjects.ts'
import type { Group } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import { selectGroupsBelow, selectProjectsBelow } from '../../accounts/removal/remove.ts'
import { readChangedGroup } from './group-details.ts'

const unprocessable = (message: string) => new PlatformError('unprocessable', message)

const tables = ['namespace', 'project'] as const

/** Archives or restores a group itself. */
const setArchived = ({ db, now }: Context, { id }: Group, archived: boolean) =>
  db.updateTable('namespace').set({ archived, updatedAt: now }).where('id', '=', id).execute()

const isParentArchived = async ({ db }: Context, { parentId }: Group) =>
  parentId !== null &&
  (await db.selectFrom('namespace').where('id', '=', parentId).select('archived').executeTakeFirst())?.archived === true

export const groupArchiving = {
  /**
   * Archives a group: it, its subgroups and their projects become read-only.
   *
   * @throws PlatformError `unprocessable` if the group, or a group above it, is archived or marked for deletion
   */
  archive: command({
    on: group,
    can: 'group.archive',
    serializes: 'instance',
    async run(ctx, _input, { group }) {
      if (await isParentArchived(ctx, group))
        throw unprocessable('Cannot archive group since one of the ancestor groups is already archived!')
      if (group.archived) throw unprocessable('Group is already archived!')
      if (group.markedForDeletionOn !== null)
        throw unprocessable('Cannot archive group since it is scheduled for deletion.')
      await setArchived(ctx, group, true)
      const below = { namespace: selectGroupsBelow(ctx, group.id), project: selectProjectsBelow(ctx, group.id) }
      for (const table of tables)
        await ctx.db
          .updateTable(table)
          .set({ archived: true, archivedWithId: group.id })
          .where('id', 'in', below[table])
          .where('archived', '=', false)
          .execute()
      return readChangedGroup(ctx, group.id)
    },
  }),

  /**
   * Makes an archived group writable again, with all that was archived with it.
   *
   * @throws PlatformError `unprocessable` if the group is not archived, or if a group above it is archived
   */
  unarchive: command({
    on: group,
    can: 'group.archive',
    serializes: 'instance',
    async run(ctx, _input, { group }) {
      if (await isParentArchived(ctx, group))
        throw unprocessable('Cannot unarchive group since one of the ancestor groups is archived!')
      if (!group.archived) throw unprocessable('Group is already unarchived!')
      await setArchived(ctx, group, false)
      for (const table of tables)
        await ctx.db
          .updateTable(table)
          .set({ archived: false, archivedWithId: null })
          .where('archivedWithId', '=', group.id)
          .execute()
      return readChangedGroup(ctx, group.id)
    },
  }),
}
