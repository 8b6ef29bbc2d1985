import type { FakeForge } from '@forgelet/fixtures'
import Database from 'better-sqlite3'

/** A column of a table, with what its rows contain. */
export interface ColumnValues {
  /** `milestone.due_date`. */
  readonly name: string
  readonly table: string
  /** Number of rows of the table. */
  readonly rows: number
  /** The different values, as texts; without null. */
  readonly values: ReadonlySet<string>
  /** Whether a row has no value. */
  readonly hasNull: boolean
  /** Whether the values differ between two databases with equal content: ids. */
  readonly isReference: boolean
  readonly isJson: boolean
  /** The value of rows that do not set it. */
  readonly fallback: string | null
}

interface ColumnRow {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly fallback: string | null
  readonly isReference: number
}

const columnQuery = `select t.name as "table", c.name as "column", lower(c.type) as type, c.dflt_value as fallback,
    exists (select 1 from pragma_foreign_key_list(t.name) as f where f."from" = c.name) as isReference
  from pragma_table_list as t, pragma_table_info(t.name) as c
  where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'`

/** SQLite has the numbers 0 and 1 for truth values. */
const truthValues: Readonly<Record<string, string>> = { false: '0', true: '1' }

/** All columns of all tables of a forge on SQLite. */
export async function readColumnValues(forge: FakeForge): Promise<ReadonlyMap<string, ColumnValues>> {
  const file = new Database(Buffer.from((await forge.snapshot()).image))
  const columns = new Map<string, ColumnValues>()
  for (const row of file.prepare<[], ColumnRow>(columnQuery).all()) {
    const { table, column, fallback } = row
    const stored = file.prepare<[], unknown>(`select "${column}" from "${table}"`).pluck().all()
    const literal = fallback?.replace(/^'(.*)'$/, '$1') ?? null
    columns.set(`${table}.${column}`, {
      name: `${table}.${column}`,
      table,
      rows: stored.length,
      values: new Set(stored.filter((value) => value !== null).map(String)),
      hasNull: stored.includes(null),
      isReference: row.isReference === 1,
      isJson: row.type === 'json',
      fallback: literal === null ? null : (truthValues[literal] ?? literal),
    })
  }
  file.close()
  return columns
}
