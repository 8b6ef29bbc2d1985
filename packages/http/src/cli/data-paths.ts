import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readFileIdentity } from '@forgelet/core/maintenance'
import { CliError, UsageError } from './cli-error.ts'
import type { DataOptions } from './options.ts'

/** A data file and the paths beside it that belong to it. */
export interface DataPaths {
  readonly file: string
  /** The key of stored secrets. */
  readonly key: string
  /** The folder of the projects' repositories. */
  readonly repositories: string
  /** The folder of uploaded files, unless `--files` names another place. */
  readonly files: string
}

export const dataPathsOf = (file: string): DataPaths => ({
  file,
  key: `${file}.key`,
  repositories: `${file}.repositories`,
  files: `${file}.files`,
})

/** The data file that a server has opened. */
export interface DataFileIdentity {
  readonly path: string
  readonly identity: string
}

export const identifyDataFile = (path: string): DataFileIdentity => ({ path, identity: readFileIdentity(path) ?? '' })

/**
 * A worker that replaces another one must not create a new data file where the opened one was deleted or replaced.
 *
 * @throws CliError if the path now has another file or none
 */
export function assertSameDataFile({ path, identity }: DataFileIdentity): void {
  if (readFileIdentity(path) !== identity) throw new CliError(`${path} was deleted or replaced: restart the server`)
}

/**
 * The paths for a command that copies or replaces a data file.
 *
 * @param forPostgres the error message for data in PostgreSQL: what to use instead
 * @throws UsageError for data in PostgreSQL and in memory
 */
export function dataFilePaths({ data, database }: DataOptions, forPostgres: string): DataPaths {
  if (database !== undefined) throw new UsageError(forPostgres)
  if (data === ':memory:') throw new UsageError('--data :memory: has no file; name a data file')
  return dataPathsOf(resolve(data))
}

/** @throws CliError if the data file does not exist */
export function assertDataFileExists(file: string): void {
  if (!existsSync(file)) throw new CliError(`There is no file ${file}`)
}

/** @throws CliError if the data file does not exist */
export function existingDataFilePaths(...args: Parameters<typeof dataFilePaths>): DataPaths {
  const paths = dataFilePaths(...args)
  assertDataFileExists(paths.file)
  if (!statSync(paths.file).isFile()) throw new CliError(`${paths.file} is not a file`)
  return paths
}
