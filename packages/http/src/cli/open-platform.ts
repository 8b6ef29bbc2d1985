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
import { copyBeforeMigrating } from './before-migrating.ts'
import { exitCodes, Failure, reasonOf } from './failure.ts'
import { codeOf, fileFault } from './file-faults.ts'
import { keyIn } from './secret-key-file.ts'
import { UsageError } from './usage-error.ts'

interface DataFlags {
  readonly data: string
  readonly database: string | undefined
  readonly secretKeyFile?: string | undefined
  readonly repositories?: string | undefined
}

interface Opened {
  readonly platform: Platform
  /** What to call the place where the data lies: an absolute path, or a database without its password. */
  readonly where: string
  /** The changes of the schema that were made just now. */
  readonly migrated: readonly string[]
  /** Where the data file was copied to before that; absent where nothing had to be kept. */
  readonly copy: string | undefined
}

/** `postgres://me:secret@db.example:5432/forge` → `PostgreSQL forge at db.example:5432`. */
const nameOfDatabase = (url: string) => {
  const { host, pathname } = new URL(url)
  const name = pathname.slice(1)
  return `PostgreSQL${name === '' ? '' : ` ${decodeURIComponent(name)}`} at ${host || 'the local socket'}`
}

/** Why data cannot be used, in one sentence that names it. */
export const unusable = (where: string, error: unknown): Failure => {
  if (error instanceof Failure) return error
  if (error instanceof NewerSchema) return new Failure(`${where}: ${reasonOf(error)}`, exitCodes.newerData)
  if (codeOf(error) === 'MODULE_NOT_FOUND') {
    return new Failure('PostgreSQL needs the package pg beside @forgelet/core: npm install pg')
  }
  return new Failure(`${where} cannot be used: ${fileFault(error)}`)
}

const openFile = (file: string): Store => {
  if (file === ':memory:') return sqlite(file)
  const folder = dirname(file)
  if (!existsSync(folder)) throw new Failure(`${file} cannot be made: there is no folder ${folder}`)
  if (existsSync(file) && !statSync(file).isFile()) throw new Failure(`${file} cannot be used: it is not a file`)
  return sqlite(file)
}

interface Source {
  readonly where: string
  /** The data file; absent for PostgreSQL and for data in memory. */
  readonly file: string | undefined
  /** What the platform has to be told of the place. */
  readonly options: PlatformOptions
  /** @throws Failure with one sentence that says which data and why */
  open(): Store
}

/**
 * The data that the flags name, not opened yet.
 *
 * @param written flags that stand on the command line itself: there `--data` wins over a database of the environment
 */
export function openStore(
  { data, database, secretKeyFile, repositories }: DataFlags,
  written: ReadonlySet<string>,
): Source {
  if (written.has('data') && written.has('database')) throw new UsageError('Give one of --data and --database')
  const url = written.has('data') ? undefined : database
  if (written.has('repositories') && url === undefined) throw new UsageError('--repositories goes with --database')
  const file = data === ':memory:' ? data : resolve(data)
  const where = url === undefined ? file : nameOfDatabase(url)
  const beside = data === ':memory:' ? undefined : `${file}.repositories`
  const folder = url === undefined ? beside : resolve(repositories ?? './forgelet.repositories')
  return {
    where,
    file: url === undefined && data !== ':memory:' ? file : undefined,
    options: folder === undefined ? {} : { repositories: folder },
    open() {
      try {
        const kept = secretKeyFile === undefined ? undefined : keyIn(secretKeyFile)
        const store = url === undefined ? openFile(file) : postgres(url)
        return kept ? { ...store, kept } : store
      } catch (error) {
        throw unusable(where, error)
      }
    },
  }
}

/** What has to be known of a schema before it is changed. */
const schemaBefore = async (store: Store) => {
  const { applied = 0, pending = [], newer = [] } = (await store.state?.()) ?? {}
  return { applied, pending, newer }
}

/**
 * Opens the data that the flags name and brings it up to date. A data file whose schema has to change is copied first.
 *
 * @param written flags that stand on the command line itself: there `--data` wins over a database of the environment
 * @throws Failure with one sentence that says which data and why; its exit code is 3 when a newer version has changed it
 */
export async function openPlatform(
  flags: DataFlags,
  written: ReadonlySet<string>,
  options: PlatformOptions = {},
  { quiet = false }: { readonly quiet?: boolean } = {},
): Promise<Opened> {
  const { where, file, options: place, open } = openStore(flags, written)
  const store = open()
  try {
    const { applied, pending, newer } = await schemaBefore(store)
    const [first] = pending
    const needed = file !== undefined && applied > 0 && newer.length === 0 && first !== undefined
    const copy = needed ? await copyBeforeMigrating(file, first) : undefined
    const platform = createPlatform(store, { ...place, ...options })
    await platform.ready()
    if (copy !== undefined && !quiet)
      process.stderr.write(`The data was brought up to date. As it was before: ${copy}\n`)
    return { platform, where, migrated: pending, copy }
  } catch (error) {
    await store.close()
    throw unusable(where, error)
  }
}
