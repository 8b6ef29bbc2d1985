import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { PlatformError } from '../kernel/errors.ts'
import type { Handle, Row, Store } from '../kernel/store.ts'
import { conflictFrom } from './conflict.ts'
import { kyselyOver } from './kysely.ts'
import { migrate } from './migrate.ts'
import { requireNode } from './node-version.ts'
import { type Decoder, rowReader } from './row-reader.ts'

export interface SqliteOptions {
  /**
   * What an acknowledged write survives. `power` (the default): a power cut. `process`: a crash of the process only, several
   * times faster.
   */
  readonly durability?: 'power' | 'process'
}

export interface SqliteStore extends Store {
  /** The whole database as bytes: `sqlite(bytes)` opens a copy in memory in a fraction of a millisecond. */
  serialize(): Buffer
}

/** Marks a file as ours: the four bytes `Frgt`. */
const applicationId = 0x46726774

const statementLimit = 1_000
const busyPatience = 5_000

const decoders: Readonly<Record<string, Decoder>> = {
  boolean: (value) => (value === null ? null : value === 1),
  json: (value) => (value === null ? null : JSON.parse(value as string)),
}

const encode = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value ?? null
  return JSON.stringify(value)
}

interface Statement {
  readonly returns: boolean
  all(parameters: readonly unknown[]): readonly Row[]
  run(parameters: readonly unknown[]): Sqlite.RunResult
}

const statementOf = (prepared: Sqlite.Statement<unknown[]>): Statement => {
  if (!prepared.reader) {
    return { returns: false, all: () => [], run: (parameters) => prepared.run(parameters.map(encode)) }
  }
  const columns = prepared.columns().map(({ name, type }) => ({ name, decode: decoders[type?.toLowerCase() ?? ''] }))
  const read = rowReader(columns)
  const raw = prepared.raw(true)
  return {
    returns: true,
    // `all`, never `get`: a statement that writes and is not read to its end keeps the WAL from ever being checkpointed.
    all: (parameters) => (raw.all(parameters.map(encode)) as unknown[][]).map(read),
    run: (parameters) => raw.run(parameters.map(encode)),
  }
}

/** One connection: a prepared statement and a row reader for each SQL text, the least recently used ones dropped. */
const connect = (file: Sqlite.Database): Handle => {
  const statements = new Map<string, Statement>()
  const statement = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known) return known
    const made = statementOf(file.prepare(sql))
    if (statements.size >= statementLimit) statements.delete(statements.keys().next().value as string)
    statements.set(sql, made)
    return made
  }
  const execute = ({ sql, parameters }: CompiledQuery) => {
    const found = statement(sql)
    if (found.returns) return { rows: found.all(parameters) as unknown[] }
    const { changes, lastInsertRowid } = found.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
  return {
    dialect: 'sqlite',
    db: kyselyOver('sqlite', execute),
    run(sql, parameters) {
      const found = statement(sql)
      if (found.returns) return found.all(parameters)
      found.run(parameters)
      return []
    },
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '')
const isBusy = (error: unknown) => codeOf(error).startsWith('SQLITE_BUSY')
const isFull = (error: unknown) => codeOf(error).startsWith('SQLITE_FULL') || codeOf(error) === 'SQLITE_IOERR_WRITE'

const translated = (error: unknown): unknown => {
  if (isFull(error)) {
    return new PlatformError('unavailable', 'The disk is full: nothing was changed', { cause: error, reason: 'full' })
  }
  return conflictFrom(
    error,
    codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' || codeOf(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY',
  )
}

/** Waits outside SQLite: a long busy timeout inside it would stop the event loop for everybody. */
const begin = async (attempt: Sqlite.Statement) => {
  const start = performance.now()
  for (;;) {
    try {
      attempt.run()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() - start > busyPatience) {
        throw new PlatformError('unavailable', 'The database is busy', { cause: error, retryAfter: 1 })
      }
      await pause(1 + Math.random() * 4)
    }
  }
}

const open = (path: string, durability: SqliteOptions['durability']): Sqlite.Database => {
  requireNode()
  // Loaded here, after the version check: on an older Node the native module ends the process instead of throwing.
  const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
  const file = new Database(path)
  configure(file, durability)
  return file
}

const configure = (file: Sqlite.Database, durability: SqliteOptions['durability']) => {
  file.pragma('busy_timeout = 20')
  // In memory there is nothing to synchronise, and this alone would make a fresh copy read its whole schema.
  if (!file.memory) file.pragma(`synchronous = ${durability === 'process' ? 'normal' : 'full'}`)
  file.pragma('foreign_keys = on')
  file.pragma('trusted_schema = off')
  file.pragma('cell_size_check = on')
}

/** Refuses a SQLite file that belongs to another program, before anything is written to it. */
const claim = (file: Sqlite.Database) => {
  const id = file.pragma('application_id', { simple: true })
  if (id === applicationId) return
  const tables = file.prepare("select count(*) from sqlite_master where name not like 'sqlite_%'").pluck().get()
  if (id !== 0 || tables !== 0) {
    file.close()
    throw new Error('This SQLite file belongs to another program: choose another data file')
  }
  file.pragma(`application_id = ${applicationId}`)
}

/**
 * A store over SQLite.
 *
 * @param source a path (`:memory:` for none), the bytes of another store's `serialize()`, or a better-sqlite3 database of the host
 */
export function sqlite(source: string | Buffer | Sqlite.Database, options: SqliteOptions = {}): SqliteStore {
  const owned = typeof source === 'string' || Buffer.isBuffer(source)
  const writer = owned ? open(source as string, options.durability) : source
  if (!owned) configure(writer, options.durability)
  claim(writer)
  const onDisk = !writer.memory && writer.name !== ''
  if (onDisk) writer.pragma('journal_mode = wal')
  const write = connect(writer)
  const start = writer.prepare('begin immediate')
  const commit = writer.prepare('commit')

  // A file has a second connection, so that reads never see an open command; in memory they take turns with it.
  let reader: { readonly file: Sqlite.Database; readonly handle: Handle } | undefined
  const openReader = () => {
    const file = open(writer.name, options.durability)
    file.pragma('query_only = on')
    // KiB, taken as needed: counts over large tables come back to the same pages again and again.
    file.pragma('cache_size = -65536')
    return { file, handle: connect(file) }
  }

  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  const transaction = async <T>(work: (handle: Handle) => Promise<T>): Promise<T> => {
    await begin(start)
    try {
      const result = await work(write)
      commit.run()
      return result
    } catch (error) {
      // On a full disk SQLite has rolled back already; a second rollback would hide the reason.
      if (writer.inTransaction) writer.exec('rollback')
      throw translated(error)
    }
  }

  let migrated: Promise<void> | undefined
  return {
    dialect: 'sqlite',
    read: async (work) => {
      if (!onDisk) return inTurn(() => work(write))
      reader ??= openReader()
      return work(reader.handle)
    },
    write: (work) => inTurn(() => transaction(work)),
    migrate: () => {
      migrated ??= inTurn(() => migrate(transaction))
      return migrated
    },
    serialize() {
      const image = writer.serialize()
      // Bytes 18 and 19 say how the file is journaled. A database in memory has no log beside it and could not be opened.
      image.fill(1, 18, 20)
      return image
    },
    close: () => {
      reader?.file.close()
      if (owned && writer.open) writer.close()
    },
  }
}
