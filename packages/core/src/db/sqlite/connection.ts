import type { CompiledQuery } from 'kysely'
import { chain, type Handle, type MaybePromise, type Row } from '../../kernel/store.ts'
import { defined } from '../../shared/defined.ts'
import { createKysely } from '../kysely.ts'
import type { CachedTables, RowCache } from '../row-cache.ts'
import { createRowReader, type Decoder } from '../row-reader.ts'
import type { SqliteDatabase, SqliteStatement } from './driver/driver.ts'
import { isLong, type LongReads, readShort } from './long-reads.ts'

const maxStatements = 1_000

const decoders: Readonly<Record<string, Decoder>> = {
  boolean: (value) => (value === null ? null : value === 1),
  json: (value) => (value === null ? null : JSON.parse(value as string)),
}

const encodeParameter = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value ?? null
  return JSON.stringify(value)
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'string' || value === null

/** Converts parameters to what SQLite accepts; most need no conversion. */
const encodeParameters = (parameters: readonly unknown[]): readonly unknown[] =>
  parameters.every(isPlain) ? parameters : parameters.map(encodeParameter)

/** A statement with this many short results is then read at once, which is faster than row by row. */
const manyResults = 20
/** Number of rows that are read at once, regardless of their length. */
const fewRows = 25

interface Statement {
  readonly returnsRows: boolean
  all(parameters: readonly unknown[]): readonly Row[]
  /** The same rows; a promise if they are so long that they are read over several turns of the event loop. */
  read(parameters: readonly unknown[]): MaybePromise<readonly Row[]>
  run(parameters: readonly unknown[]): ReturnType<SqliteStatement['run']>
}

const createStatement = (
  prepared: SqliteStatement,
  sql: string,
  isReading: boolean,
  longReads: LongReads | undefined,
): Statement => {
  const run: Statement['run'] = (parameters) => prepared.run(encodeParameters(parameters))
  if (!prepared.columns.length) return { returnsRows: false, all: () => [], read: () => [], run }
  const columns = prepared.columns.map(({ name, type }) => ({ name, decode: decoders[type?.toLowerCase() ?? ''] }))
  const readRow = createRowReader(columns)
  const toRows = (rows: readonly (readonly unknown[])[]) => rows.map((row) => readRow(row))
  // `all`, never one row: a writing statement that is not read to its end prevents every checkpoint of the WAL.
  const all: Statement['all'] = (parameters) => toRows(prepared.all(encodeParameters(parameters)))
  let shortResults = 0
  return {
    returnsRows: true,
    all,
    read(parameters) {
      const readLong = isReading ? longReads?.read : undefined
      if (!readLong) return all(parameters)
      const values = encodeParameters(parameters)
      if (shortResults >= manyResults) {
        const rows = prepared.all(values)
        if (rows.length > fewRows && isLong(rows)) shortResults = Number.NEGATIVE_INFINITY
        return toRows(rows)
      }
      const rows = readShort(prepared, values)
      if (!rows) shortResults = Number.NEGATIVE_INFINITY
      shortResults += 1
      return rows ? toRows(rows) : readLong(sql, values).then(toRows)
    },
    run,
  }
}

const readPattern = /^\s*(?:select|explain|pragma|begin|commit|rollback|savepoint|release|with)\b/i
const writePattern = /\b(?:insert|replace|update|delete)\b/i

/** Whether a statement may change data: true for a reading one that contains such a word after `with`. */
const modifiesData = (sql: string) => !readPattern.test(sql) || (/^\s*with\b/i.test(sql) && writePattern.test(sql))

/** A connection to a SQLite database, with the events that its cache depends on. */
export interface Connection {
  readonly handle: Handle
  /** A snapshot or a transaction begins. */
  onBegin(): void
  /** A transaction has ended. */
  onEnd(isCommitted: boolean): void
}

export interface ConnectionOptions {
  /** The prefix of table names. */
  readonly prefix: string
  readonly getDataVersion: () => number
  /** Omitted where writes of the host would go unnoticed. */
  readonly cache: RowCache | undefined
  /** Runs before each statement. */
  readonly beforeStatement?: () => void
  /** Omitted where results are always read at once. */
  readonly longReads?: LongReads | undefined
}

const noGroups: readonly CachedTables[] = []

/** Creates a connection with one prepared statement and one row reader for each SQL text; at most 1,000 are kept. */
export const createConnection = (
  file: SqliteDatabase,
  { prefix, getDataVersion, cache, beforeStatement = () => undefined, longReads }: ConnectionOptions,
): Connection => {
  const statements = new Map<string, Statement & { readonly changes: readonly CachedTables[] }>()
  /** The cached tables that the open transaction has changed: it reads them from the database until it ends. */
  const changed = new Set<CachedTables>()
  let version = 0
  const getStatement = (sql: string) => {
    let statement = statements.get(sql)
    if (!statement) {
      const modifies = modifiesData(sql)
      const created = createStatement(file.prepare(sql), sql, !modifies, longReads)
      statement = { ...created, changes: (modifies && cache?.groupsChangedBy(sql)) || noGroups }
      if (statements.size >= maxStatements) statements.delete(defined(statements.keys().next().value))
      statements.set(sql, statement)
    }
    beforeStatement()
    for (const group of statement.changes) changed.add(group)
    return statement
  }
  const execute = ({ sql, parameters }: CompiledQuery) => {
    const statement = getStatement(sql)
    if (statement.returnsRows) return chain(statement.read(parameters), (rows) => ({ rows: rows as unknown[] }))
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
  const handle: Handle = {
    dialect: 'sqlite',
    schemaKey: `sqlite ${prefix}`,
    db: createKysely('sqlite', execute, { prefix }),
    run(sql, parameters) {
      const statement = getStatement(sql)
      if (statement.returnsRows) return statement.read(parameters)
      statement.run(parameters)
      return []
    },
    insert(sql, parameters) {
      const { changes, lastInsertRowid } = getStatement(sql).run(parameters)
      return changes ? Number(lastInsertRowid) : undefined
    },
    ...(cache && {
      queryCached(query, values) {
        beforeStatement()
        const read = () => getStatement(query.sql).all(query.getParameters(values))
        const group = cache.groupOf(query)
        if (changed.has(group)) return read()
        const key = query.getKey(values)
        return cache.get(query, key, version) ?? cache.set(query, key, version, read())
      },
    }),
  }
  return {
    handle,
    onBegin() {
      if (cache) version = cache.syncVersion(getDataVersion())
    },
    onEnd(isCommitted) {
      if (!changed.size) return
      if (isCommitted) cache?.invalidate(changed)
      changed.clear()
    },
  }
}

/** Reads SQLite's `data_version`, which changes when another connection commits; inside a snapshot it stays the same. */
export const createDataVersionReader = (file: SqliteDatabase): (() => number) => {
  const statement = file.prepare('pragma data_version')
  return () => statement.all()[0]?.[0] as number
}

export interface SnapshotConnection {
  readonly handle: Handle
  /** Ends the open snapshot, if there is one. */
  release(): void
}

/**
 * A connection for reading. Statements that run in one go (authentication, permissions, the page, its total) share one
 * snapshot of the database and take its lock once. The snapshot ends before the event loop continues, so none stays open
 * while a call waits for something external.
 */
export const createSnapshotConnection = (file: SqliteDatabase, options: ConnectionOptions): SnapshotConnection => {
  const begin = file.prepare('begin')
  const end = file.prepare('commit')
  const readVersion = createDataVersionReader(file)
  let lastVersion: number | undefined
  let isOpen = false
  const release = () => {
    if (!isOpen) return
    isOpen = false
    try {
      end.run()
    } catch (error) {
      // A failed statement may have ended the snapshot already.
      if (file.inTransaction) throw error
    }
  }
  const beforeStatement = () => {
    if (isOpen) return
    begin.run()
    isOpen = true
    process.nextTick(release)
    const version = readVersion()
    if (version !== lastVersion) {
      // A commit of any connection. The cache must read the data version before the snapshot, so that it is never older.
      end.run()
      onBegin()
      lastVersion = version
      begin.run()
    }
  }
  const { handle, onBegin } = createConnection(file, { ...options, beforeStatement })
  return { handle, release }
}
