import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkSqliteFile, copySqlite } from '@forgelet/core/maintenance'
import { type Manifest, manifestPath, pathsInBackup, sha256Of } from './backup-folder.ts'
import { CliError, exitCodes } from './cli-error.ts'
import { type DataPaths, existingDataFilePaths } from './data-paths.ts'
import { copyFiles } from './file-copy.ts'
import { fileErrorMessage } from './file-errors.ts'
import type { Invocation } from './invocation.ts'
import type { backupOptions } from './options.ts'
import { openProgress, type Progress } from './progress.ts'
import { copyRepositories, repositoriesIn, repositoryProblems } from './repository-copy.ts'
import { printJson } from './table.ts'
import { programVersion } from './version.ts'

const forPostgres =
  'forgelet backup supports data files only. For PostgreSQL use pg_dump --format=custom --file=forge.dump <url>, ' +
  'then copy the folders of repositories and of uploaded files'

const syncToDisk = async (path: string) => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** @throws CliError if the copy is damaged */
const verifyCopy = async (paths: DataPaths, progress: Progress): Promise<readonly string[]> => {
  const { integrityErrors, foreignKeyViolations, migrations } = checkSqliteFile(paths.file)
  const problems = [...integrityErrors, ...foreignKeyViolations]
  const repositories = existsSync(paths.repositories) ? await repositoriesIn(paths.repositories) : []
  for (const [index, repository] of repositories.entries()) {
    progress.step('checking repositories', index, repositories.length)
    const found = await repositoryProblems(`${paths.repositories}/${repository}`)
    problems.push(...found.map((problem) => `${repository}: ${problem}`))
  }
  if (problems.length) throw new CliError(`The copy is damaged and was deleted: ${problems.slice(0, 5).join('; ')}`)
  return migrations
}

const writeBackup = async (
  from: DataPaths,
  folder: string,
  withKey: boolean,
  progress: Progress,
): Promise<Manifest> => {
  const to = pathsInBackup(folder)
  // The database first: a repository is created before its row and deleted after it, so every row of the copy has one.
  await copySqlite(from.file, to.file, (done, total) => progress.step('copying the database', done, total))
  await chmod(to.file, 0o600)
  const key = existsSync(from.key) ? (withKey ? 'included' : 'left out') : 'none'
  if (key === 'included') {
    await copyFile(from.key, to.key)
    await chmod(to.key, 0o600)
  }
  if (existsSync(from.repositories)) {
    await copyRepositories(from.repositories, to.repositories, (done, total) =>
      progress.step('copying repositories', done, total),
    )
  }
  // After the database: a file is written before its row.
  await copyFiles(from.files, to.files)
  const migrations = await verifyCopy(to, progress)
  const repositories = existsSync(to.repositories) ? await repositoriesIn(to.repositories) : []
  const manifest: Manifest = {
    format: 1,
    version: programVersion(),
    createdAt: new Date().toISOString(),
    migrations: [...migrations],
    database: { bytes: (await stat(to.file)).size, sha256: await sha256Of(to.file) },
    key,
    repositories: repositories.length,
  }
  await writeFile(manifestPath(folder), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
  for (const path of [to.file, ...(key === 'included' ? [to.key] : []), manifestPath(folder)]) await syncToDisk(path)
  return manifest
}

const keyLabels = { included: 'with its key', 'left out': 'without its key', none: 'no key yet' } as const

/** Deletes an incomplete backup on SIGINT and SIGTERM. Returns a function that ends this. */
const deleteOnSignal = (folder: string) => {
  const stop = () => {
    void rm(folder, { recursive: true, force: true }).finally(() => process.exit(exitCodes.interrupted))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return () => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/** Copies a consistent state while other processes read and write. Prints the folder. */
export const backupCommand = async ({ args, options }: Invocation<typeof backupOptions>): Promise<void> => {
  const [folder] = args as readonly [string]
  const from = existingDataFilePaths(options, forPostgres)
  const target = resolve(folder)
  if (existsSync(target)) throw new CliError(`${target} already exists: name a new folder`)
  if (!existsSync(dirname(target))) {
    throw new CliError(`${target} cannot be created: there is no folder ${dirname(target)}`)
  }
  const draft = `${target}.partial-${process.pid}`
  const progress = openProgress()
  const release = deleteOnSignal(draft)
  try {
    await mkdir(draft, { mode: 0o700 })
    const manifest = await writeBackup(from, draft, !options.withoutKey, progress)
    await rename(draft, target)
    await syncToDisk(dirname(target)).catch(() => undefined)
    progress.end()
    if (options.files !== undefined)
      process.stderr.write(`warning: the files in ${options.files} are not in the backup\n`)
    if (options.json) printJson({ folder: target, ...manifest })
    else process.stdout.write(`${target}\n`)
    const { database, repositories, key } = manifest
    process.stderr.write(
      `Copied ${from.file} (${database.bytes.toLocaleString('en')} bytes, ${repositories === 1 ? '1 repository' : `${repositories} repositories`}, ${keyLabels[key]}) and verified the copy.\n`,
    )
  } catch (error) {
    progress.end()
    if (error instanceof CliError) throw error
    throw new CliError(`${from.file} cannot be copied to ${target}: ${fileErrorMessage(error)}`)
  } finally {
    release()
    await rm(draft, { recursive: true, force: true })
  }
}
