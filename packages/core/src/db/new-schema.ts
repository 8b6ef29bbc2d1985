import type { SqliteDatabase } from './sqlite-driver/driver.ts'

/** The statements that create the tables, indexes and triggers of a new database, by prefix. */
const newSchemas = new Map<string, string>()

/** All tables, indexes and triggers, without those that SQLite creates itself and without the table of applied migrations. */
const readSchema = (file: SqliteDatabase, prefix: string): string =>
  file
    .prepare(
      `select sql from sqlite_schema
      where sql is not null and name not like 'sqlite_%' and name <> ?
        and name not in (select name from pragma_table_list where schema = 'main' and type = 'shadow')
      order by rowid`,
    )
    .all([`${prefix}forgelet_migration`])
    .join(';\n')

/**
 * Runs the migrations of an empty database; the next ones of the process receive the resulting schema at once. SQLite parses
 * the whole schema again after each change of a table, so that the migrations take ten times as long. They only create tables:
 * an empty database has no rows that they could change.
 */
export const createTables = async (
  file: SqliteDatabase,
  prefix: string,
  runMigrations: () => Promise<void>,
): Promise<void> => {
  // Other tables belong to the host.
  if (readSchema(file, prefix)) return runMigrations()
  const schema = newSchemas.get(prefix)
  if (schema !== undefined) return file.exec(schema)
  await runMigrations()
  newSchemas.set(prefix, readSchema(file, prefix))
}
