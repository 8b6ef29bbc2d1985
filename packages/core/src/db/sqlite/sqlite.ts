import { resolve } from 'node:path'
import { assertOptions, optionNames } from '../../kernel/assert-arguments.ts'
import type { Store } from '../../kernel/store.ts'
import { defined } from '../../shared/defined.ts'
import { type Mutex, runLocked } from '../mutex.ts'
import { assertPlainName } from '../naming.ts'
import { createRowCache } from '../row-cache.ts'
import { assertSchemaCurrent, migrate, readSchemaState, runUntilSuccess } from '../schema/migrate.ts'
import { renderSql } from '../schema/render.ts'
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  createDataVersionReader,
  createSnapshotConnection,
} from './connection.ts'
import { getConnectionLock } from './connection-lock.ts'
import { createFileGuard, type OpenedFile, openDataFile } from './data-file.ts'
import type { SqliteDatabase, SqliteDriverName } from './driver/driver.ts'
import { type BetterSqlite3Database, type NodeSqliteDatabase, wrapHostDatabase } from './driver/host-connection.ts'
import {
  applyRequiredPragmas,
  claimDatabaseFile,
  createReadOnlyError,
  type Durability,
  openDatabase,
  retryWhileBusy,
  serializeDatabase,
} from './file.ts'
import { createKeyFile, inMemoryKeyStore } from './key-file.ts'
import { createFileLongReads, createMemoryLongReads } from './long-reads.ts'
import { createWriter, type Work } from './writer.ts'

/** Options of a SQLite store. All are optional. */
export interface SqliteOptions {
  /**
   * The library that contains SQLite. `better-sqlite3`: a package with native code. `node:sqlite`: a part of Node.js 24.16 and
   * newer. Default: better-sqlite3 where it is installed, else `node:sqlite`. Ignored for a database of the host.
   */
  readonly driver?: SqliteDriverName
  /**
   * What an acknowledged write survives. `power` (the default): a power failure. `process`: only a crash of the process;
   * writes are several times faster.
   */
  readonly durability?: Durability
  /**
   * Commits the writes that arrive in one turn of the event loop together, which makes concurrent writes several times as fast. A
   * write then takes until the end of the turn, and keeps the write lock of the file until then: other connections of the same
   * process must not wait for it synchronously. Ignored for data in memory and for a database of the host. Default: false; the
   * `forgelet serve` command uses it.
   */
  readonly groupCommit?: boolean
  /**
   * The page size of a new database in bytes: a power of two from 512 to 65,536. Smaller pages make copies of small
   * databases faster. Default: 4,096.
   */
  readonly pageSize?: number
  /**
   * Lets `revert` return to earlier data, which takes a fraction of the time of opening a copy. Only for the bytes of a database:
   * ignored for a path and for a database of the host. Default: false.
   */
  readonly revertible?: boolean
  /**
   * A prefix for the names of all tables, indexes and triggers, such as `forge_`, for a database that also contains tables
   * of the host or of other platforms. At most 30 lower-case letters, digits and `_`. Always open a database with the same one.
   */
  readonly prefix?: string
}

const sqliteOptions = optionNames<SqliteOptions>({
  durability: true,
  groupCommit: true,
  pageSize: true,
  revertible: true,
  prefix: true,
  driver: true,
})

export interface SqliteStore extends Store {
  /** The whole database as bytes: `sqlite(bytes)` opens a copy in memory in less than a millisecond. */
  serialize(): Buffer
  /**
   * Undoes all writes since the store was opened from these bytes, or since `serialize` returned them. Resolves to false, and
   * changes nothing, for other bytes and for a store that is not `revertible`.
   */
  revert(image: Buffer): Promise<boolean>
}

/** Reads of a file: a second connection that never sees an open transaction. */
const createFileReader = (openFile: () => SqliteDatabase, options: ConnectionOptions) => {
  const longReads = createFileLongReads(() => openReadOnly())
  const openReadOnly = () => {
    const file = openFile()
    file.exec('pragma query_only = on')
    return file
  }
  const open = () => {
    const file = openReadOnly()
    // The cache size is in KiB, allocated as needed: counts over large tables read the same pages repeatedly.
    file.exec('pragma cache_size = -65536')
    return { file, ...createSnapshotConnection(file, { ...options, longReads }) }
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
    finish: longReads.finish,
    close() {
      reader?.release()
      if (reader?.file.isOpen) reader.file.close()
      longReads.close()
    },
  }
}

/** Reads of a database in memory: the same connection as writes, one after another. */
const createMemoryReader = (
  { handle, onBegin }: Connection,
  lock: Mutex,
  longReads: ReturnType<typeof createMemoryLongReads>,
) => ({
  read: <T>(work: Work<T>): Promise<T> =>
    runLocked(lock, () => {
      onBegin()
      return longReads.run(() => work(handle))
    }),
  release: () => undefined,
  finish: longReads.finish,
  close: longReads.finish,
})

/** A path, the bytes of a database, or an open database of the host. */
type SqliteSource = string | Buffer | BetterSqlite3Database | NodeSqliteDatabase

interface Source extends OpenedFile {
  /** Whether the connection belongs to the store and not to the host. */
  readonly isOwned: boolean
  /** The absolute path of the data file; undefined for data in memory. */
  readonly path: string | undefined
}

const openSource = (source: SqliteSource, options: SqliteOptions): Source => {
  if (typeof source !== 'string' && !Buffer.isBuffer(source)) {
    const file = wrapHostDatabase(source)
    applyRequiredPragmas(file, options.durability)
    return { file, isReadOnly: file.isReadOnly, isOwned: false, path: file.path }
  }
  // An empty path is a temporary database of SQLite.
  const path = typeof source === 'string' && source !== ':memory:' && source !== '' ? resolve(source) : undefined
  const opened =
    path === undefined ? { file: openDatabase(source, options), isReadOnly: false } : openDataFile(path, options)
  const { pageSize } = options
  if (pageSize !== undefined && !opened.isReadOnly) opened.file.exec(`pragma page_size = ${Math.trunc(pageSize)}`)
  return { ...opened, isOwned: true, path }
}

/**
 * A store over SQLite.
 *
 * A database of the host, of better-sqlite3 or `node:sqlite`, becomes the connection for writes; the host closes it. Of its settings, `foreign_keys`,
 * `synchronous` and, for a file, `journal_mode` are changed. Reads of a file use a second connection of the store and see
 * committed data. While the host has a transaction open on its connection, writes are rejected: run statements of the host that
 * belong to calls of the platform inside `platform.atomic`. Instances of Kysely, Drizzle or Knex are not accepted, because they
 * do not report column types: pass the database they were created with.
 *
 * @param source a path (`:memory:` for a database in memory), the bytes of another store's `serialize()`, or a database
 * of the host. Without a `prefix`, it must be empty or created by this package
 * A file that the process may not write to is opened read-only: writes are rejected, and no jobs run. Where SQLite cannot
 * create files beside it, it is copied to memory.
 *
 * @throws Error for a file of another program, for a missing or empty file beside repositories, and for a read-only file that
 * has to be migrated; TypeError for an invalid prefix
 * @example
 * ```ts
 * import { createPlatform, sqlite } from '@forgelet/core'
 *
 * const store = sqlite(':memory:', { prefix: 'forge_' })
 * const platform = createPlatform(store)
 * await platform.ready()
 * const copy = createPlatform(sqlite(store.serialize(), { prefix: 'forge_' }))
 * console.log((await copy.as({ system: 'setup' }).users.list()).total) // → 0
 * await copy.close()
 * await platform.close()
 * ```
 */
export function sqlite(source: SqliteSource, options: SqliteOptions = {}): SqliteStore {
  assertOptions('sqlite', options, sqliteOptions)
  const prefix = options.prefix === undefined ? '' : assertPlainName('prefix', options.prefix)
  const { file, isReadOnly, isOwned, path } = openSource(source, options)
  const guard = path === undefined ? undefined : createFileGuard(path)
  // A read-only file can be a copy in memory.
  const filePath = file.path
  const hasFile = filePath !== undefined
  retryWhileBusy(() => {
    if (!prefix) claimDatabaseFile(file, isReadOnly)
    if (hasFile && !isReadOnly) file.exec('pragma journal_mode = wal')
  })
  // A command in a savepoint would otherwise write each page to a temporary file before it changes it.
  if (hasFile && isOwned) file.exec('pragma temp_store = memory')
  const isRevertible = options.revertible === true && Buffer.isBuffer(source)
  let origin = isRevertible ? source : undefined
  let reverts = 0
  const connectionOptions: ConnectionOptions = {
    prefix,
    // Changes with commits of every other connection; our own second connection never writes.
    getDataVersion: hasFile ? createDataVersionReader(file) : () => reverts,
    // Writes of the host on its own connection cannot be detected, so nothing is cached then.
    cache: isOwned ? createRowCache(prefix) : undefined,
  }
  const memoryReads = createMemoryLongReads(file)
  // The host can use its own connection between the rows of a long result.
  const connection = createConnection(file, { ...connectionOptions, longReads: isOwned ? memoryReads : undefined })
  const lock = getConnectionLock(file)
  const openReader = () => {
    // Opening would create a new file, or read another one.
    const error = guard?.check()
    if (error) throw error
    return openDatabase(defined(filePath), { durability: options.durability, readOnly: isReadOnly, mustExist: true })
  }
  const reader = hasFile
    ? createFileReader(openReader, connectionOptions)
    : createMemoryReader(connection, lock, memoryReads)
  const { write, writeAlone, flush, keep, undo, countBusyRetries } = createWriter({
    file,
    connection,
    lock,
    isOwned,
    groups: options.groupCommit === true && hasFile && isOwned,
    isRevertible,
    guard,
    onCommit: reader.release,
  })
  const getWriteError = () => guard?.check() ?? (isReadOnly ? createReadOnlyError() : undefined)
  const rejectWrite = () => Promise.reject(getWriteError())
  return {
    dialect: 'sqlite',
    isHostConnection: !isOwned,
    ...(path !== undefined && { filePath: path }),
    keyStore: path === undefined ? inMemoryKeyStore : createKeyFile(`${path}.key`),
    read: reader.read,
    write: isReadOnly ? rejectWrite : write,
    writeAlone: isReadOnly ? rejectWrite : writeAlone,
    getWriteError,
    readState: async () => ({ ...(await reader.read(readSchemaState)), busyRetries: countBusyRetries() }),
    migrate: runUntilSuccess(() =>
      isReadOnly
        ? reader.read(assertSchemaCurrent)
        : migrate(writeAlone, async (statements) => file.exec(renderSql('sqlite', { prefix }, statements))),
    ),
    serialize() {
      reader.finish()
      keep()
      const image = serializeDatabase(file)
      if (isRevertible) origin = image
      return image
    },
    revert: (image) =>
      runLocked(lock, () => {
        if (image !== origin) return false
        undo()
        reverts += 1
        return true
      }),
    close() {
      reader.close()
      if (file.isOpen) flush()
      if (isOwned && file.isOpen) file.close()
    },
  }
}
