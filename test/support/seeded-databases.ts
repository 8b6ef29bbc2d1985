import { createPlatform, type PlatformOptions, postgres, type Store } from '@forgelet/core'
import { type Seed, seed } from '@forgelet/core/seed'
import pg from 'pg'
import { onEachFile } from './each-file.ts'

/** Other names for the platform's tables, next to tables of a host. */
interface Naming {
  readonly schema?: string
  readonly prefix?: string
}

/** A database that contains its seed data twice: in its tables, and as a copy for `restore`. */
interface SeededDatabase {
  readonly pool: pg.Pool
  /** Replaces the copy with the content of the tables. */
  keep(): Promise<void>
  restore(): Promise<void>
}

/**
 * Creates two functions. `seed.keep` copies the rows of each table into a row of `seed.copy`. `seed.restore` restores the tables
 * with changed content, and all sequences: much faster than a new database. Two contents are equal if their numbers of rows
 * and the sums of the hashes of their rows are.
 */
const createRestoreFunctions = (schema: string) => `
  create schema seed;
  create table seed.copy (name text, rows text, sequence text, last_id bigint);
  do $$
  declare contents text;
  begin
    select string_agg(
      format('select %1$L as name, count(*) as rows, sum(hashtextextended(t::text, 0)) as hash from ${schema}.%1$I t', tablename),
      ' union all ') into contents from pg_tables where schemaname = '${schema}';
    execute 'create view seed.current_contents as ' || contents;
  end $$;
  create table seed.contents as table seed.current_contents;
  create function seed.keep() returns void language plpgsql as $$
  declare name text; qualified text; sequence text;
  begin
    delete from seed.copy;
    for name in select tablename from pg_tables where schemaname = '${schema}' loop
      qualified := format('${schema}.%I', name);
      sequence := (select pg_get_serial_sequence(qualified, attname) from pg_attribute
        where attrelid = qualified::regclass and attidentity <> '');
      execute format('insert into seed.copy select %L, array_agg(t)::text, %L, %s from %s t',
        name, sequence, case when sequence is null then 'null' else 'max(id)' end, qualified);
    end loop;
    delete from seed.contents;
    insert into seed.contents table seed.current_contents;
  end $$;
  create function seed.restore() returns void language plpgsql as $$
  declare changed text;
  begin
    for changed in select name from (table seed.current_contents except table seed.contents) as difference loop
      execute format('delete from ${schema}.%I', changed);
      execute format(
        'insert into ${schema}.%1$I select t.* from seed.copy, unnest(copy.rows::${schema}.%1$I[]) t where copy.name = %1$L',
        changed);
    end loop;
    perform setval(sequence::regclass, coalesce(last_id, 1), last_id is not null) from seed.copy where sequence is not null;
  end $$;`

export interface SeededDatabases {
  /** Opens a store. Closing it restores its seed data, and the next store with the same seed uses the same database. */
  open(data: Seed, options?: PlatformOptions): Promise<Store>
  /** Opens stores in one database, one after another. Each begins with the seed data, or with those of the last `keep`. */
  openOne(): OneDatabase
}

export interface OneDatabase {
  open(data: Seed, options?: PlatformOptions): Promise<Store>
  /** From now on, stores begin with the present data. */
  keep(): Promise<void>
}

/** Creates databases with seed data on a server. The files of a process share the databases of equal seeds. */
export function createSeededDatabases(url: string, naming: Naming, hostTables?: string): SeededDatabases {
  // Idle connections do not keep the process alive.
  const connect = (database: string, max: number, options?: string) =>
    new pg.Pool({ connectionString: `${url}/${database}`, max, allowExitOnIdle: true, options })
  const administration = connect('postgres', 1)
  const shared = new Map<Seed, SeededDatabase[]>()
  /** Databases that were seeded with a clock or another port of one test file. */
  const ownPorts = new Map<Seed, SeededDatabase[]>()
  onEachFile(() => ownPorts.clear())
  let count = 0

  const createTemplate = async () => {
    const name = `template_${process.pid}`
    await administration.query(`create database ${name}`)
    const pool = connect(name, 1)
    if (hostTables) await pool.query(hostTables)
    await postgres(pool, naming).migrate()
    await pool.query(createRestoreFunctions(naming.schema ?? 'public'))
    await pool.end()
    return name
  }
  let template: Promise<string> | undefined

  const create = async (data: Seed, options: PlatformOptions): Promise<SeededDatabase> => {
    template ??= createTemplate()
    const name = `world_${process.pid}_${count++}`
    await administration.query(`create database ${name} template ${await template}`)
    const pool = connect(name, 4)
    // Without foreign keys, tables can be restored in any order. The setting discards the plans of a session when it changes.
    const restorer = connect(name, 1, '-c session_replication_role=replica')
    await seed(createPlatform(postgres(pool, naming), options), data)
    const keep = async () => void (await restorer.query('select seed.keep()'))
    await keep()
    return { pool, keep, restore: async () => void (await restorer.query('select seed.restore()')) }
  }

  return {
    async open(data, options = {}) {
      const available = Object.keys(options.ports ?? {}).every((name) => name === 'dns') ? shared : ownPorts
      const idle = available.get(data) ?? []
      available.set(data, idle)
      const database = idle.pop() ?? (await create(data, options))
      return {
        ...postgres(database.pool, naming),
        async close() {
          await database.restore()
          idle.push(database)
        },
      }
    },
    openOne() {
      let database: SeededDatabase | undefined
      return {
        async open(data, options = {}) {
          if (database) await database.restore()
          else database = await create(data, options)
          return { ...postgres(database.pool, naming), close: async () => undefined }
        },
        keep: async () => database?.keep(),
      }
    },
  }
}
