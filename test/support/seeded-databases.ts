import { once } from 'node:events'
import { createPlatform, type PlatformOptions, postgres, type Store } from '@forgelet/core'
import { type Seed, seed } from '@forgelet/core/seed'
import pg from 'pg'
import { onEachFile } from './each-file.ts'

/** Other names for the platform's tables, next to tables of a host. */
interface Naming {
  readonly schema?: string
  readonly prefix?: string
}

/** A database with copies of its content, by number. The first one, 0, is empty. */
interface CopiedDatabase {
  readonly pool: pg.Pool
  /** Copies the content of the tables. Returns the number of the copy. */
  keep(): Promise<number>
  restore(copy: number): Promise<void>
  /** The copies of seeds. */
  readonly seeds: Map<Seed, number>
  /** The copies of seeds with a clock or another port of the current test file. */
  readonly seedsOfFile: Map<Seed, number>
}

/**
 * Creates two functions. `copy.keep` copies the rows of each table into a row of `copy.table_rows`. `copy.restore` restores the
 * tables with changed content, and all sequences: much faster than a new database, for which PostgreSQL creates a thousand files.
 * Two contents are equal if their numbers of rows and the sums of the hashes of their rows are.
 */
const createCopyFunctions = (schema: string) => `
  create schema copy;
  create table copy.table_rows (copy int, name text, rows text, sequence text, last_id bigint);
  create table copy.contents (copy int, name text, rows bigint, hash numeric);
  do $$
  declare contents text;
  begin
    select string_agg(
      format('select %1$L as name, count(*) as rows, sum(hashtextextended(t::text, 0)) as hash from ${schema}.%1$I t', tablename),
      ' union all ') into contents from pg_tables where schemaname = '${schema}';
    execute 'create view copy.current_contents as ' || contents;
    execute 'create view copy.current_rows as ' || (
      select string_agg(
        format('select %1$L as name, row_to_json(t)::text as row from ${schema}.%1$I t', tablename), ' union all ')
      from pg_tables where schemaname = '${schema}');
  end $$;
  create function copy.keep(number int) returns void language plpgsql as $$
  declare name text; qualified text; sequence text;
  begin
    for name in select tablename from pg_tables where schemaname = '${schema}' loop
      qualified := format('${schema}.%I', name);
      sequence := (select pg_get_serial_sequence(qualified, attname) from pg_attribute
        where attrelid = qualified::regclass and attidentity <> '');
      execute format('insert into copy.table_rows select %s, %L, array_agg(t)::text, %L, %s from %s t',
        number, name, sequence, case when sequence is null then 'null' else 'max(id)' end, qualified);
    end loop;
    insert into copy.contents select number, * from copy.current_contents;
  end $$;
  create function copy.restore(number int) returns void language plpgsql as $$
  declare changed text;
  begin
    for changed in select difference.name from (
      table copy.current_contents except select c.name, c.rows, c.hash from copy.contents c where c.copy = number
    ) as difference loop
      execute format('delete from ${schema}.%I', changed);
      execute format(
        'insert into ${schema}.%1$I select t.* from copy.table_rows c, unnest(c.rows::${schema}.%1$I[]) t
          where c.copy = %2$s and c.name = %1$L', changed, number);
    end loop;
    perform setval(c.sequence::regclass, coalesce(c.last_id, 1), c.last_id is not null)
      from copy.table_rows c where c.copy = number and c.sequence is not null;
  end $$;`

/** A call that nobody awaited must not change the rows of the next store in this database. */
const waitUntilIdle = async (pool: pg.Pool) => {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await once(pool, 'release')
}

/**
 * Ends transactions that a store has left open: their changes, which only their own session sees, would become part of the next store.
 * The warning shows what left them.
 */
const openTransactions = `
  select query, pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`

/** Groups rows by their table. */
export const groupRows = (rows: readonly { readonly name: string; readonly row: string }[]): TableRows =>
  new Map(
    Object.entries(Object.groupBy(rows, ({ name }) => name)).map(([name, own = []]) => [
      name,
      own.map(({ row }) => row).toSorted(),
    ]),
  )

export interface SeededDatabases {
  /** Opens a store with seed data. After it was closed, another store uses the database. */
  open(data: Seed, options?: PlatformOptions): Promise<Store>
  /** Opens stores in one database, one after another. Each begins with the seed data, or with those of the last `keep`. */
  openOne(): OneDatabase
}

/** The rows of each table as text, sorted. */
export type TableRows = ReadonlyMap<string, readonly string[]>

export interface OneDatabase {
  open(data: Seed, options?: PlatformOptions): Promise<Store>
  /** From now on, stores begin with the present data. */
  keep(): Promise<void>
  /** The present rows of all tables. */
  readRows(): Promise<TableRows>
}

/** Creates databases with seed data on a server: as many as a process uses at the same time. */
export function createSeededDatabases(url: string, naming: Naming, hostTables?: string): SeededDatabases {
  // Idle connections do not keep the process alive.
  const connect = (database: string, max: number, options?: string) =>
    new pg.Pool({ connectionString: `${url}/${database}`, max, allowExitOnIdle: true, options })
  const administration = connect('postgres', 1)
  const databases: CopiedDatabase[] = []
  let idle: CopiedDatabase[] = []
  /** The databases of `openOne`, which the test file uses until it ends. */
  const kept: CopiedDatabase[] = []
  onEachFile(() => {
    idle.push(...kept.splice(0))
    for (const { seedsOfFile } of databases) seedsOfFile.clear()
  })
  let count = 0

  const fillTemplate = async (name: string) => {
    await administration.query(`create database ${name}`)
    const pool = connect(name, 1)
    if (hostTables) await pool.query(hostTables)
    await postgres(pool, naming).migrate()
    await pool.query(createCopyFunctions(naming.schema ?? 'public'))
    await pool.query('select copy.keep(0)')
    await pool.end()
  }

  /** The first process of a run that needs the template creates it; others wait for the lock. */
  const createTemplate = async () => {
    const name = `template_${naming.schema ?? 'public'}`
    await administration.query('select pg_advisory_lock(1)')
    const { rowCount } = await administration.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await fillTemplate(name)
    await administration.query('select pg_advisory_unlock(1)')
    return name
  }
  let template: Promise<string> | undefined

  const create = async (): Promise<CopiedDatabase> => {
    template ??= createTemplate()
    const name = `world_${process.pid}_${count++}`
    await administration.query(`create database ${name} template ${await template}`)
    // Without foreign keys, tables can be restored in any order. The setting discards the plans of a session when it changes.
    const restorer = connect(name, 1, '-c session_replication_role=replica')
    let copies = 0
    const database: CopiedDatabase = {
      pool: connect(name, 4),
      seeds: new Map(),
      seedsOfFile: new Map(),
      async keep() {
        copies += 1
        await restorer.query('select copy.keep($1)', [copies])
        return copies
      },
      async restore(copy) {
        const { rows } = await restorer.query<{ query: string }>(openTransactions)
        for (const { query } of rows) process.emitWarning(`A store left a transaction open: ${query.slice(0, 300)}`)
        await restorer.query('select copy.restore($1)', [copy])
      },
    }
    // The session of an idle connection was ended.
    database.pool.on('error', () => undefined)
    databases.push(database)
    return database
  }

  /** An idle database with a copy of the seed, any other one, or a new one. */
  const take = async (data: Seed) => {
    const database = idle.find(({ seeds }) => seeds.has(data)) ?? idle[0]
    idle = idle.filter((other) => other !== database)
    return database ?? create()
  }

  /** Brings the tables to the seed data. Returns the number of their copy. */
  const load = async (database: CopiedDatabase, data: Seed, options: PlatformOptions) => {
    await waitUntilIdle(database.pool)
    const hasOwnPorts = Object.keys(options.ports ?? {}).some((name) => name !== 'dns')
    const seeds = hasOwnPorts ? database.seedsOfFile : database.seeds
    const known = seeds.get(data)
    await database.restore(known ?? 0)
    if (known !== undefined) return known
    await seed(createPlatform(postgres(database.pool, naming), options), data)
    const copy = await database.keep()
    seeds.set(data, copy)
    return copy
  }

  return {
    async open(data, options = {}) {
      const database = await take(data)
      await load(database, data, options)
      return { ...postgres(database.pool, naming), close: () => void idle.push(database) }
    },
    openOne() {
      let database: CopiedDatabase | undefined
      let copy = 0
      return {
        async open(data, options = {}) {
          if (database) {
            await waitUntilIdle(database.pool)
            await database.restore(copy)
          } else {
            database = await take(data)
            kept.push(database)
            copy = await load(database, data, options)
          }
          return { ...postgres(database.pool, naming), close: async () => undefined }
        },
        async keep() {
          if (database) copy = await database.keep()
        },
        async readRows() {
          const found = await database?.pool.query<{ name: string; row: string }>('select * from copy.current_rows')
          return groupRows(found?.rows ?? [])
        },
      }
    },
  }
}
