import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration works on the schema of its own time, not on today's types
export type Schema = Kysely<any>

/** The dialect a migration runs on. Only ids, triggers and indexes of words differ. */
export const isPostgres = (db: Schema) => db.getExecutor().adapter instanceof PostgresAdapter

/** A new table with its `id`, counted up and never used again. */
export const table = (db: Schema, name: string): CreateTableBuilder<string, string> => {
  const start = db.schema.createTable(name)
  return isPostgres(db)
    ? start.addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().primaryKey())
    : start.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
}

/** A reference that goes when its target goes. */
export const owned = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(`${target}.id`).onDelete('cascade')

/** An optional reference that goes when its target goes. */
export const ownedIfAny = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.references(`${target}.id`).onDelete('cascade')

/** An optional reference that becomes null when its target goes. */
export const loose = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.references(`${target}.id`).onDelete('set null')

export const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** A yes or no that is `false` unless said otherwise. */
export const no = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(false)

/** A yes or no that is `true` unless said otherwise. */
export const yes = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(true)

/** Unique without regard to case. */
export const uniqueIgnoringCase = (db: Schema, name: string, on: string, column: string) =>
  db.schema
    .createIndex(name)
    .unique()
    .on(on)
    .expression(sql`lower(${sql.ref(column)})`)
