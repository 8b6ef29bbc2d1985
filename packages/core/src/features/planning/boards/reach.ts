import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'

/** The project or group of boards. */
export type BoardOwner = Subjects['project'] | Subjects['group']

/** Ids of the group of a project, or of a group, and of the groups above. */
const selectGroupIds = (ctx: Context, owner: BoardOwner) =>
  ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', owner.kind === 'project' ? owner.project.namespaceId : owner.group.id)
    .select('ancestorId')

/**
 * Ids of the labels or milestones of the project or group and of the groups above it. Boards of a project that has left its group
 * still refer to others, which are not shown.
 */
export const selectReachableIds = (ctx: Context, owner: BoardOwner, table: 'label' | 'milestone') =>
  ctx.db
    .selectFrom(table as 'label')
    .where((eb) => {
      const ofGroups = eb('groupId', 'in', selectGroupIds(ctx, owner))
      return owner.kind === 'project' ? eb.or([eb('projectId', '=', owner.project.id), ofGroups]) : ofGroups
    })
    .select('id')

/** @throws PlatformError `not_found` for a label or milestone that issues of the board cannot have */
export const assertReachable = async (
  ctx: Context,
  owner: BoardOwner,
  table: 'label' | 'milestone',
  id: number,
): Promise<void> => {
  const row = await selectReachableIds(ctx, owner, table).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound(table === 'label' ? 'Label' : 'Milestone')
}
