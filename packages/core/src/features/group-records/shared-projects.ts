import type { Expression } from 'kysely'
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
    .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today(ctx))]))
    .select('share.projectId')
    .$castTo<{ projectId: number }>()
  return selectReadableProjects(ctx).where('project.id', 'in', shared)
}
