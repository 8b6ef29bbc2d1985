import { createPlatform, type PlatformOptions, postgres, type Store, sqlite } from '@forgelet/core'
import { plant } from '@forgelet/core/seed'
import { type FakeForge, type FakeForgeOptions, fakeForge, type Seed } from '@forgelet/fixtures'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { heard } from './compatibility/heard.ts'

/** A database that holds a planted seed twice: in its tables, and as a copy to go back to. */
interface Planted {
  readonly pool: pg.Pool
  restore(): Promise<void>
}

const given = inject('naming')
const naming = given === undefined ? {} : { schema: given, prefix: `${given}_` }

/** Tables that a host happens to have: what asks for ours by their plain names does not find them. */
const ofHost =
  'create table issue (id integer primary key); create table label (name text); create index label_name on label (name)'

const idle = new Map<Seed, Planted[]>()
const opened: Planted[] = []
let administration: pg.Pool | undefined

afterAll(async () => {
  await Promise.all(opened.map(({ pool }) => pool.end()))
  await administration?.end()
  administration = undefined
  opened.length = 0
  idle.clear()
})

/** Keeps a copy of every table, and a function that brings all of them back: far quicker than a new database. */
const rememberWorld = (schema: string) => `
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

const open = async (url: string, seed: Seed, options: PlatformOptions): Promise<Planted> => {
  administration ??= new pg.Pool({ connectionString: `${url}/postgres`, max: 1 })
  const database = `world_${process.pid}_${opened.length}`
  await administration.query(`create database ${database}`)
  const pool = new pg.Pool({ connectionString: `${url}/${database}`, max: 4 })
  if (given) await pool.query(ofHost)
  await plant(createPlatform(postgres(pool, naming), options), seed)
  await pool.query(rememberWorld(naming.schema ?? 'public'))
  const planted: Planted = { pool, restore: async () => void (await pool.query('select seed.restore()')) }
  opened.push(planted)
  return planted
}

const openPostgres =
  (url: string) =>
  async (seed: Seed, options: PlatformOptions): Promise<Store> => {
    const waiting = idle.get(seed) ?? []
    idle.set(seed, waiting)
    const planted = waiting.pop() ?? (await open(url, seed, options))
    return {
      ...postgres(planted.pool, naming),
      async close() {
        await planted.restore()
        waiting.push(planted)
      },
    }
  }

const images = new Map<Seed, Buffer>()

/** A database in memory under names of the host's choice, beside tables of the host that have ours. */
const openRenamed = async (seed: Seed, options: PlatformOptions): Promise<Store> => {
  const known = images.get(seed)
  if (known) return sqlite(known, naming)
  const file = new Database(':memory:')
  file.exec(ofHost)
  const store = sqlite(file, naming)
  const platform = createPlatform(store, options)
  await plant(platform, seed)
  const image = store.serialize()
  images.set(seed, image)
  await platform.close()
  file.close()
  return sqlite(image, naming)
}

/** The database that this run of the tests is about. */
export const dialect = inject('postgresUrl') === undefined ? 'sqlite' : 'postgres'

/**
 * A fresh world, on the database that this run is about. Every test file that imports this one runs twice: on SQLite and
 * on PostgreSQL.
 */
export function world(options: FakeForgeOptions = {}): Promise<FakeForge> {
  const url = inject('postgresUrl')
  const openStore = url === undefined ? given && openRenamed : openPostgres(url)
  return fakeForge(heard(openStore ? { openStore, ...options } : options))
}

const nothing: Seed = {}

/** A migrated store with nothing in it, on the database that this run is about. */
export async function emptyStore(): Promise<Store> {
  const url = inject('postgresUrl')
  const store = url === undefined ? sqlite(':memory:', naming) : await openPostgres(url)(nothing, {})
  await store.migrate()
  return store
}
