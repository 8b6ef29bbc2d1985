import type { CompleteRow } from '../db/complete-row.ts'
import { defined } from '../shared/defined.ts'
import type { Context } from './context.ts'
import { conflict, forbidden } from './errors.ts'

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
  return defined(rows[0]).last
}

/**
 * The number that the host application chooses, or the next one. Chosen numbers ascend, so they are always free. `isFree`: finds out
 * whether a lower one is free, too.
 *
 * @throws PlatformError `forbidden` for users, `conflict` unless the number is free
 */
export async function assignInternalId(
  ctx: Context,
  kind: string,
  ownerId: number,
  chosen: number | undefined,
  isFree: (number: number) => Promise<boolean> = async () => false,
): Promise<number> {
  if (chosen === undefined) return nextInternalId(ctx, kind, ownerId)
  if (ctx.actor.kind === 'user') throw forbidden('Only the host application can choose numbers')
  return reserveInternalId(ctx, kind, ownerId, chosen, isFree)
}

/** The same for callers that have checked that the current user may choose the number. */
export async function reserveInternalId(
  ctx: Context,
  kind: string,
  ownerId: number,
  chosen: number,
  isFree: (number: number) => Promise<boolean>,
): Promise<number> {
  const rows = await ctx.db
    .insertInto('internalId')
    .values({ kind, ownerId, last: chosen } satisfies CompleteRow<'internalId'>)
    .onConflict((key) =>
      key.columns(['kind', 'ownerId']).doUpdateSet({ last: chosen }).where('internalId.last', '<', chosen),
    )
    .returning('last')
    .execute()
  if (!rows.length && !(await isFree(chosen))) throw conflict(`Number ${chosen} is not greater than all earlier ones`)
  return chosen
}
