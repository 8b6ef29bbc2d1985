import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { PlatformError } from '../kernel/errors.ts'
import type { Handle, Soon, Store } from '../kernel/store.ts'
import { conflictFrom } from './conflict.ts'
import { keyFile, keyInMemory } from './key-file.ts'
import { migrate, schemaState } from './migrate.ts'
import { plainName } from './naming.ts'
import { requireNode } from './node-version.ts'
import { rememberedRows } from './remembered-rows.ts'
import { connect, dataVersion, epochs, type Snapshots, snapshots } from './sqlite-connection.ts'

/** How a SQLite database is opened; all of it may be left out. */
export interface SqliteOptions {
  /**
   * What an acknowledged write survives. `power` (the default): a power cut. `process`: a crash of the process only, several
   * times faster.
   */
  readonly durability?: 'power' | 'process'
  /**
   * Bytes of a page of a database that is made here: a power of two from 512 to 65,536. Small pages make the bytes of a small
   * world few, and so its copies quick. Default: SQLite's own, 4,096.
   */
  readonly pageSize?: number
  /**
   * What the name of each table, index and trigger begins with: `forge_`. For a database that holds tables of the host, too,
   * or those of several platforms. Up to 30 small letters, digits and `_`. Always open it with the same one.
   */
  readonly prefix?: string
}

export interface SqliteStore extends Store {
  /** The whole database as bytes: `sqlite(bytes)` opens a copy in memory in a fraction of a millisecond. */
  serialize(): Buffer
}

/** Marks a file as ours: the four bytes `Frgt`. */
export const applicationId = 0x46726774

const busyPatience = 5_000

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
const begin = (attempt: Sqlite.Statement, onRetry: () => void, since?: number): Soon<void> => {
  try {
    attempt.run()
  } catch (error) {
    if (!isBusy(error)) throw error
    const now = performance.now()
    const first = since ?? now
    if (now - first > busyPatience) {
      throw new PlatformError('unavailable', 'The database is busy', { cause: error, retryAfter: 1 })
    }
    onRetry()
    return pause(1 + Math.random() * 4).then(() => begin(attempt, onRetry, first))
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

/** What our promises need of a connection, whoever has opened it. */
const keepPromises = (file: Sqlite.Database, durability: SqliteOptions['durability']) => {
  // In memory there is nothing to synchronise, and this alone would make a fresh copy read its whole schema.
  if (!file.memory) file.exec(`pragma synchronous = ${durability === 'process' ? 'normal' : 'full'}`)
  file.exec('pragma foreign_keys = on')
}

const configure = (file: Sqlite.Database, durability: SqliteOptions['durability']) => {
  // At once: a fresh world in memory is opened in the time that a dozen statements take.
  file.exec('pragma busy_timeout = 20; pragma trusted_schema = off; pragma cell_size_check = on')
  keepPromises(file, durability)
}

/** Whether something runs on a connection, and who waits for its end. */
interface Turns {
  isTaken: boolean
  readonly waiting: (() => void)[]
}

/** Platforms that share a connection, under prefixes of their own, take turns as well. */
const turnsOf = new WeakMap<Sqlite.Database, Turns>()

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
 * A better-sqlite3 database of the host becomes the connection that writes, and the host closes it. Of its settings
 * `foreign_keys`, `synchronous` and, for a file, `journal_mode` are set as they must be; the others stay the host's. Reads of a
 * file go over a second connection of the store's own and see what is committed. While a transaction of the host is open on the
 * connection, writes are refused: statements of the host that belong to calls of the platform run inside `platform.atomic`.
 * A Kysely, Drizzle or Knex does not tell the types of what it reads: hand over the database that it was made from.
 *
 * @param source a path (`:memory:` for none), the bytes of another store's `serialize()`, or a better-sqlite3 database of the
 * host. Unless there is a `prefix`, it must be empty or made by this package
 * @throws Error for the file of another program; TypeError for a prefix that is none
 */
export function sqlite(source: string | Buffer | Sqlite.Database, options: SqliteOptions = {}): SqliteStore {
  const prefix = options.prefix === undefined ? '' : plainName('prefix', options.prefix)
  const owned = typeof source === 'string' || Buffer.isBuffer(source)
  const writer = owned ? open(source as string, options.durability) : source
  if (owned && options.pageSize !== undefined) writer.pragma(`page_size = ${Math.trunc(options.pageSize)}`)
  if (!owned) {
    if (typeof writer.prepare !== 'function')
      throw new TypeError('sqlite() takes a path, bytes or a better-sqlite3 database')
    keepPromises(writer, options.durability)
  }
  // Under names of our own the file may be anybody's.
  if (!prefix) claim(writer)
  const onDisk = !writer.memory && writer.name !== ''
  if (onDisk) writer.pragma('journal_mode = wal')
  // Changes with the commits of every other connection; the only one of our own never writes.
  const ask = epochs(onDisk ? dataVersion(writer) : () => 0)
  // A host that writes on its own connection is seen by nobody: nothing is remembered beside it.
  const memory = owned ? rememberedRows(prefix) : undefined
  const { handle: write, start, settle } = connect(writer, prefix, ask, memory)
  const beginImmediate = writer.prepare('begin immediate')
  const commit = writer.prepare('commit')

  // A file has a second connection, so that reads never see an open command; in memory they take turns with it.
  let reader: (Snapshots & { readonly file: Sqlite.Database }) | undefined
  let reading = 0
  const openReader = () => {
    const file = open(writer.name, options.durability)
    file.pragma('query_only = on')
    // KiB, taken as needed: counts over large tables come back to the same pages again and again.
    file.pragma('cache_size = -65536')
    return { file, ...snapshots(file, prefix, ask, memory) }
  }
  const readApart = async <T>(work: (handle: Handle) => Soon<T>): Promise<T> => {
    reader ??= openReader()
    reading++
    try {
      const result = work(reader.handle)
      return result instanceof Promise ? await result : result
    } finally {
      if (--reading === 0) reader.release()
    }
  }

  const turns = turnsOf.get(writer) ?? { isTaken: false, waiting: [] }
  turnsOf.set(writer, turns)
  /** Waits until nothing else runs on the connection; nothing to wait for where that is so already. */
  const takeTurn = (): Soon<void> => {
    if (turns.isTaken) return new Promise((resolve) => turns.waiting.push(resolve))
    turns.isTaken = true
  }
  const passTurn = () => {
    // Whoever waits takes over at once, so that nobody can come in between.
    const next = turns.waiting.shift()
    if (next) next()
    else turns.isTaken = false
  }

  let busyRetries = 0
  const countRetry = () => {
    busyRetries += 1
  }
  const beginTransaction = (): Soon<void> => {
    if (owned || !writer.inTransaction) return begin(beginImmediate, countRetry)
    throw new Error('A transaction of your own is open on this database: end it first, or work inside platform.atomic')
  }

  const transaction = async <T>(work: (handle: Handle) => Soon<T>): Promise<T> => {
    const turn = takeTurn()
    if (turn) await turn
    try {
      const begun = beginTransaction()
      if (begun) await begun
      try {
        start()
        const result = await work(write)
        commit.run()
        settle(true)
        // Whoever reads from here on sees it, even beside a read that began before.
        reader?.release()
        return result
      } catch (error) {
        // On a full disk SQLite has rolled back already; a second rollback would hide the reason.
        if (writer.inTransaction) writer.exec('rollback')
        settle(false)
        throw translated(error)
      }
    } finally {
      passTurn()
    }
  }

  const readInTurn = async <T>(work: (handle: Handle) => Soon<T>): Promise<T> => {
    const turn = takeTurn()
    if (turn) await turn
    try {
      start()
      return await work(write)
    } finally {
      passTurn()
    }
  }

  const read = onDisk ? readApart : readInTurn

  let migrated: Promise<void> | undefined
  return {
    dialect: 'sqlite',
    ...(onDisk && { file: resolve(writer.name) }),
    kept: onDisk ? keyFile(`${writer.name}.key`) : keyInMemory,
    read,
    state: async () => ({ ...(await read(schemaState)), busyRetries }),
    write: transaction,
    migrate: () => {
      migrated ??= migrate(transaction)
      return migrated
    },
    serialize() {
      const image = writer.serialize()
      // Bytes 18 and 19 say how the file is journaled. A database in memory has no log beside it and could not be opened.
      image.fill(1, 18, 20)
      return image
    },
    close: () => {
      reader?.release()
      reader?.file.close()
      if (owned && writer.open) writer.close()
    },
  }
}
