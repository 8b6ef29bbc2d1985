import { existsSync } from 'node:fs'
import { chmod, copyFile, link, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkpointSqlite, checkSqliteFile } from '@forgelet/core/maintenance'
import { type Manifest, pathsInBackup, readManifest, sha256Of } from './backup-folder.ts'
import { CliError, exitCodes } from './cli-error.ts'
import { type DataPaths, dataFilePaths, dataPathsOf } from './data-paths.ts'
import { copyFiles } from './file-copy.ts'
import { fileErrorMessage } from './file-errors.ts'
import type { Invocation } from './invocation.ts'
import type { restoreOptions } from './options.ts'
import { openProgress, type Progress } from './progress.ts'
import { copyRepositories } from './repository-copy.ts'

const forPostgres =
  'forgelet restore supports data files only. For PostgreSQL use pg_restore --clean --dbname=<url> forge.dump'

/** @throws CliError if the backup is incomplete or damaged, or a newer version has written it */
const verifyBackup = async (folder: string, progress: Progress): Promise<Manifest> => {
  const manifest = readManifest(folder)
  const { file } = pathsInBackup(folder)
  if (!existsSync(file)) throw new CliError(`${folder} is incomplete: it has no forge.db`)
  progress.step('checking the backup', 0, 1)
  if ((await sha256Of(file)) !== manifest.database.sha256) {
    throw new CliError(`${folder} is damaged: the checksum of forge.db does not match its manifest`)
  }
  const { isForgeletDatabase, integrityErrors, foreignKeyViolations, unknown } = checkSqliteFile(file)
  if (!isForgeletDatabase) throw new CliError(`${file} was created by another program`)
  if (unknown.length) {
    throw new CliError(
      `${folder} was created by another version, ${manifest.version} (${unknown.join(', ')}): restore it with that version`,
      exitCodes.unknownData,
    )
  }
  const problems = [...integrityErrors, ...foreignKeyViolations]
  if (problems.length) throw new CliError(`${folder} is damaged: ${problems.slice(0, 5).join('; ')}`)
  progress.step('checking the backup', 1, 1)
  return manifest
}

/** Copies all files to temporary names, so that only renames follow. */
const stage = async (from: DataPaths, to: DataPaths, progress: Progress) => {
  await copyFile(from.file, to.file)
  await chmod(to.file, 0o600)
  if (existsSync(from.key)) {
    await copyFile(from.key, to.key)
    await chmod(to.key, 0o600)
  }
  if (existsSync(from.repositories)) {
    await copyRepositories(from.repositories, to.repositories, (done, total) =>
      progress.step('copying repositories', done, total),
    )
  }
  await copyFiles(from.files, to.files)
  const { integrityErrors } = checkSqliteFile(to.file)
  if (integrityErrors.length)
    throw new CliError(`The copy ${to.file} is damaged, nothing was replaced: ${integrityErrors[0]}`)
}

const renameIfExists = async (from: string, to: string) => {
  if (existsSync(from)) await rename(from, to)
}

/**
 * Replaces the data by the staged files, and keeps the replaced ones under the names of `old`. The data file is last and
 * its rename atomic: another process sees the old or the new file.
 */
const swap = async (staged: DataPaths, to: DataPaths, old: DataPaths) => {
  await renameIfExists(to.repositories, old.repositories)
  await renameIfExists(staged.repositories, to.repositories)
  await renameIfExists(to.files, old.files)
  await renameIfExists(staged.files, to.files)
  if (existsSync(staged.key)) {
    await renameIfExists(to.key, old.key)
    await rename(staged.key, to.key)
  }
  if (existsSync(to.file)) await link(to.file, old.file)
  // A write-ahead log that a crash has left belongs to the old file and would corrupt the new one.
  for (const suffix of ['-wal', '-shm', '-journal']) await renameIfExists(`${to.file}${suffix}`, `${old.file}${suffix}`)
  await rename(staged.file, to.file)
}

const timestamp = () => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')

export const restoreCommand = async ({ args, options }: Invocation<typeof restoreOptions>): Promise<void> => {
  const to = dataFilePaths(options, forPostgres)
  const folder = resolve((args as readonly [string])[0])
  const progress = openProgress()
  const staged = dataPathsOf(`${to.file}.restoring-${process.pid}`)
  const old = dataPathsOf(`${to.file}.replaced-${timestamp()}`)
  try {
    const manifest = await verifyBackup(folder, progress)
    if (!existsSync(dirname(to.file))) {
      throw new CliError(`${to.file} cannot be created: there is no folder ${dirname(to.file)}`)
    }
    const [replaced] = [to.file, to.repositories].filter((path) => existsSync(path))
    if (replaced && !options.force) {
      throw new CliError(`${replaced} already exists: use --force to replace it, or --data to choose another file`)
    }
    if (existsSync(to.file) && !checkpointSqlite(to.file))
      throw new CliError(`${to.file} is in use: stop the server first`)
    await stage(pathsInBackup(folder), staged, progress)
    await swap(staged, to, old)
    progress.end()
    const key = manifest.key === 'left out' ? `, without its key: copy the key to ${to.key}` : ''
    process.stderr.write(`Restored ${to.file} from ${manifest.createdAt}${key}.\n`)
    const kept = [old.file, old.repositories].find((path) => existsSync(path))
    if (kept)
      process.stderr.write(
        `The replaced data is ${kept}; delete it when it is no longer needed. Restart a server that still runs: it rejects changes.\n`,
      )
  } catch (error) {
    progress.end()
    if (error instanceof CliError) throw error
    throw new CliError(`${folder} cannot be restored to ${to.file}: ${fileErrorMessage(error)}`)
  } finally {
    for (const path of Object.values(staged)) await rm(path, { recursive: true, force: true })
  }
}
