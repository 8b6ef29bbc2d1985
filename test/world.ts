import { createPlatform, type PlatformOptions, postgres, type Store, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { type FakeForge, type FakeForgeOptions, fakeForge, type Seed } from '@forgelet/fixtures'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { withRequestRecorder } from './compatibility/request-recorder.ts'
import { recordCalls } from './contract/called-routes.ts'
import { withResponseCheck } from './openapi/recorded-faults.ts'

/** A database that contains its seed data twice: in its tables, and as a copy for `restore`. */
interface SeededDatabase {
  readonly pool: pg.Pool
  restore(): Promise<void>
}

const schema = inject('naming')
const naming = schema === undefined ? {} : { schema, prefix: `${schema}_` }

/** Tables of a host with our plain names: a query without the prefix or schema fails or finds nothing. */
const hostTables =
  'create table issue (id integer primary key); create table label (name text); create index label_name on label (name)'

const idle = new Map<Seed, SeededDatabase[]>()
const opened: SeededDatabase[] = []
let administration: pg.Pool | undefined

afterAll(async () => {
  await Promise.all(opened.map(({ pool }) => pool.end()))
  await administration?.end()
  administration = undefined
  opened.length = 0
  idle.clear()
})

/** Copies every table, and creates a function that restores all of them: much faster than a new database. */
const createRestoreFunction = (schema: string) => `
  create schema seed;
  do $$
  declare name text;
  begin
    for name in select tablename from pg_tables where schemaname = '${schema}' loop
      execute format('create table seed.%1$I as table ${schema}.%1$I', name);
    end loop;
  end $$;
  create function seed.restore() returns void language plpgsql as $$
  declare name text; sequence text;
  begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = '${schema}' loop
      execute format('delete from ${schema}.%I', name);
      execute format('insert into ${schema}.%1$I select * from seed.%1$I', name);
      if exists (select from pg_attribute where attrelid = format('${schema}.%I', name)::regclass and attidentity <> '') then
        sequence := pg_get_serial_sequence(format('${schema}.%I', name), 'id');
        execute format('select setval(%L, coalesce(max(id), 1), max(id) is not null) from seed.%I', sequence, name);
      end if;
    end loop;
  end $$;`

const open = async (url: string, data: Seed, options: PlatformOptions): Promise<SeededDatabase> => {
  administration ??= new pg.Pool({ connectionString: `${url}/postgres`, max: 1 })
  const database = `world_${process.pid}_${opened.length}`
  await administration.query(`create database ${database}`)
  const pool = new pg.Pool({ connectionString: `${url}/${database}`, max: 4 })
  if (schema) await pool.query(hostTables)
  await seed(createPlatform(postgres(pool, naming), options), data)
  await pool.query(createRestoreFunction(naming.schema ?? 'public'))
  const seeded: SeededDatabase = { pool, restore: async () => void (await pool.query('select seed.restore()')) }
  opened.push(seeded)
  return seeded
}

const openPostgres =
  (url: string) =>
  async (data: Seed, options: PlatformOptions): Promise<Store> => {
    const available = idle.get(data) ?? []
    idle.set(data, available)
    const seeded = available.pop() ?? (await open(url, data, options))
    return {
      ...postgres(seeded.pool, naming),
      async close() {
        await seeded.restore()
        available.push(seeded)
      },
    }
  }

const images = new Map<Seed, Buffer>()

/** An in-memory database with prefixed table names, next to host tables with our plain names. */
const openRenamed = async (data: Seed, options: PlatformOptions): Promise<Store> => {
  const cached = images.get(data)
  if (cached) return sqlite(cached, naming)
  const file = new Database(':memory:')
  file.exec(hostTables)
  const store = sqlite(file, naming)
  const platform = createPlatform(store, options)
  await seed(platform, data)
  const image = store.serialize()
  images.set(data, image)
  await platform.close()
  file.close()
  return sqlite(image, naming)
}

/** The database of this test project. */
export const dialect = inject('postgresUrl') === undefined ? 'sqlite' : 'postgres'

/** A new forge with the demo data, on the database of this test project. Test files that import this file run on both databases. */
export function world(options: FakeForgeOptions = {}): Promise<FakeForge> {
  const url = inject('postgresUrl')
  const openStore = url === undefined ? schema && openRenamed : openPostgres(url)
  return fakeForge(withResponseCheck(recordCalls(withRequestRecorder(openStore ? { openStore, ...options } : options))))
}

const emptySeed: Seed = {}

/** A migrated store without data, on the database of this test project. */
export async function emptyStore(): Promise<Store> {
  const url = inject('postgresUrl')
  const store = url === undefined ? sqlite(':memory:', naming) : await openPostgres(url)(emptySeed, {})
  await store.migrate()
  return store
}
