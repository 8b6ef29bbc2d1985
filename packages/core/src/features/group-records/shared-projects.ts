import type { Expression } from 'kysely'
import { isUnexpired } from '../../db/functions.ts'
import { type Context, today } from '../../kernel/context.ts'
import { selectReadableProjects } from '../projects/project-list.ts'

/** Projects that are shared with any of these groups and that the caller can read. */
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
