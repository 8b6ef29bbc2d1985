import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { MaybePromise } from '../../../kernel/store.ts'

interface LifecycleOptions<Ref, Stored extends Ref, Complete> {
  readonly table: 'issue' | 'mergeRequest' | 'epic'
  /** States with columns `…At` and `…ById` for the time and the user of the change. */
  readonly recordedStates: readonly ('closed' | 'merged')[]
  find(ctx: Context, ref: Ref): Promise<Stored | undefined>
  complete(ctx: Context, records: readonly Stored[]): Promise<readonly Complete[]>
  /** Emits the signal of the new state. `via`: what has changed it, if that is not a call. */
  notify(ctx: Context, issuable: Complete, state: StateOf<Stored>, via?: string): MaybePromise<void>
  /** Emits the signal of an update. */
  notifyUpdate(ctx: Context, before: Complete, after: Complete): MaybePromise<void>
}

type StateOf<Stored> = Stored extends { readonly state: infer S } ? S : never

// biome-ignore lint/suspicious/noExplicitAny: one statement for the three tables of `LifecycleOptions`
const untypedDatabase = (ctx: Context): Kysely<any> => ctx.db

/**
 * Returns the functions that reload an issue, merge request or epic, update it and change its state. An equal state changes nothing,
 * and neither does an update with the present values.
 */
export const createLifecycle = <
  Ref,
  Stored extends Ref & { readonly id: number; readonly state: string },
  Complete extends { readonly updatedAt: string },
>({
  table,
  recordedStates,
  find,
  complete,
  notify,
  notifyUpdate,
}: LifecycleOptions<Ref, Stored, Complete>) => {
  const reload = async (ctx: Context, ref: Ref): Promise<Complete> => {
    const record = await find(ctx, ref)
    const [issuable] = record ? await complete(ctx, [record]) : []
    if (!issuable) throw notFound()
    return issuable
  }
  const setState = async (ctx: Context, record: Stored, state: StateOf<Stored>, via?: string): Promise<Complete> => {
    if (record.state === state) return reload(ctx, record)
    const userId = ctx.actor.kind === 'user' ? ctx.actor.id : null
    const columns = recordedStates.map((recorded) =>
      recorded === state
        ? { [`${recorded}At`]: ctx.now, [`${recorded}ById`]: userId }
        : { [`${recorded}At`]: null, [`${recorded}ById`]: null },
    )
    await untypedDatabase(ctx)
      .updateTable(table)
      .set(Object.assign({ state, updatedAt: ctx.now }, ...columns))
      .where('id', '=', record.id)
      .execute()
    const changed = await reload(ctx, record)
    await notify(ctx, changed, state, via)
    return changed
  }
  /** Runs `write`, which sets columns and relations, and emits the signal if anything has changed. */
  const update = async (
    ctx: Context,
    ref: Ref & { readonly id: number },
    write: (before: Complete) => Promise<void>,
  ): Promise<Complete> => {
    const before = await reload(ctx, ref)
    await write(before)
    const written = await reload(ctx, ref)
    const isChanged = !isDeepStrictEqual({ ...written, updatedAt: before.updatedAt }, before)
    const updatedAt = isChanged ? ctx.now : before.updatedAt
    if (written.updatedAt !== updatedAt)
      await untypedDatabase(ctx).updateTable(table).set({ updatedAt }).where('id', '=', ref.id).execute()
    if (!isChanged) return before
    const after = { ...written, updatedAt }
    await notifyUpdate(ctx, before, after)
    return after
  }
  return { reload, setState, update }
}
