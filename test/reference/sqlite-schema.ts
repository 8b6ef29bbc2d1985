import { migrations } from '../../packages/core/src/db/migrations/migrations.ts'
import { createConnection } from '../../packages/core/src/db/sqlite/connection.ts'
import type { SqliteDatabase } from '../../packages/core/src/db/sqlite/driver/driver.ts'
import { openDatabase } from '../../packages/core/src/db/sqlite/file.ts'

/** Relative to the folder of the workspace. */
export const sqliteSchemaPath = 'packages/core/src/db/schema/sqlite-schema.ts'

/**
 * The statements of all tables, indexes and triggers, in the order of their creation, without those that SQLite creates itself and
 * without the table of applied migrations.
 */
export const readStatements = (file: SqliteDatabase, prefix = ''): readonly string[] =>
  file
    .prepare(
      `select sql from sqlite_schema
      where sql is not null and name not like 'sqlite_%' and name <> ?
        and name not in (select name from pragma_table_list where schema = 'main' and type = 'shadow')
      order by rowid`,
    )
    .all([`${prefix}forgelet_migration`])
    .map(([statement]) => String(statement))

/** A database that the migrations have created. */
export const createMigratedDatabase = async (prefix = ''): Promise<SqliteDatabase> => {
  const file = openDatabase(':memory:')
  const { handle } = createConnection(file, { prefix, getDataVersion: () => 0, cache: undefined })
  for (const { up } of migrations) await up(handle.db)
  return file
}

/** Writes each column of a table on a line. */
const breakLines = (statement: string) => {
  if (!statement.startsWith('CREATE TABLE')) return statement
  let depth = 0
  return statement.replace(/'[^']*'|[()]|, /g, (token) => {
    if (token === '(') return ++depth === 1 ? '(\n  ' : token
    if (token === ')') return --depth === 0 ? '\n)' : token
    return token === ', ' && depth === 1 ? ',\n  ' : token
  })
}

/** The TypeScript module with the schema that all migrations together create. */
export const createSqliteSchemaModule = async (): Promise<string> => {
  const file = await createMigratedDatabase('prefix_')
  const statements = readStatements(file, 'prefix_').map((statement) => `${breakLines(statement)};\n`)
  file.close()
  const text = statements.join('').replaceAll('\\', '\\\\').replaceAll('`', '\\`')
  return `/**
 * The schema of a new SQLite database with a prefix of its names. The migrations create the same one, but take ten times as
 * long, because SQLite parses the whole schema again after each change of a table. Generated from the migrations by
 * \`pnpm docs:reference\`; a test checks that it is up to date.
 */
export const createSqliteSchema = (prefix: string): string => \`
${text.replaceAll('"prefix_', `"\${prefix}`)}\`
`
}
