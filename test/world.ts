import { createPlatform, type PlatformOptions, postgres, type Store, sqlite } from '@forgelet/core'
import { plant } from '@forgelet/core/seed'
import { type FakeForge, type FakeForgeOptions, fakeForge, type Seed } from '@forgelet/fixtures'
import pg from 'pg'
import { afterAll, inject } from 'vitest'

/** A database that holds a planted seed twice: in its tables, and as a copy to go back to. */
interface Planted {
  readonly pool: pg.Pool
  restore(): Promise<void>
}

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
const rememberWorld = `
  create schema seed;
  do $$
  declare name text;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create table seed.%1$I as table public.%1$I', name);
    end loop;
  end $$;
  create function seed.restore() returns void language plpgsql as $$
  declare name text; sequence text;
  begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('delete from public.%I', name);
      execute format('insert into public.%1$I select * from seed.%1$I', name);
      if exists (select from pg_attribute where attrelid = format('public.%I', name)::regclass and attidentity <> '') then
        sequence := pg_get_serial_sequence(format('public.%I', name), 'id');
        execute format('select setval(%L, coalesce(max(id), 1), max(id) is not null) from seed.%I', sequence, name);
      end if;
    end loop;
  end $$;`

const open = async (url: string, seed: Seed, options: PlatformOptions): Promise<Planted> => {
  administration ??= new pg.Pool({ connectionString: `${url}/postgres`, max: 1 })
  const database = `world_${process.pid}_${opened.length}`
  await administration.query(`create database ${database}`)
  const pool = new pg.Pool({ connectionString: `${url}/${database}`, max: 4 })
  await plant(createPlatform(postgres(pool), options), seed)
  await pool.query(rememberWorld)
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
      ...postgres(planted.pool),
      async close() {
        await planted.restore()
        waiting.push(planted)
      },
    }
  }

/** The database that this run of the tests is about. */
export const dialect = inject('postgresUrl') === undefined ? 'sqlite' : 'postgres'

/**
 * A fresh world, on the database that this run is about. Every test file that imports this one runs twice: on SQLite and
 * on PostgreSQL.
 */
export function world(options: FakeForgeOptions = {}): Promise<FakeForge> {
  const url = inject('postgresUrl')
  return fakeForge(url === undefined ? options : { openStore: openPostgres(url), ...options })
}

const nothing: Seed = {}

/** A migrated store with nothing in it, on the database that this run is about. */
export async function emptyStore(): Promise<Store> {
  const url = inject('postgresUrl')
  const store = url === undefined ? sqlite(':memory:') : await openPostgres(url)(nothing, {})
  await store.migrate()
  return store
}
