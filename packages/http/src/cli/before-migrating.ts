import { existsSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { copySqlite, examineSqlite } from '@forgelet/core/maintenance'
import { Failure } from './failure.ts'
import { openProgress } from './progress.ts'

/**
 * Copies a data file before its schema changes: there is no way back but a copy.
 *
 * @param first the first migration that will run, which names the copy
 * @returns where the copy is
 */
export async function copyBeforeMigrating(file: string, first: string): Promise<string> {
  const copy = `${file}.before-${first}.bak`
  // Of processes that start together each finds the same file in the same state: the first copy is as good as the last.
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  const progress = openProgress()
  try {
    await copySqlite(file, draft, (done, total) => progress.step('copying the data file first', done, total))
    await chmod(draft, 0o600)
    const { damages } = examineSqlite(draft)
    if (damages.length) throw new Failure(`${file} is damaged, nothing was changed: ${damages[0]}`)
    await rename(draft, copy)
    return copy
  } finally {
    progress.end()
    await rm(draft, { force: true })
  }
}
