import { createPlatform, type PlatformOptions, type Store, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { type FakeForge, type FakeForgeOptions, fakeForge, type Seed } from '@forgelet/fixtures'
import Database from 'better-sqlite3'
import { inject } from 'vitest'
import { withRequestRecorder } from './compatibility/request-recorder.ts'
import { recordCalls } from './contract/called-routes.ts'
import { withResponseCheck } from './openapi/recorded-faults.ts'
import { createSeededDatabases, groupRows, type TableRows } from './support/seeded-databases.ts'

const schema = inject('naming')
const postgresNaming = schema === undefined ? {} : { schema }
const sqliteNaming = schema === undefined ? {} : { prefix: `${schema}_` }

/** Tables of a host with our plain names: a query without the prefix or schema fails or finds nothing. */
const hostTables =
  'create table issue (id integer primary key); create table label (name text); create index label_name on label (name)'

const url = inject('postgresUrl')
const databases = url === undefined ? undefined : createSeededDatabases(url, postgresNaming, schema && hostTables)
const openPostgres = databases?.open

const images = new Map<Seed, Buffer>()

/** An in-memory database with prefixed table names, next to host tables with our plain names. */
const openRenamed = async (data: Seed, options: PlatformOptions): Promise<Store> => {
  const cached = images.get(data)
  if (cached) return sqlite(cached, sqliteNaming)
  const file = new Database(':memory:')
  file.exec(hostTables)
  const store = sqlite(file, sqliteNaming)
  const platform = createPlatform(store, options)
  await seed(platform, data)
  const image = store.serialize()
  images.set(data, image)
  await platform.close()
  file.close()
  return sqlite(image, sqliteNaming)
}

/** The database of this test project. */
export const dialect = openPostgres ? 'postgres' : 'sqlite'

/** A new forge with the demo data, on the database of this test project. Test files that import this file run on both databases. */
export function world(options: FakeForgeOptions = {}): Promise<FakeForge> {
  const openStore = openPostgres ?? (schema && openRenamed)
  return fakeForge(withResponseCheck(recordCalls(withRequestRecorder(openStore ? { openStore, ...options } : options))))
}

interface PreparedWorld<T> {
  readonly forge: FakeForge
  /** The result of the preparation. */
  readonly prepared: T
  /** Restores the state after the preparation. */
  restore(): Promise<void>
  /** The present rows of all tables. */
  readRows(): Promise<TableRows>
}

/** The rows of a database in memory. */
const readImage = (image: Uint8Array): TableRows => {
  const file = new Database(Buffer.from(image))
  const tables = file.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
  const rows = tables.flatMap((name) =>
    file
      .prepare(`select * from "${name}"`)
      .all()
      .map((row) => ({ name, row: JSON.stringify(row) })),
  )
  file.close()
  return groupRows(rows)
}

/** A new forge with additional data, which is faster to restore than to create again. */
export async function preparedWorld<T>(
  options: FakeForgeOptions,
  prepare: (forge: FakeForge) => Promise<T>,
): Promise<PreparedWorld<T>> {
  const database = databases?.openOne()
  const forge = await world(database ? { openStore: database.open, ...options } : options)
  const prepared = await prepare(forge)
  if (!database) {
    const snapshot = await forge.snapshot()
    return {
      forge,
      prepared,
      restore: () => forge.restore(snapshot),
      readRows: async () => readImage((await forge.snapshot()).image),
    }
  }
  const { repositories, files } = forge.platform.ports
  repositories.markShared()
  files.markShared()
  await database.keep()
  return { forge, prepared, restore: forge.reset, readRows: database.readRows }
}

const emptySeed: Seed = {}

/** A migrated store without data, on the database of this test project. */
export async function emptyStore(): Promise<Store> {
  const store = openPostgres ? await openPostgres(emptySeed) : sqlite(':memory:', sqliteNaming)
  await store.migrate()
  return store
}
