import type { Kysely } from 'kysely'
import type { Database } from '../contract/database.ts'

/** Reads a column of the row with an id as text; null for a missing row or value. */
export const readColumn = async <Table extends keyof Database>(
  { db }: { readonly db: Kysely<Database> },
  table: Table,
  id: number,
  column: keyof Database[Table] & string,
): Promise<string | null> => {
  const [name, field]: readonly [string, string] = [table, column]
  // biome-ignore lint/suspicious/noExplicitAny: one statement for all tables
  const row = await (db as Kysely<any>).selectFrom(name).where('id', '=', id).select(field).executeTakeFirst()
  const value: unknown = row?.[field]
  return value === undefined || value === null ? null : String(value)
}
