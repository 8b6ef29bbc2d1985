import type { CompleteRow } from '../db/complete-row.ts'
import type { Context } from './context.ts'

/** The next number of a kind in its project or group: 1, 2, 3 …. A rollback also reverts the counter, so there are no gaps. */
export async function nextInternalId(ctx: Context, kind: string, ownerId: number): Promise<number> {
  const rows = await ctx.db
    .insertInto('internalId')
    .values({ kind, ownerId, last: 1 } satisfies CompleteRow<'internalId'>)
    .onConflict((key) =>
      key.columns(['kind', 'ownerId']).doUpdateSet((eb) => ({ last: eb('internalId.last', '+', 1) })),
    )
    .returning('last')
    .execute()
  return (rows[0] as { last: number }).last
}
