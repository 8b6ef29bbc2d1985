import type { Kysely } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Soon } from '../../kernel/store.ts'

/** What issues, merge requests and epics are opened, closed and read again by. */
interface Kind<Ref, Stored extends Ref, Complete> {
  readonly table: 'issue' | 'mergeRequest' | 'epic'
  /** States that remember who brought them about and when, in columns of their name. */
  readonly ends: readonly ('closed' | 'merged')[]
  find(ctx: Context, ref: Ref): Promise<Stored | undefined>
  complete(ctx: Context, records: readonly Stored[]): Promise<readonly Complete[]>
  /** Tells the others of a new state. */
  tell(ctx: Context, thing: Complete, state: State<Stored>): Soon<void>
}

type State<Stored> = Stored extends { readonly state: infer S } ? S : never

// biome-ignore lint/suspicious/noExplicitAny: one statement over three tables, named above
const anyTable = (ctx: Context): Kysely<any> => ctx.db

/** Reads a thing again, and moves it to another state. A thing that is in the state already is left as it is. */
export const lifecycle = <Ref, Stored extends Ref & { readonly id: number; readonly state: string }, Complete>({
  table,
  ends,
  find,
  complete,
  tell,
}: Kind<Ref, Stored, Complete>) => {
  const reload = async (ctx: Context, ref: Ref): Promise<Complete> => {
    const record = await find(ctx, ref)
    const [thing] = record ? await complete(ctx, [record]) : []
    if (!thing) throw notFound()
    return thing
  }
  const setState = async (ctx: Context, record: Stored, state: State<Stored>): Promise<Complete> => {
    if (record.state === state) return reload(ctx, record)
    const by = ctx.actor.kind === 'user' ? ctx.actor.id : null
    const endings = ends.map((end) =>
      end === state ? { [`${end}At`]: ctx.now, [`${end}ById`]: by } : { [`${end}At`]: null, [`${end}ById`]: null },
    )
    await anyTable(ctx)
      .updateTable(table)
      .set(Object.assign({ state, updatedAt: ctx.now }, ...endings))
      .where('id', '=', record.id)
      .execute()
    const changed = await reload(ctx, record)
    await tell(ctx, changed, state)
    return changed
  }
  return { reload, setState }
}
