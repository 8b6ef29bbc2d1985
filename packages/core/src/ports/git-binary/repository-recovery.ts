import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { GitRuntime } from './runtime.ts'
import { importReferencePrefix, removeCrashReports } from './write-commits.ts'

/** Milliseconds. git holds a lock file for the time of one transaction of references; programs other than the platform may too. */
const lockFileAge = 10_000

/**
 * git creates lock files beside `HEAD`, `packed-refs` and `config`, and beside each reference. That of the index belongs to a person who
 * works in the repository.
 */
const findLockFiles = async (directory: string): Promise<readonly string[]> => {
  const [top, references] = await Promise.all([
    readdir(directory).catch(() => []),
    readdir(join(directory, 'refs'), { recursive: true }).catch(() => []),
  ])
  const names = [...top, ...references.map((name) => join('refs', name))]
  return names.filter((name) => name.endsWith('.lock') && name !== 'index.lock')
}

/** Removes old lock files, and waits for the others: a process of git that has outlived the platform removes its own. */
const removeLockFiles = async (directory: string) => {
  const deadline = performance.now() + lockFileAge
  for (;;) {
    let isLocked = false
    for (const name of await findLockFiles(directory)) {
      const path = join(directory, name)
      const stats = await stat(path).catch(() => undefined)
      if (!stats?.isFile()) continue
      if (Date.now() - stats.mtimeMs > lockFileAge) await rm(path, { force: true })
      else isLocked = true
    }
    if (!isLocked || performance.now() > deadline) return
    await pause(100)
  }
}

const removeImportReferences = async ({ directory, runner, limits }: GitRuntime) => {
  const { output } = await runner.run({
    directory,
    arguments: ['for-each-ref', '--format=delete %(refname)', importReferencePrefix],
    timeout: limits.readTimeout,
  })
  if (output.length === 0) return
  await runner.run({ directory, arguments: ['update-ref', '--stdin'], input: [output], timeout: limits.writeTimeout })
}

/** See `Repository.recover`. */
export const recoverRepository = async (runtime: GitRuntime): Promise<void> => {
  await removeLockFiles(runtime.directory)
  await removeImportReferences(runtime)
  await removeCrashReports(runtime.directory)
}
