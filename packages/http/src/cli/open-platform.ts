import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  createPlatform,
  isPlatformError,
  type Platform,
  type PlatformOptions,
  type PostgresOptions,
  postgres,
  type Store,
  sqlite,
  UnknownMigrationsError,
} from '@forgelet/core'
import { getErrorCode } from '@forgelet/core/operations'
import { messageOf } from '../app/error-text.ts'
import { CliError, exitCodes } from './cli-error.ts'
import { copyBeforeMigration } from './copy-before-migration.ts'
import { assertDataFileExists, dataPathsOf } from './data-paths.ts'
import { fileErrorMessage } from './file-errors.ts'
import { fileOptions } from './file-location.ts'
import type { DataOptions } from './options.ts'
import { readKeyFile } from './secret-key-file.ts'

interface OpenedPlatform {
  readonly platform: Platform
  /** For maintenance functions; the platform closes it. */
  readonly store: Store
  /** An absolute path, or the name of a database without its password; for messages. */
  readonly location: string
  /** The migrations that this call ran. */
  readonly migrated: readonly string[]
  /** The copy of the data file from before the migrations; undefined if none was necessary. */
  readonly copy: string | undefined
}

/** The name of a database without its password: `postgres://me:secret@db.example:5432/forge` → `PostgreSQL forge at db.example:5432`. */
export const databaseName = (url: string) => {
  const { host, pathname } = new URL(url)
  const name = pathname.slice(1)
  return `PostgreSQL${name === '' ? '' : ` ${decodeURIComponent(name)}`} at ${host || 'the local socket'}`
}

/** Adds the location of the data to an error of opening it. */
export const openError = (location: string, error: unknown): CliError => {
  if (error instanceof CliError) return error
  if (error instanceof UnknownMigrationsError)
    return new CliError(`${location}: ${messageOf(error)}`, exitCodes.unknownData)
  if (getErrorCode(error) === 'MODULE_NOT_FOUND') {
    return new CliError('PostgreSQL requires the package pg beside @forgelet/core: npm install pg')
  }
  const reason = isPlatformError(error) && error.cause !== undefined ? error.cause : error
  return new CliError(`${location} cannot be used: ${fileErrorMessage(reason)}`)
}

/** @throws CliError for a path that cannot be a data file */
export const openFile = (file: string): Store => {
  if (file === ':memory:') return sqlite(file)
  const folder = dirname(file)
  if (!existsSync(folder)) throw new CliError(`${file} cannot be created: there is no folder ${folder}`)
  if (existsSync(file) && !statSync(file).isFile()) throw new CliError(`${file} cannot be used: it is not a file`)
  return sqlite(file, { groupCommit: true })
}

const toPostgresOptions = (options: DataOptions): PostgresOptions => ({
  events: options.databaseEvents ?? false,
  replicas: options.databaseReplicas ?? [],
  connectTimeout: options.databaseConnectTimeout * 1_000,
  statementTimeout: options.databaseStatementTimeout * 1_000,
  lockTimeout: options.databaseLockTimeout * 1_000,
  idleTransactionTimeout: options.databaseIdleTransactionTimeout * 1_000,
})

interface Source {
  readonly location: string
  /** The data file; undefined for PostgreSQL and for data in memory. */
  readonly file: string | undefined
  /** Platform options that depend on the location. */
  readonly platformOptions: PlatformOptions
  /** @throws CliError if the data cannot be opened */
  open(): Store
}

/** The data that the options select; not opened yet. */
export function dataSource(options: DataOptions): Source {
  const { data, database, secretKeyFile, repositories } = options
  const inMemory = data === ':memory:'
  const path = inMemory ? data : resolve(data)
  const location = database === undefined ? path : databaseName(database)
  const besideFile = inMemory ? undefined : dataPathsOf(path).repositories
  const folder = database === undefined ? besideFile : resolve(repositories ?? './forgelet.repositories')
  return {
    location,
    file: database === undefined && !inMemory ? path : undefined,
    platformOptions: { ...(folder !== undefined && { repositories: folder }), ...fileOptions(options) },
    open() {
      try {
        const key = secretKeyFile === undefined ? undefined : readKeyFile(secretKeyFile)
        const store = database === undefined ? openFile(path) : postgres(database, toPostgresOptions(options))
        return key ? { ...store, keyStore: key } : store
      } catch (error) {
        throw openError(location, error)
      }
    },
  }
}

/**
 * Opens and migrates the data that the options select. A data file is copied before a migration.
 *
 * @param existing whether a missing data file is an error: its name can be misspelt. Otherwise it is created.
 * @throws CliError if the data cannot be opened; its exit code is 3 if the data has migrations that this version does not have
 */
export async function openPlatform(
  data: DataOptions,
  options: PlatformOptions = {},
  { quiet = false, existing = false }: { readonly quiet?: boolean; readonly existing?: boolean } = {},
): Promise<OpenedPlatform> {
  const { location, file, platformOptions, open } = dataSource(data)
  if (existing && file !== undefined) assertDataFileExists(file)
  const store = open()
  try {
    const { applied = 0, pending = [], unknown = [] } = (await store.readState?.()) ?? {}
    const [first] = pending
    const needsCopy = file !== undefined && applied > 0 && unknown.length === 0 && first !== undefined
    const copy = needsCopy ? await copyBeforeMigration(file, first) : undefined
    const ports = { ...platformOptions.ports, ...options.ports }
    const platform = createPlatform(store, { ...platformOptions, ...options, ports })
    await platform.ready()
    if (copy !== undefined && !quiet) {
      process.stderr.write(`Migrated ${location}. Copy from before the migration: ${copy}\n`)
    }
    return { platform, store, location, migrated: pending, copy }
  } catch (error) {
    await store.close()
    throw openError(location, error)
  }
}
