import { group } from '../../../access/subjects.ts'
import type { Group } from '../../../contract/namespace.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { Context } from '../../../kernel/context.ts'
import { command } from '../../../kernel/operation.ts'
import { updateDescendantPaths } from '../../accounts/namespaces/rename.ts'
import { haveManyContents } from '../../accounts/removal/contents.ts'
import { removeGroup, selectGroupsBelow, selectProjectsBelow } from '../../accounts/removal/remove.ts'
import { hidden, toScheduledPath } from '../../accounts/removal/scheduled.ts'

/** Has a job remove a group with very many contents. */
async function scheduleGroupRemoval(ctx: Context, group: Group): Promise<void> {
  await ctx.db
    .updateTable('namespace')
    .set({ path: toScheduledPath(group), updatedAt: ctx.now })
    .where('id', '=', group.id)
    .execute()
  await ctx.db
    .updateTable('namespace')
    .set({ visibility: hidden.visibility })
    .where('id', 'in', selectGroupsBelow(ctx, group.id))
    .execute()
  await updateDescendantPaths(ctx, group.id)
  await ctx.db.updateTable('project').set(hidden).where('id', 'in', selectProjectsBelow(ctx, group.id)).execute()
  await ctx.enqueue('groups.remove', { groupId: group.id }, { key: String(group.id) })
}

export const groups = {
  /**
   * Removes a group with all its subgroups and projects, and their contents. A job removes a group with very many contents; until
   * then, the group is private and has the path `<path>-deletion_scheduled-<id>`, and its projects are archived.
   */
  remove: command({
    on: group,
    can: 'group.remove',
    serializes: 'instance',
    async run(ctx, _input, { group }) {
      await assertRowUnmodified(ctx, 'namespace', group.id)
      const contents = { projectId: selectProjectsBelow(ctx, group.id), groupId: selectGroupsBelow(ctx, group.id) }
      if (await haveManyContents(ctx, contents)) await scheduleGroupRemoval(ctx, group)
      else await removeGroup(ctx, group.id)
    },
  }),
}
