import type { Group } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import { updateDescendantPaths } from '../../accounts/namespaces/rename.ts'
import { selectGroupsBelow, selectProjectsBelow } from '../../accounts/removal/remove.ts'
import { hidden, toScheduledPath } from '../../accounts/removal/scheduled.ts'

/** Has a job remove a group with very many contents. */
export async function scheduleGroupRemoval(ctx: Context, group: Group): Promise<void> {
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
