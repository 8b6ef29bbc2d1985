import type { Group } from '../features/groups/group.ts'
import type { Context } from '../kernel/context.ts'
import { readableProjects } from './predicates.ts'

/** Whether the actor can read some project in the group or below it. False for no group. */
export async function seesProjectBelow(ctx: Context, group: Group | undefined): Promise<boolean> {
  if (group?.visibility === 'public') return false
  const found = await ctx.db
    .selectFrom('project')
    .innerJoin('namespaceLineage as down', 'down.namespaceId', 'project.namespaceId')
    .where('down.ancestorId', '=', group?.id ?? 0)
    .where(readableProjects(ctx))
    .select('project.id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
