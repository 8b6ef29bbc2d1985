import type { Handle } from '../../kernel/store.ts'

/** A table as the database describes it. */
export interface TableInfo {
  readonly name: string
  /** The columns of the primary key, in its order; empty without one. */
  readonly key: readonly string[]
  /** Columns with JSON, whose values are any of its types. */
  readonly json: readonly string[]
}

/** Maintained by triggers, or of one process; filled by `rebuildCounters` and by the migrations. */
const derivedTables = new Set([
  'forgelet_migration',
  'permission_version',
  'issue_fact',
  'issue_count',
  'issue_tally',
  'issue_label_key',
  'note_count',
])

/** In the order of their creation, in which every table follows those that it refers to. */
const tableQueries = {
  sqlite: `select name from sqlite_schema where type = 'table' and name in
    (select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%') order by rowid`,
  postgres: `select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by oid`,
}

const columnQueries = {
  sqlite: 'select name, lower(type) as type, pk as position from pragma_table_info(?)',
  postgres: `select attname as name, format_type(atttypid, null) as type,
      coalesce(array_position(indkey::int2[], attnum), -1) + 1 as position
    from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
    where attrelid = quote_ident($1)::regclass and attnum > 0 and not attisdropped`,
}

interface Column {
  readonly name: string
  readonly type: string
  readonly position: number
}

const toColumn = ({ name, type, position }: Readonly<Record<string, unknown>>): Column => ({
  name: String(name),
  type: String(type),
  position: Number(position),
})

/** The tables with data of their own. */
export const listTables = async ({ dialect, run }: Handle): Promise<readonly TableInfo[]> => {
  const rows = await run(tableQueries[dialect], [])
  const tables: TableInfo[] = []
  for (const name of rows.map((row) => String(row.name))) {
    if (derivedTables.has(name)) continue
    const columns = (await run(columnQueries[dialect], [name])).map(toColumn)
    const key = columns.filter(({ position }) => position > 0).sort((a, b) => a.position - b.position)
    tables.push({
      name,
      key: key.map((column) => column.name),
      json: columns.filter(({ type }) => type === 'json').map((column) => column.name),
    })
  }
  return tables
}

const hasSequence = ({ key }: TableInfo) => key.length === 1 && key[0] === 'id'

/** The last id that each table has given out, also to a row that was removed since. */
export const readLastIds = async (
  { dialect, run }: Handle,
  tables: readonly TableInfo[],
): Promise<ReadonlyMap<string, number>> => {
  if (dialect === 'sqlite') {
    const rows = await run('select name, seq from sqlite_sequence', [])
    return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
  }
  const last = new Map<string, number>()
  for (const { name } of tables.filter(hasSequence)) {
    const [row] = await run(
      `select pg_sequence_last_value(pg_get_serial_sequence(quote_ident($1), 'id')::regclass) as last
       where pg_get_serial_sequence(quote_ident($1), 'id') is not null`,
      [name],
    )
    if (row !== undefined && row.last !== null) last.set(name, Number(row.last))
  }
  return last
}

/** The next row of each table gets the id after the last one. */
export const writeLastIds = async ({ dialect, run }: Handle, last: ReadonlyMap<string, number>): Promise<void> => {
  for (const [name, id] of last) {
    if (dialect === 'postgres') {
      if (id > 0) await run(`select setval(pg_get_serial_sequence(quote_ident($1), 'id')::regclass, $2)`, [name, id])
      continue
    }
    await run('delete from sqlite_sequence where name = ?', [name])
    await run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, id])
  }
}

/** A long transaction: the limits of a connection are those of short statements. */
export const removeLimits = async ({ dialect, run }: Handle): Promise<void> => {
  if (dialect === 'sqlite') return
  for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout'])
    await run(`set local ${limit} = 0`, [])
}

/** Lets rows refer to rows that are inserted later. Returns a function that checks all references. */
export const suspendReferences = async ({ dialect, run }: Handle): Promise<() => Promise<void>> => {
  if (dialect === 'sqlite') {
    // Until the commit, which fails if one is dangling.
    await run('pragma defer_foreign_keys = on', [])
    return async () => undefined
  }
  const references = await run(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
    [],
  )
  for (const { table, name } of references) await run(`alter table ${table} drop constraint ${name}`, [])
  return async () => {
    for (const { table, name, definition } of references)
      await run(`alter table ${table} add constraint ${name} ${definition}`, [])
  }
}
