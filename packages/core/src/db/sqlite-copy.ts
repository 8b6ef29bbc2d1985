import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { migrations } from './migrations/migrations.ts'
import { requireNode } from './node-version.ts'
import { applicationId } from './sqlite.ts'

const openDatabase = (path: string, options: Sqlite.Options): Sqlite.Database => {
  requireNode()
  const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
  return new Database(path, options)
}

/** Pages between two looks at the event loop: small enough that others are served meanwhile. */
const step = 256

/**
 * Copies a database that others read and write meanwhile, as it is at one instant. Nobody waits for it: it reads its own
 * view of the write-ahead log, in small steps.
 *
 * @param target a file that is not there yet; it holds everything, without a log beside it
 * @param progress told how many pages are done, of how many
 */
export async function copySqlite(
  source: string,
  target: string,
  progress?: (done: number, total: number) => void,
): Promise<void> {
  // Not opened as read-only: only a connection that may write takes the log away when it is the last to go.
  const file = openDatabase(source, { fileMustExist: true })
  try {
    file.pragma('query_only = on')
    // Without a view of its own, the copy would begin anew whenever another connection has written.
    file.exec('begin')
    file.prepare('select 1 from sqlite_master').get()
    await file.backup(target, {
      progress({ totalPages, remainingPages }) {
        progress?.(totalPages - remainingPages, totalPages)
        return step
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

/** What a database file says of itself. */
export interface SqliteFile {
  /** Whether this program made it. */
  readonly ours: boolean
  /** What is wrong with its pages and indexes; nothing in a sound one. */
  readonly damages: readonly string[]
  /** Rows whose references lead nowhere: `label 17 → project`. */
  readonly dangling: readonly string[]
  /** Migrations that have run, in their order. */
  readonly migrations: readonly string[]
  /** Those of them that this version does not know. */
  readonly newer: readonly string[]
}

const mostNamed = 100

const damagesOf = (file: Sqlite.Database): readonly string[] => {
  try {
    const rows = file.pragma(`integrity_check(${mostNamed})`) as { integrity_check: string }[]
    return rows.map(({ integrity_check: says }) => says).filter((says) => says !== 'ok')
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_CORRUPT')) throw error
    return [(error as Error).message]
  }
}

/**
 * Looks a database file through without changing it.
 *
 * @throws Error with the code of SQLite when it is no database, or cannot be opened
 */
export function examineSqlite(path: string): SqliteFile {
  const file = openDatabase(path, { readonly: true, fileMustExist: true })
  try {
    const ours = file.pragma('application_id', { simple: true }) === applicationId
    const damages = damagesOf(file)
    // What is damaged cannot be asked further: any answer may be an error, or wrong.
    if (damages.length) return { ours, damages, dangling: [], migrations: [], newer: [] }
    const references = file.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[]
    const dangling = references
      .slice(0, mostNamed)
      .map(({ table, rowid, parent }) => `${table} ${rowid ?? '?'} → ${parent}`)
    const ledger = file.prepare("select 1 from sqlite_master where name = 'forgelet_migration'").get()
    const ran = ledger ? file.prepare('select name from forgelet_migration order by name').pluck().all() : []
    const known = new Set(migrations.map(({ name }) => name))
    return {
      ours,
      damages,
      dangling,
      migrations: ran as string[],
      newer: (ran as string[]).filter((name) => !known.has(name)),
    }
  } finally {
    file.close()
  }
}

/**
 * Brings the write-ahead log of a file back into it, which only works when no other process has it open.
 *
 * @returns whether nobody else has it open; a file that is no database any more counts as not in use
 */
export function settleSqlite(path: string): boolean {
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
