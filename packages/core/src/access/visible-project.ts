import type { Group } from '../contract/namespace.ts'
import type { Context } from '../kernel/context.ts'
import { withGrants } from './grants.ts'
import { readableProjects } from './predicates.ts'

/** Whether the actor can read a project in the group or its subgroups. False without a group, and for public groups. */
export async function hasVisibleProject(ctx: Context, group: Group | undefined): Promise<boolean> {
  if (group?.visibility === 'public') return false
  const project = await ctx.db
    .selectFrom('project')
    .innerJoin('namespaceLineage as down', 'down.namespaceId', 'project.namespaceId')
    .where('down.ancestorId', '=', group?.id ?? 0)
    .where(readableProjects(await withGrants(ctx)))
    .select('project.id')
    .limit(1)
    .executeTakeFirst()
  return project !== undefined
}
