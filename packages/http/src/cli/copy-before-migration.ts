import { existsSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { checkSqliteFile, copySqlite } from '@forgelet/core/maintenance'
import { CliError } from './cli-error.ts'
import { openProgress } from './progress.ts'

/**
 * Copies a data file before its schema changes, because migrations have no way back.
 *
 * @param firstMigration the first migration that will run, which names the copy
 * @returns the path of the copy
 */
export async function copyBeforeMigration(file: string, firstMigration: string): Promise<string> {
  const copy = `${file}.before-${firstMigration}.bak`
  // Processes that start together copy the same state: the first copy is sufficient.
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  const progress = openProgress()
  try {
    await copySqlite(file, draft, (done, total) => progress.step('copying the data file first', done, total))
    await chmod(draft, 0o600)
    const { integrityErrors } = checkSqliteFile(draft)
    if (integrityErrors.length) throw new CliError(`${file} is damaged, nothing was changed: ${integrityErrors[0]}`)
    await rename(draft, copy)
    return copy
  } finally {
    progress.end()
    await rm(draft, { force: true })
  }
}
