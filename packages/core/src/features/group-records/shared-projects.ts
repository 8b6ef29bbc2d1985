import type { Expression } from 'kysely'
import { type Context, today } from '../../kernel/context.ts'
import { readableRows } from '../projects/selection.ts'

/** Projects that are shared with any of these groups, as far as the reader can see them. */
export const sharedWith = (ctx: Context, groups: readonly number[] | Expression<{ namespaceId: number }>) => {
  const shared = ctx.db
    .selectFrom('share')
    .where('share.projectId', 'is not', null)
    .where('share.withGroupId', 'in', groups as readonly number[])
    .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today(ctx))]))
    .select('share.projectId')
    .$castTo<{ projectId: number }>()
  return readableRows(ctx).where('project.id', 'in', shared)
}
