import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PlatformError } from '../../kernel/errors.ts'
import { repositoriesFolderOf } from '../../shared/data-paths.ts'
import { getErrorCode } from '../../shared/error-code.ts'
import { readValue, type SqliteDatabase } from './driver/driver.ts'
import { type DatabaseOptions, openDatabase, withoutWalMode } from './file.ts'

const createReplacedError = () =>
  new PlatformError(
    'unavailable',
    'The data file was deleted or replaced: changes are rejected until the server restarts',
    {
      reason: 'replaced',
    },
  )

/** Identifies a file by its device and inode; undefined if there is none. A replaced file has another identity. */
export const readFileIdentity = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/** Detects that the file of a path is no longer the one that was opened. SQLite continues to write to the opened one. */
export interface FileGuard {
  /** The error of writes if the file was deleted or replaced. A check less than `maxAge` milliseconds ago is sufficient. */
  check(maxAge?: number): PlatformError | undefined
}

/** Must be called immediately after the file was opened. */
export const createFileGuard = (path: string): FileGuard => {
  const opened = readFileIdentity(path)
  let checkedAt = performance.now()
  return {
    check(maxAge = 0) {
      const now = performance.now()
      if (now - checkedAt < maxAge) return undefined
      if (readFileIdentity(path) !== opened) return createReplacedError()
      // Only successful checks are reused, so that an error lasts no longer than its cause.
      checkedAt = now
      return undefined
    },
  }
}

const hasEntries = (folder: string) => existsSync(folder) && readdirSync(folder).length > 0

/** Rejects a new database where the repositories of a lost one exist: it would look like the loss of all other data. */
const assertDataNotLost = (path: string): void => {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  const folder = repositoriesFolderOf(path)
  if (size || !hasEntries(folder)) return
  throw new Error(
    `The data file ${size === undefined ? 'does not exist' : 'is empty'}, but ${folder} contains repositories: restore the data file from a backup, or move that folder away to start without data`,
  )
}

const canAccess = (path: string, mode: number) => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** Whether this process may only read an existing file: SQLite writes to the file and creates others beside it. */
export const isReadOnlyFile = (path: string): boolean =>
  existsSync(path) && !(canAccess(path, constants.W_OK) && canAccess(dirname(path), constants.W_OK))

/** Errors of reading a database in WAL mode where SQLite can neither find nor create the index of the log. */
const missingIndexCodes: ReadonlySet<string> = new Set([
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY_DIRECTORY',
  'SQLITE_READONLY_CANTINIT',
])

/** Opens a file for reading; as a copy in memory where SQLite cannot create its index beside the file. */
export const openReadOnly = (path: string, options: DatabaseOptions = {}): SqliteDatabase => {
  let file: SqliteDatabase | undefined
  try {
    file = openDatabase(path, { ...options, readOnly: true, mustExist: true })
    readValue(file, 'select 1 from sqlite_master')
    return file
  } catch (error) {
    file?.close()
    if (!missingIndexCodes.has(getErrorCode(error))) throw error
  }
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) {
    throw new Error(
      `The write-ahead log ${path}-wal cannot be read here: open the data once where its folder is writable`,
    )
  }
  return openDatabase(withoutWalMode(readFileSync(path)), options)
}

export interface OpenedFile {
  readonly file: SqliteDatabase
  readonly isReadOnly: boolean
}

/**
 * Opens the data file at a path, or creates it.
 *
 * @throws Error if it is missing or empty although repositories exist beside it
 */
export const openDataFile = (path: string, options: DatabaseOptions): OpenedFile => {
  assertDataNotLost(path)
  if (isReadOnlyFile(path)) return { file: openReadOnly(path, options), isReadOnly: true }
  return { file: openDatabase(path, options), isReadOnly: false }
}
