import type { Context } from './context.ts'

/** The next number of a kind within its project or group: 1, 2, 3 … without gaps, since a rollback takes it back. */
export async function nextInternalId(ctx: Context, kind: string, ownerId: number): Promise<number> {
  const rows = await ctx.db
    .insertInto('internalId')
    .values({ kind, ownerId, last: 1 })
    .onConflict((key) =>
      key.columns(['kind', 'ownerId']).doUpdateSet((eb) => ({ last: eb('internalId.last', '+', 1) })),
    )
    .returning('last')
    .execute()
  return (rows[0] as { last: number }).last
}
