import type { Kysely, Updateable } from 'kysely'
import type { Database } from '../contract/database.ts'

/** The tables whose rows have an id and a time of change. */
export type DatedTable = {
  [Table in keyof Database]: 'id' | 'updatedAt' extends keyof Database[Table] ? Table : never
}[keyof Database]

/**
 * Updates a row and its `updatedAt`, unless it has all these values already. Omitted values stay unchanged.
 *
 * @returns whether the row was changed
 */
export const updateChanged = async <Table extends DatedTable>(
  { db, now }: { readonly db: Kysely<Database>; readonly now: string },
  table: Table,
  id: number,
  change: Omit<Updateable<Database[Table]>, 'id' | 'updatedAt'>,
): Promise<boolean> => {
  const values = Object.entries(change).filter(([, value]) => value !== undefined)
  if (!values.length) return false
  const name: string = table
  // biome-ignore lint/suspicious/noExplicitAny: one statement for all tables
  const { numUpdatedRows } = await (db as Kysely<any>)
    .updateTable(name)
    .set({ ...Object.fromEntries(values), updatedAt: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or(
        values.map(([column, value]) => {
          if (value === null) return eb(column, 'is not', null)
          if (typeof value !== 'object') return eb(column, 'is distinct from', value)
          // PostgreSQL cannot compare `json`; both databases keep its text as it was written.
          return eb(eb.cast(column, 'text'), 'is distinct from', JSON.stringify(value))
        }),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
