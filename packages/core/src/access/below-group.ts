import type { PredicateContext } from './access-conditions.ts'
import { readableGroups } from './predicates.ts'

const selectTree = ({ db }: PredicateContext, groupId: number) =>
  db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId).select('namespaceId')

/** The ids of the subgroups of a group on all levels that the current user can read. */
export const selectSubgroupIds = (ctx: PredicateContext, groupId: number) =>
  ctx.db
    .selectFrom('namespace')
    .where('namespace.id', 'in', selectTree(ctx, groupId).where('depth', '>', 0))
    .where(readableGroups(ctx))
    .select('namespace.id')

/** The projects of a group, and those of its subgroups on all levels on request. Lists add the condition of what they contain. */
export const selectProjectsBelow = (ctx: PredicateContext, groupId: number, includeSubgroups: boolean) => {
  const projects = ctx.db.selectFrom('project')
  return includeSubgroups
    ? projects.where('project.namespaceId', 'in', selectTree(ctx, groupId))
    : projects.where('project.namespaceId', '=', groupId)
}
