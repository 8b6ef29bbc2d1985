import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { isReadOnlyFile, openReadOnly } from './data-file.ts'
import { migrations } from './migrations/migrations.ts'
import { assertNodeVersion } from './node-version.ts'
import { applicationId } from './sqlite-file.ts'

const openDatabase = (path: string, options: Sqlite.Options): Sqlite.Database => {
  assertNodeVersion()
  const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
  return new Database(path, options)
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
  const file = openDatabase(source, { fileMustExist: true })
  try {
    file.pragma('query_only = on')
    // Without an open read transaction, the backup restarts whenever another connection writes.
    file.exec('begin')
    file.prepare('select 1 from sqlite_master').get()
    await file.backup(target, {
      progress({ totalPages, remainingPages }) {
        progress?.(totalPages - remainingPages, totalPages)
        return backupStepPages
      },
    })
  } finally {
    file.close()
  }
  const copy = openDatabase(target, { fileMustExist: true })
  try {
    copy.pragma('journal_mode = delete')
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
  readonly newer: readonly string[]
}

const maxReported = 100

const findIntegrityErrors = (file: Sqlite.Database): readonly string[] => {
  try {
    const rows = file.pragma(`integrity_check(${maxReported})`) as { integrity_check: string }[]
    return rows.map(({ integrity_check: message }) => message).filter((message) => message !== 'ok')
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_CORRUPT')) throw error
    return [(error as Error).message]
  }
}

/**
 * Checks a database file without changing it.
 *
 * @throws Error with the SQLite error code when the file is not a database or cannot be opened
 */
export function checkSqliteFile(path: string): SqliteFileCheck {
  const file = isReadOnlyFile(path) ? openReadOnly(path) : openDatabase(path, { readonly: true, fileMustExist: true })
  try {
    const isForgeletDatabase = file.pragma('application_id', { simple: true }) === applicationId
    const integrityErrors = findIntegrityErrors(file)
    // Queries on a damaged file may fail or return wrong rows.
    if (integrityErrors.length)
      return { isForgeletDatabase, integrityErrors, foreignKeyViolations: [], migrations: [], newer: [] }
    const references = file.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[]
    const foreignKeyViolations = references
      .slice(0, maxReported)
      .map(({ table, rowid, parent }) => `${table} ${rowid ?? '?'} → ${parent}`)
    const hasMigrations = file.prepare("select 1 from sqlite_master where name = 'forgelet_migration'").get()
    const applied = hasMigrations ? file.prepare('select name from forgelet_migration order by name').pluck().all() : []
    const known = new Set(migrations.map(({ name }) => name))
    return {
      isForgeletDatabase,
      integrityErrors,
      foreignKeyViolations,
      migrations: applied as string[],
      newer: (applied as string[]).filter((name) => !known.has(name)),
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
  let file: Sqlite.Database | undefined
  try {
    file = openDatabase(path, { fileMustExist: true, timeout: 100 })
    file.pragma('journal_mode = delete')
    return true
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    return !code.startsWith('SQLITE_BUSY')
  } finally {
    file?.close()
  }
}
