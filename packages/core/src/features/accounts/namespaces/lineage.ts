import type { CompleteRow } from '../../../db/complete-row.ts'
import { insertSelected } from '../../../db/insert-selected.ts'
import type { Context } from '../../../kernel/context.ts'

/** Records the ancestors of a new namespace. */
export const insertLineage = async (ctx: Context, namespaceId: number, parentId: number | undefined): Promise<void> => {
  await ctx.db
    .insertInto('namespaceLineage')
    .values({ namespaceId, ancestorId: namespaceId, depth: 0 } satisfies CompleteRow<'namespaceLineage'>)
    .execute()
  if (parentId !== undefined) await insertAncestors(ctx, { namespaceId, depth: 0 }, parentId)
}

/** Adds the parent of a group and its ancestors as those of a namespace that is `depth` levels below the group. */
const insertAncestors = async (
  ctx: Context,
  { namespaceId, depth }: { readonly namespaceId: number; readonly depth: number },
  parentId: number,
) => {
  const source = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', parentId)
  await insertSelected(ctx.db, 'namespaceLineage', source, ({ eb, val, ref }) => ({
    namespaceId: val(namespaceId),
    ancestorId: ref('ancestorId'),
    depth: eb('depth', '+', depth + 1),
  })).execute()
}

/** Replaces the ancestors of a group and its subgroups by a new parent and its ancestors; without a parent, by none. */
export const replaceLineage = async (ctx: Context, groupId: number, parentId: number | undefined): Promise<void> => {
  const { db } = ctx
  const below = db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId)
  const moved = await below.select(['namespaceId', 'depth']).execute()
  const former = await db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', groupId)
    .where('depth', '>', 0)
    .select('ancestorId')
    .execute()
  const formerIds = former.map(({ ancestorId }) => ancestorId)
  for (const row of moved) {
    if (formerIds.length)
      await db
        .deleteFrom('namespaceLineage')
        .where('namespaceId', '=', row.namespaceId)
        .where('ancestorId', 'in', formerIds)
        .execute()
    if (parentId !== undefined) await insertAncestors(ctx, row, parentId)
  }
}
