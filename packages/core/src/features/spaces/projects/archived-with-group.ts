import { findNamespace } from '../../../access/namespaces.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'

/** @throws PlatformError `unprocessable` for a project that is archived with its group: only the group can be restored */
export const assertNotArchivedWithGroup = async ({ db }: Context, projectId: number): Promise<void> => {
  const row = await db.selectFrom('project').where('id', '=', projectId).select('archivedWithId').executeTakeFirst()
  if (row?.archivedWithId)
    throw new PlatformError('unprocessable', 'The project is archived with its group: unarchive the group first')
}

/** Whether a project that is not archived itself is archived with its group. */
export const readArchivedWithGroup = async (ctx: Context, namespaceId: number) => {
  const namespace = await findNamespace(ctx, namespaceId)
  if (!namespace?.archived) return { archived: false, archivedWithId: null }
  const { archivedWithId } = await ctx.db
    .selectFrom('namespace')
    .where('id', '=', namespaceId)
    .select('archivedWithId')
    .executeTakeFirstOrThrow()
  return { archived: true, archivedWithId: archivedWithId ?? namespaceId }
}
