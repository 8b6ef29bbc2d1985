import type { Generated, InsertObject } from 'kysely'
import type { Database } from '../contract/database.ts'

type GeneratedId<Row> = Row extends { id: Generated<number> } ? 'id' : never

/**
 * A new row with every column of the table except a generated id, also those that are nullable or have a default. Each
 * insert states `satisfies CompleteRow<'label'>`, so a column added to a table is a type error until every insert sets it.
 */
export type CompleteRow<Table extends keyof Schema, Schema = Database> = {
  [Column in Exclude<keyof InsertObject<Schema, Table>, GeneratedId<Schema[Table]>>]: Exclude<
    InsertObject<Schema, Table>[Column],
    undefined
  >
}
