import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration uses the schema of its version, not the current types
export type MigrationDatabase = Kysely<any>

/** Whether a migration runs on PostgreSQL. Only ids, triggers and full-text indexes differ between the databases. */
export const isPostgres = (db: MigrationDatabase) => db.getExecutor().adapter instanceof PostgresAdapter

/** A new table with an increasing `id` that is never reused. */
export const createTableWithId = (db: MigrationDatabase, name: string): CreateTableBuilder<string, string> => {
  const start = db.schema.createTable(name)
  return isPostgres(db)
    ? start.addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().primaryKey())
    : start.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
}

/** A required reference: deleting the target deletes the row. */
export const cascadeReference = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(`${target}.id`).onDelete('cascade')

/** An optional reference: deleting the target deletes the row. */
export const optionalCascadeReference = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.references(`${target}.id`).onDelete('cascade')

/** An optional reference: deleting the target sets it to null. */
export const setNullReference = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.references(`${target}.id`).onDelete('set null')

export const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** A boolean column with the default `false`. */
export const defaultFalse = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(false)

/** A boolean column with the default `true`. */
export const defaultTrue = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(true)

/** A unique index that ignores case. */
export const createCaseInsensitiveUniqueIndex = (db: MigrationDatabase, name: string, on: string, column: string) =>
  db.schema
    .createIndex(name)
    .unique()
    .on(on)
    .expression(sql`lower(${sql.ref(column)})`)
