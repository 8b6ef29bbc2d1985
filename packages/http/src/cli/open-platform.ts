import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  createPlatform,
  NewerSchema,
  type Platform,
  type PlatformOptions,
  postgres,
  type Store,
  sqlite,
} from '@forgelet/core'
import { exitCodes, Failure, reasonOf } from './failure.ts'
import { UsageError } from './usage-error.ts'

interface DataFlags {
  readonly data: string
  readonly database: string | undefined
}

interface Opened {
  readonly platform: Platform
  /** What to call the place where the data lies: an absolute path, or a database without its password. */
  readonly where: string
}

const codeOf = (error: unknown) => (error instanceof Error ? String((error as { code?: unknown }).code) : '')

/** `postgres://me:secret@db.example:5432/forge` → `PostgreSQL forge at db.example:5432`. */
const nameOfDatabase = (url: string) => {
  const { host, pathname } = new URL(url)
  const name = pathname.slice(1)
  return `PostgreSQL${name === '' ? '' : ` ${decodeURIComponent(name)}`} at ${host || 'the local socket'}`
}

/** What SQLite says about files, as a reader says it. */
const fileFaults: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'it is not a database',
  SQLITE_CORRUPT: 'it is damaged: bring back a copy',
  SQLITE_CANTOPEN: 'it cannot be opened: look at its permissions and those of its folder',
  SQLITE_READONLY: 'it cannot be written: look at its permissions',
  SQLITE_READONLY_DIRECTORY: 'its folder cannot be written',
  SQLITE_PERM: 'its permissions forbid it',
  SQLITE_FULL: 'the disk is full',
}

const failed = (where: string, error: unknown): Failure => {
  if (error instanceof Failure) return error
  if (error instanceof NewerSchema) return new Failure(`${where}: ${reasonOf(error)}`, exitCodes.newerData)
  if (codeOf(error) === 'MODULE_NOT_FOUND') {
    return new Failure('PostgreSQL needs the package pg beside @forgelet/core: npm install pg')
  }
  return new Failure(`${where} cannot be used: ${fileFaults[codeOf(error)] ?? reasonOf(error)}`)
}

const openFile = (file: string): Store => {
  if (file === ':memory:') return sqlite(file)
  const folder = dirname(file)
  if (!existsSync(folder)) throw new Failure(`${file} cannot be made: there is no folder ${folder}`)
  if (existsSync(file) && !statSync(file).isFile()) throw new Failure(`${file} cannot be used: it is not a file`)
  return sqlite(file)
}

/**
 * Opens the data that the flags name and brings it up to date.
 *
 * @param written flags that stand on the command line itself: there `--data` wins over a database of the environment
 * @throws Failure with one sentence that says which data and why; its exit code is 3 when a newer version has changed it
 */
export async function openPlatform(
  { data, database }: DataFlags,
  written: ReadonlySet<string>,
  options: PlatformOptions = {},
): Promise<Opened> {
  if (written.has('data') && written.has('database')) throw new UsageError('Give one of --data and --database')
  const url = written.has('data') ? undefined : database
  const file = data === ':memory:' ? data : resolve(data)
  const where = url === undefined ? file : nameOfDatabase(url)
  let store: Store | undefined
  try {
    store = url === undefined ? openFile(file) : postgres(url)
    const platform = createPlatform(store, options)
    await platform.ready()
    return { platform, where }
  } catch (error) {
    await store?.close()
    throw failed(where, error)
  }
}
