import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitRuntime } from './runtime.ts'
import { importReferencePrefix, removeCrashReports } from './write-commits.ts'

/** Milliseconds. git holds a lock file for the time of one transaction of references; programs other than the platform may too. */
const lockFileAge = 10_000

/** git creates lock files beside `HEAD`, `packed-refs` and `config`, and beside each reference. */
const findLockFiles = async (directory: string): Promise<readonly string[]> => {
  const [top, references] = await Promise.all([
    readdir(directory).catch(() => []),
    readdir(join(directory, 'refs'), { recursive: true }).catch(() => []),
  ])
  return [...top, ...references.map((name) => join('refs', name))].filter((name) => name.endsWith('.lock'))
}

const removeLockFiles = async (directory: string) => {
  for (const name of await findLockFiles(directory)) {
    const path = join(directory, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile() && Date.now() - stats.mtimeMs > lockFileAge) await rm(path, { force: true })
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
