import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { PlatformError } from '../kernel/errors.ts'
import type { Handle, MaybePromise, Store } from '../kernel/store.ts'
import { type ConnectionLock, getConnectionLock } from './connection-lock.ts'
import { createKeyFile, inMemoryKeyStore } from './key-file.ts'
import { migrate, readSchemaState, runUntilSuccess } from './migrate.ts'
import { assertPlainName } from './naming.ts'
import { createRowCache, trackDataVersion } from './row-cache.ts'
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  createDataVersionReader,
  createSnapshotConnection,
} from './sqlite-connection.ts'
import {
  applyRequiredPragmas,
  claimDatabaseFile,
  type Durability,
  isBusy,
  isOnDisk,
  openDatabase,
  serializeDatabase,
  translateError,
} from './sqlite-file.ts'

/** Options of a SQLite store. All are optional. */
export interface SqliteOptions {
  /**
   * What an acknowledged write survives. `power` (the default): a power failure. `process`: only a crash of the process;
   * writes are several times faster.
   */
  readonly durability?: Durability
  /**
   * The page size of a new database in bytes: a power of two from 512 to 65,536. Smaller pages make copies of small
   * databases faster. Default: 4,096.
   */
  readonly pageSize?: number
  /**
   * A prefix for the names of all tables, indexes and triggers, such as `forge_`, for a database that also contains tables
   * of the host or of other platforms. At most 30 lower-case letters, digits and `_`. Always open a database with the same one.
   */
  readonly prefix?: string
}

export interface SqliteStore extends Store {
  /** The whole database as bytes: `sqlite(bytes)` opens a copy in memory in less than a millisecond. */
  serialize(): Buffer
}

type Work<T> = (handle: Handle) => MaybePromise<T>

const busyTimeoutMs = 5_000

/** Retries outside SQLite, because a long busy timeout inside it would block the event loop. */
const beginWithRetry = (begin: Sqlite.Statement, onRetry: () => void, since?: number): MaybePromise<void> => {
  try {
    begin.run()
  } catch (error) {
    if (!isBusy(error)) throw error
    const now = performance.now()
    const first = since ?? now
    if (now - first > busyTimeoutMs) {
      throw new PlatformError('unavailable', 'The database is busy', { cause: error, retryAfter: 1 })
    }
    onRetry()
    return pause(1 + Math.random() * 4).then(() => beginWithRetry(begin, onRetry, first))
  }
}

interface WriterOptions {
  readonly file: Sqlite.Database
  readonly connection: Connection
  readonly lock: ConnectionLock
  /** Whether the connection belongs to the store and not to the host. */
  readonly isOwned: boolean
  readonly onCommit: () => void
}

/** Runs each piece of work in one transaction, one after another. */
const createWriter = ({ file, connection, lock, isOwned, onCommit }: WriterOptions) => {
  const beginImmediate = file.prepare('begin immediate')
  const commit = file.prepare('commit')
  let busyRetries = 0
  const begin = (): MaybePromise<void> => {
    if (isOwned || !file.inTransaction) return beginWithRetry(beginImmediate, () => void busyRetries++)
    throw new Error('The host has an open transaction on this database: end it first, or work inside platform.atomic')
  }
  const write = async <T>(work: Work<T>): Promise<T> => {
    const turn = lock.acquire()
    if (turn) await turn
    try {
      const begun = begin()
      if (begun) await begun
      try {
        connection.onBegin()
        const result = await work(connection.handle)
        commit.run()
        connection.onEnd(true)
        onCommit()
        return result
      } catch (error) {
        // On a full disk SQLite has already rolled back; a second rollback would hide the reason.
        if (file.inTransaction) file.exec('rollback')
        connection.onEnd(false)
        throw translateError(error)
      }
    } finally {
      lock.release()
    }
  }
  return { write, countBusyRetries: () => busyRetries }
}

/** Reads of a file: a second connection that never sees an open transaction. */
const createFileReader = (path: string, durability: Durability | undefined, options: ConnectionOptions) => {
  const open = () => {
    const file = openDatabase(path, durability)
    // The cache size is in KiB, allocated as needed: counts over large tables read the same pages repeatedly.
    file.exec('pragma query_only = on; pragma cache_size = -65536')
    return { file, ...createSnapshotConnection(file, options) }
  }
  let reader: ReturnType<typeof open> | undefined
  let running = 0
  return {
    async read<T>(work: Work<T>): Promise<T> {
      reader ??= open()
      running++
      try {
        const result = work(reader.handle)
        return result instanceof Promise ? await result : result
      } finally {
        if (--running === 0) reader.release()
      }
    },
    /** Ends the open snapshot, so that later reads see a commit even while an earlier read is running. */
    release: () => reader?.release(),
    close() {
      reader?.release()
      reader?.file.close()
    },
  }
}

/** Reads of a database in memory: the same connection as writes, one after another. */
const createMemoryReader = ({ handle, onBegin }: Connection, lock: ConnectionLock) => ({
  async read<T>(work: Work<T>): Promise<T> {
    const turn = lock.acquire()
    if (turn) await turn
    try {
      onBegin()
      return await work(handle)
    } finally {
      lock.release()
    }
  },
  release: () => undefined,
  close: () => undefined,
})

const openWriterFile = (source: string | Buffer | Sqlite.Database, { durability, pageSize }: SqliteOptions) => {
  if (typeof source === 'string' || Buffer.isBuffer(source)) {
    const file = openDatabase(source, durability)
    if (pageSize !== undefined) file.pragma(`page_size = ${Math.trunc(pageSize)}`)
    return { file, isOwned: true }
  }
  if (typeof source.prepare !== 'function') {
    throw new TypeError('sqlite() takes a path, bytes or a better-sqlite3 database')
  }
  applyRequiredPragmas(source, durability)
  return { file: source, isOwned: false }
}

/**
 * A store over SQLite.
 *
 * A better-sqlite3 database of the host becomes the connection for writes; the host closes it. Of its settings, `foreign_keys`,
 * `synchronous` and, for a file, `journal_mode` are changed. Reads of a file use a second connection of the store and see
 * committed data. While the host has a transaction open on its connection, writes are rejected: run statements of the host that
 * belong to calls of the platform inside `platform.atomic`. Instances of Kysely, Drizzle or Knex are not accepted, because they
 * do not report column types: pass the database they were created with.
 *
 * @param source a path (`:memory:` for a database in memory), the bytes of another store's `serialize()`, or a better-sqlite3
 * database of the host. Without a `prefix`, it must be empty or created by this package
 * @throws Error for a file of another program; TypeError for an invalid prefix
 */
export function sqlite(source: string | Buffer | Sqlite.Database, options: SqliteOptions = {}): SqliteStore {
  const prefix = options.prefix === undefined ? '' : assertPlainName('prefix', options.prefix)
  const { file, isOwned } = openWriterFile(source, options)
  if (!prefix) claimDatabaseFile(file)
  const hasFile = isOnDisk(file)
  if (hasFile) file.pragma('journal_mode = wal')
  const connectionOptions: ConnectionOptions = {
    prefix,
    // Changes with commits of every other connection; our own second connection never writes.
    getDataVersion: trackDataVersion(hasFile ? createDataVersionReader(file) : () => 0),
    // Writes of the host on its own connection cannot be detected, so nothing is cached then.
    cache: isOwned ? createRowCache(prefix) : undefined,
  }
  const connection = createConnection(file, connectionOptions)
  const lock = getConnectionLock(file)
  const reader = hasFile
    ? createFileReader(file.name, options.durability, connectionOptions)
    : createMemoryReader(connection, lock)
  const { write, countBusyRetries } = createWriter({ file, connection, lock, isOwned, onCommit: reader.release })
  return {
    dialect: 'sqlite',
    ...(hasFile && { filePath: resolve(file.name) }),
    keyStore: hasFile ? createKeyFile(`${file.name}.key`) : inMemoryKeyStore,
    read: reader.read,
    write,
    readState: async () => ({ ...(await reader.read(readSchemaState)), busyRetries: countBusyRetries() }),
    migrate: runUntilSuccess(() => migrate(write)),
    serialize: () => serializeDatabase(file),
    close() {
      reader.close()
      if (isOwned && file.open) file.close()
    },
  }
}
