import type { Expression } from 'kysely'
import { isUnexpired } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { type ProjectRows, selectReadableProjects } from './project-list.ts'

/** Projects that are shared with any of these groups and that the current user can read. */
export const selectSharedProjects = (
  ctx: Context,
  groupIds: readonly number[] | Expression<{ namespaceId: number }>,
) => {
  const shared = ctx.db
    .selectFrom('share')
    .where('share.projectId', 'is not', null)
    .where('share.withGroupId', 'in', groupIds as readonly number[])
    .where(isUnexpired('share.expiresAt', today(ctx)))
    .select('share.projectId')
    .$castTo<{ projectId: number }>()
  return selectReadableProjects(ctx).where('project.id', 'in', shared)
}

interface GroupProjectOptions {
  readonly withShared: boolean
  readonly onlyShared: boolean
  readonly includeSubgroups: boolean
  readonly includeAncestorGroups: boolean
}

const selectGroupIds = (
  { db }: Context,
  groupId: number,
  { includeSubgroups, includeAncestorGroups }: GroupProjectOptions,
) => {
  const lineage = db.selectFrom('namespaceLineage')
  const below = lineage.where('ancestorId', '=', groupId).select('namespaceId')
  const above = lineage.where('namespaceId', '=', groupId).select('ancestorId as namespaceId')
  if (!includeAncestorGroups) return includeSubgroups ? below : [groupId]
  return includeSubgroups ? below.union(above) : above
}

/** The projects of a group, those shared with it, or both. */
export const selectGroupProjects = (ctx: Context, groupId: number, options: GroupProjectOptions): ProjectRows => {
  const groupIds = selectGroupIds(ctx, groupId, options)
  if (options.onlyShared) return selectSharedProjects(ctx, groupIds)
  return selectReadableProjects(ctx).where((eb) => {
    const isInGroup = eb('project.namespaceId', 'in', groupIds)
    const shared = selectSharedProjects(ctx, groupIds).select('project.id')
    return options.withShared ? eb.or([isInGroup, eb('project.id', 'in', shared)]) : isInGroup
  })
}
