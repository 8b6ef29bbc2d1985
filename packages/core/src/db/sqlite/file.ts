import { PlatformError } from '../../kernel/errors.ts'
import { getErrorCode } from '../../shared/error-code.ts'
import { toConflictError } from '../conflict.ts'
import { type OpenOptions, readValue, type SqliteDatabase, type SqliteDriverName } from './driver/driver.ts'
import { openWithDriver } from './driver/open.ts'

/** What an acknowledged write survives: a power failure, or only a crash of the process. */
export type Durability = 'power' | 'process'

/** `application_id` of our databases: the four bytes `Frgt`. */
export const applicationId = 0x46726774

const openingTimeoutMs = 5_000

export const isBusy = (error: unknown): boolean => getErrorCode(error).startsWith('SQLITE_BUSY')

/**
 * Repeats a statement that opens a file while other processes open or create it. SQLite does not wait by itself where a change
 * of the journal mode could lead to a deadlock. Blocks the event loop, so it is not for other statements.
 */
export const retryWhileBusy = <T>(work: () => T): T => {
  const end = performance.now() + openingTimeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + Math.random() * 10)
    }
  }
}

/** Runs a statement that fails at once if another connection holds a lock. */
export const withoutWaiting = (file: SqliteDatabase, run: () => void): void => {
  const timeout = readValue(file, 'pragma busy_timeout')
  file.exec('pragma busy_timeout = 0')
  try {
    run()
  } finally {
    file.exec(`pragma busy_timeout = ${Number(timeout)}`)
  }
}

const isDiskFull = (error: unknown) =>
  getErrorCode(error).startsWith('SQLITE_FULL') || getErrorCode(error) === 'SQLITE_IOERR_WRITE'

const uniqueViolations: readonly string[] = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']

/** Converts errors of SQLite that callers can act on to platform errors. */
export const translateError = (error: unknown): unknown => {
  if (isDiskFull(error)) {
    return new PlatformError('unavailable', 'The disk is full: nothing was changed', { cause: error, reason: 'full' })
  }
  if (getErrorCode(error).startsWith('SQLITE_READONLY')) return createReadOnlyError(error)
  return toConflictError(error, uniqueViolations.includes(getErrorCode(error)))
}

export interface DatabaseOptions extends OpenOptions {
  readonly durability?: Durability | undefined
  readonly driver?: SqliteDriverName | undefined
}

/** The libraries do not name the file in their errors. */
const openFile = (source: string | Buffer, options: DatabaseOptions): SqliteDatabase => {
  try {
    return openWithDriver(source, options)
  } catch (error) {
    const isMissingFolder = error instanceof TypeError && /directory/.test(error.message)
    const code = isMissingFolder ? 'SQLITE_CANTOPEN' : getErrorCode(error)
    if (typeof source !== 'string' || !code.startsWith('SQLITE_CANTOPEN')) throw error
    const text = `${source} cannot be opened: check that its folder exists, and its permissions`
    throw Object.assign(new Error(text, { cause: error }), { code })
  }
}

/** Opens a path or the bytes of a database with the settings that we require. */
export const openDatabase = (source: string | Buffer, options: DatabaseOptions = {}): SqliteDatabase => {
  const file = openFile(source, options)
  // One statement for all three, because opening a database in memory takes only as long as a dozen statements.
  file.exec('pragma busy_timeout = 20; pragma trusted_schema = off; pragma cell_size_check = on')
  // In KiB, allocated as needed. The default of node:sqlite is an eighth of it.
  if (file.path !== undefined) retryWhileBusy(() => file.exec('pragma cache_size = -16000'))
  applyRequiredPragmas(file, options.durability)
  return file
}

/** Sets what durability and consistency require, also on a connection of the host. */
export const applyRequiredPragmas = (file: SqliteDatabase, durability: Durability | undefined): void => {
  // A database in memory has nothing to synchronize, and this pragma would make a new copy read its whole schema.
  if (file.path !== undefined) file.exec(`pragma synchronous = ${durability === 'process' ? 'normal' : 'full'}`)
  file.exec('pragma foreign_keys = on')
}

/** Rejects a SQLite file of another program before anything is written to it. */
export const claimDatabaseFile = (file: SqliteDatabase, isReadOnly: boolean): void => {
  const readId = () => readValue(file, 'pragma application_id')
  if (readId() === applicationId) return
  const tables = readValue(file, "select count(*) from sqlite_master where name not like 'sqlite_%'")
  // Again: another process can have claimed the file, which it does before it creates tables.
  const id = readId()
  if (id === applicationId) return
  if (id !== 0 || tables !== 0 || isReadOnly) {
    file.close()
    throw new Error('This SQLite file belongs to another program: choose another data file')
  }
  file.exec(`pragma application_id = ${applicationId}`)
}

/** The whole database as bytes. */
export const serializeDatabase = (file: SqliteDatabase): Buffer => withoutWalMode(file.serialize())

/** Bytes 18 and 19 are the journal mode. A copy in memory has no WAL file and could not be opened in WAL mode. */
export const withoutWalMode = (image: Buffer): Buffer => image.fill(1, 18, 20)

/** The error of writes to a file that this process may not change. */
export const createReadOnlyError = (cause?: unknown): PlatformError =>
  new PlatformError('unavailable', 'The data is read-only: nothing was changed', { reason: 'readonly', cause })
