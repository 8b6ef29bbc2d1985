import type Sqlite from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import type { Handle, RememberedQuery, Row } from '../kernel/store.ts'
import { kyselyOver } from './kysely.ts'
import type { RememberedRows } from './remembered-rows.ts'
import { type Decoder, rowReader } from './row-reader.ts'

const statementLimit = 1_000

const decoders: Readonly<Record<string, Decoder>> = {
  boolean: (value) => (value === null ? null : value === 1),
  json: (value) => (value === null ? null : JSON.parse(value as string)),
}

const encode = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value ?? null
  return JSON.stringify(value)
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'string' || value === null

/** Parameters as SQLite takes them; most are so already. */
const encoded = (parameters: readonly unknown[]): readonly unknown[] =>
  parameters.every(isPlain) ? parameters : parameters.map(encode)

interface Statement {
  readonly returns: boolean
  readonly writes: boolean
  all(parameters: readonly unknown[]): readonly Row[]
  run(parameters: readonly unknown[]): Sqlite.RunResult
}

const statementOf = (prepared: Sqlite.Statement<unknown[]>): Statement => {
  const writes = !prepared.readonly
  if (!prepared.reader) {
    return { returns: false, writes, all: () => [], run: (parameters) => prepared.run(encoded(parameters)) }
  }
  const columns = prepared.columns().map(({ name, type }) => ({ name, decode: decoders[type?.toLowerCase() ?? ''] }))
  const read = rowReader(columns)
  const raw = prepared.raw(true)
  return {
    returns: true,
    writes,
    // `all`, never `get`: a statement that writes and is not read to its end keeps the WAL from ever being checkpointed.
    all: (parameters) => (raw.all(encoded(parameters)) as unknown[][]).map((row) => read(row)),
    run: (parameters) => raw.run(encoded(parameters)),
  }
}

/** One connection, and what it is to be told of. */
export interface Connection {
  readonly handle: Handle
  /** A snapshot or a transaction begins. */
  start(): void
  /** A transaction has ended. */
  settle(isCommitted: boolean): void
}

/** What stands for the time since another process has last written; asked anew with each call. */
export const epochs = (version: () => number): (() => object) => {
  let seen = version()
  let epoch = {}
  return () => {
    const now = version()
    if (now !== seen) {
      seen = now
      epoch = {}
    }
    return epoch
  }
}

/**
 * One connection: a prepared statement and a row reader for each SQL text, the oldest of very many dropped. `before`
 * runs ahead of each statement.
 */
export const connect = (
  file: Sqlite.Database,
  prefix: string,
  ask: () => object,
  memory: RememberedRows | undefined,
  before: () => void = () => undefined,
): Connection => {
  const statements = new Map<string, Statement & { readonly touches: boolean }>()
  /** The open transaction has changed what is remembered: until its end only the database knows. */
  let isTouched = false
  let epoch = ask()
  let since = 0
  const statement = (sql: string) => {
    let found = statements.get(sql)
    if (!found) {
      const made = statementOf(file.prepare(sql))
      found = { ...made, touches: made.writes && memory?.isTouchedBy(sql) === true }
      if (statements.size >= statementLimit) statements.delete(statements.keys().next().value as string)
      statements.set(sql, found)
    }
    before()
    if (found.touches) isTouched = true
    return found
  }
  const execute = ({ sql, parameters }: CompiledQuery) => {
    const found = statement(sql)
    if (found.returns) return { rows: found.all(parameters) as unknown[] }
    const { changes, lastInsertRowid } = found.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
  const read = (query: RememberedQuery, values: Row) => statement(query.sql).all(query.parametersOf(values))
  const handle: Handle = {
    dialect: 'sqlite',
    wording: `sqlite ${prefix}`,
    db: kyselyOver('sqlite', execute, { prefix }),
    run(sql, parameters) {
      const found = statement(sql)
      if (found.returns) return found.all(parameters)
      found.run(parameters)
      return []
    },
    insert(sql, parameters) {
      const { changes, lastInsertRowid } = statement(sql).run(parameters)
      return changes ? Number(lastInsertRowid) : undefined
    },
    epoch() {
      before()
      return epoch
    },
    ...(memory && {
      remembered(query, values) {
        before()
        if (isTouched) return read(query, values)
        const key = query.keyOf(values)
        return memory.known(query, key) ?? memory.keep(query, key, since, read(query, values))
      },
    }),
  }
  return {
    handle,
    start() {
      epoch = ask()
      if (memory) since = memory.renew(epoch)
    },
    settle(isCommitted) {
      if (isTouched && isCommitted) memory?.forget()
      isTouched = false
    },
  }
}

/** A number that differs when another connection has committed since it was last asked; part of the snapshot, if one is open. */
export const dataVersion = (file: Sqlite.Database): (() => number) => {
  const statement = file.prepare('pragma data_version').pluck()
  return () => statement.get() as number
}

export interface Snapshots {
  readonly handle: Handle
  /** Ends the snapshot that is open, if one is. */
  release(): void
}

/**
 * A connection for reading. What is read in one go – who asks, what they may, the page, the total – is read from one state
 * of the database, and takes the lock for it once instead of with each statement. Nothing keeps a snapshot while it waits
 * for the world outside: it ends before the event loop goes on.
 */
export const snapshots = (
  file: Sqlite.Database,
  prefix: string,
  ask: () => object,
  memory: RememberedRows | undefined,
): Snapshots => {
  const begin = file.prepare('begin')
  const end = file.prepare('commit')
  const version = dataVersion(file)
  let seen: number | undefined
  let isOpen = false
  const release = () => {
    if (!isOpen) return
    isOpen = false
    try {
      end.run()
    } catch (error) {
      // What a statement failed of may have ended it.
      if (file.inTransaction) throw error
    }
  }
  const { handle, start } = connect(file, prefix, ask, memory, () => {
    if (isOpen) return
    begin.run()
    isOpen = true
    process.nextTick(release)
    const now = version()
    if (now !== seen) {
      // Somebody has committed. Whether that was another process is asked before the snapshot, so that it is never older.
      end.run()
      start()
      seen = now
      begin.run()
    }
  })
  return { handle, release }
}
