import { group } from '../../../access/subjects.ts'
import type { Group } from '../../../contract/namespace.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { command } from '../../../kernel/operation.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { updateDescendantPaths } from '../../accounts/namespaces/rename.ts'
import { haveManyContents } from '../../accounts/removal/contents.ts'
import { assertMarked, isRemovalDelayed, removalInput } from '../../accounts/removal/delay.ts'
import { removeGroup, selectGroupsBelow, selectProjectsBelow } from '../../accounts/removal/remove.ts'
import { hidden, toEarlierPath, toScheduledPath } from '../../accounts/removal/scheduled.ts'
import { readChangedGroup } from './group-details.ts'

/** Changes the path of a group, and the full paths of all that it contains. */
const moveGroup = async (
  ctx: Context,
  group: Group,
  path: string,
  markedForDeletionOn = group.markedForDeletionOn,
): Promise<void> => {
  const fullPath = `${group.fullPath.slice(0, -group.path.length)}${path}`
  if (fullPath !== group.fullPath) await assertPathAvailable(ctx, fullPath)
  await ctx.db
    .updateTable('namespace')
    .set({ path, markedForDeletionOn, updatedAt: ctx.now })
    .where('id', '=', group.id)
    .execute()
  await updateDescendantPaths(ctx, group.id)
}

/** Has a job remove a group with very many contents. */
async function scheduleGroupRemoval(ctx: Context, group: Group): Promise<void> {
  await moveGroup(ctx, group, toScheduledPath(group))
  await ctx.db
    .updateTable('namespace')
    .set({ visibility: hidden.visibility })
    .where('id', 'in', selectGroupsBelow(ctx, group.id))
    .execute()
  await ctx.db.updateTable('project').set(hidden).where('id', 'in', selectProjectsBelow(ctx, group.id)).execute()
  await ctx.enqueue('groups.remove', { groupId: group.id }, { key: String(group.id) })
}

export const groups = {
  /**
   * Removes a group with all its subgroups and projects, and their contents. A job removes a group with very many contents; until
   * then, the group is private and has the path `<path>-deletion_scheduled-<id>`, and its projects are archived. If the setting
   * `deletionAdjournedPeriod` has been set, the group is only marked for deletion: it has that path, its contents do not change,
   * and a job removes it after this number of days.
   */
  remove: command({
    on: group,
    can: 'group.remove',
    serializes: 'instance',
    input: removalInput,
    async run(ctx, input, { group }) {
      await assertRowUnmodified(ctx, 'namespace', group.id)
      if (await isRemovalDelayed(ctx, group, input, 'Group')) {
        await moveGroup(ctx, group, toScheduledPath(group), today(ctx))
        return
      }
      const contents = { projectId: selectProjectsBelow(ctx, group.id), groupId: selectGroupsBelow(ctx, group.id) }
      if (await haveManyContents(ctx, contents)) await scheduleGroupRemoval(ctx, group)
      else await removeGroup(ctx, group.id)
    },
  }),

  /**
   * Restores a group that is marked for deletion, under its earlier path.
   *
   * @throws PlatformError `invalid` if it is not marked, `conflict` when the path is taken
   */
  restore: command({
    on: group,
    can: 'group.remove',
    serializes: 'instance',
    async run(ctx, _input, { group }) {
      assertMarked(group, 'Group')
      await moveGroup(ctx, group, toEarlierPath(group), null)
      return readChangedGroup(ctx, group.id)
    },
  }),
}
