import { getErrorCode, toError } from '../../shared/error-code.ts'
import { listUnknown } from '../schema/migrate.ts'
import { isReadOnlyFile, openReadOnly } from './data-file.ts'
import { type OpenOptions, readValue, type SqliteDatabase } from './driver/driver.ts'
import { openWithDriver } from './driver/open.ts'
import { applicationId, isBusy } from './file.ts'

const openDatabase = (path: string, options: OpenOptions, busyTimeoutMs = 5_000): SqliteDatabase => {
  const file = openWithDriver(path, options)
  file.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  return file
}

/** Pages copied before yielding to the event loop. */
const backupStepPages = 256

/**
 * Copies a consistent snapshot of a database that is in use. Other connections are not blocked: the copy reads its own
 * snapshot of the write-ahead log, in small steps.
 *
 * @param target a file that does not exist yet; it becomes complete without a write-ahead log
 * @param progress called with the number of copied pages and of all pages
 */
export async function copySqlite(
  source: string,
  target: string,
  progress?: (done: number, total: number) => void,
): Promise<void> {
  // Not read-only: only a writable connection deletes the write-ahead log when it is the last one to close.
  const file = openDatabase(source, { mustExist: true })
  try {
    file.exec('pragma query_only = on')
    // Without an open read transaction, the backup restarts whenever another connection writes.
    file.exec('begin')
    readValue(file, 'select 1 from sqlite_master')
    await file.backup(target, backupStepPages, (done, total) => progress?.(done, total))
  } finally {
    file.close()
  }
  const copy = openDatabase(target, { mustExist: true })
  try {
    copy.exec('pragma journal_mode = delete')
  } finally {
    copy.close()
  }
}

/** The result of checking a database file. */
export interface SqliteFileCheck {
  /** Whether the file is a Forgelet database. */
  readonly isForgeletDatabase: boolean
  /** Errors in pages and indexes; empty for an intact file. */
  readonly integrityErrors: readonly string[]
  /** Rows with dangling references: `label 17 → project`. */
  readonly foreignKeyViolations: readonly string[]
  /** Applied migrations, in order. */
  readonly migrations: readonly string[]
  /** Applied migrations that this version does not have. */
  readonly unknown: readonly string[]
}

const maxReported = 100

const findIntegrityErrors = (file: SqliteDatabase): readonly string[] => {
  try {
    const rows = file.prepare(`pragma integrity_check(${maxReported})`).all() as [string][]
    return rows.map(([message]) => message).filter((message) => message !== 'ok')
  } catch (error) {
    if (!getErrorCode(error).startsWith('SQLITE_CORRUPT')) throw error
    return [toError(error).message]
  }
}

/**
 * Checks a database file without changing it.
 *
 * @throws Error with the SQLite error code when the file is not a database or cannot be opened
 */
export function checkSqliteFile(path: string): SqliteFileCheck {
  const file = isReadOnlyFile(path) ? openReadOnly(path) : openDatabase(path, { readOnly: true, mustExist: true })
  try {
    const isForgeletDatabase = readValue(file, 'pragma application_id') === applicationId
    const integrityErrors = findIntegrityErrors(file)
    // Queries on a damaged file may fail or return wrong rows.
    if (integrityErrors.length)
      return { isForgeletDatabase, integrityErrors, foreignKeyViolations: [], migrations: [], unknown: [] }
    const references = file.prepare('pragma foreign_key_check').all() as [string, number | null, string][]
    const foreignKeyViolations = references
      .slice(0, maxReported)
      .map(([table, rowid, parent]) => `${table} ${rowid ?? '?'} → ${parent}`)
    const hasMigrations = readValue(file, "select 1 from sqlite_master where name = 'forgelet_migration'")
    const names = hasMigrations ? file.prepare('select name from forgelet_migration order by name').all() : []
    const applied = (names as [string][]).map(([name]) => name)
    return {
      isForgeletDatabase,
      integrityErrors,
      foreignKeyViolations,
      migrations: applied,
      unknown: listUnknown(applied),
    }
  } finally {
    file.close()
  }
}

/**
 * Checkpoints the write-ahead log and leaves WAL mode, which is only possible when no other connection has the file open.
 *
 * @returns whether the file is unused; true for a file that is not a database
 */
export function checkpointSqlite(path: string): boolean {
  let file: SqliteDatabase | undefined
  try {
    file = openDatabase(path, { mustExist: true }, 100)
    file.exec('pragma journal_mode = delete')
    return true
  } catch (error) {
    return !isBusy(error)
  } finally {
    file?.close()
  }
}
