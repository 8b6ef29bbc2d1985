import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Pool, PoolClient, QueryArrayResult } from 'pg'
import { PlatformError } from '../kernel/errors.ts'
import type { Handle, Row, Soon, Store } from '../kernel/store.ts'
import { conflictFrom } from './conflict.ts'
import { kyselyOver } from './kysely.ts'
import { migrate, schemaState } from './migrate.ts'
import { plainName } from './naming.ts'
import { type Decoder, rowReader } from './row-reader.ts'

/** How a PostgreSQL database is reached; all of it may be left out. */
export interface PostgresOptions {
  /** Connections of the pool that is made for a URL. Default 10. */
  readonly connections?: number
  /**
   * The schema in which the tables stand; made when it is missing. Up to 30 small letters, digits and `_`. Default: the first
   * one of the connection's search path, which is `public` unless the server says otherwise.
   */
  readonly schema?: string
}

const attempts = 10
/** Any number that no other program on the same server is likely to lock. */
const migrationLock = 1_181_575_028
const nameLimit = 2_000

/** Counts and sums arrive as text, since they may pass 2^53; ours never do. */
const decoders: Readonly<Record<number, Decoder>> = {
  20: (value) => (value === null ? null : Number(value)),
  1700: (value) => (value === null ? null : Number(value)),
}

const encode = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Buffer.isBuffer(value) ? JSON.stringify(value) : (value ?? null)

interface Queryable {
  query(config: {
    name?: string
    text: string
    values: unknown[]
    rowMode: 'array'
  }): Promise<QueryArrayResult<unknown[]>>
}

type Reader = (values: readonly unknown[]) => Row

/** What all connections of one store share: a name for each statement and a reader for its rows. */
const statements = () => {
  const names = new Map<string, string>()
  const readers = new Map<string, Reader>()
  return {
    /** Named statements are planned once a connection. Texts beyond the limit run unnamed: the server keeps what it is given. */
    named(sql: string) {
      const known = names.get(sql)
      if (known !== undefined) return { name: known }
      if (names.size >= nameLimit) return {}
      const name = hash('sha256', sql, 'hex').slice(0, 40)
      names.set(sql, name)
      return { name }
    },
    reader(sql: string, { fields }: QueryArrayResult<unknown[]>) {
      const known = readers.get(sql)
      if (known) return known
      const made = rowReader(fields.map(({ name, dataTypeID }) => ({ name, decode: decoders[dataTypeID] })))
      if (readers.size < nameLimit) readers.set(sql, made)
      return made
    },
  }
}

const connect = (shared: ReturnType<typeof statements>, client: Queryable, schema: string | undefined): Handle => {
  const send = async (sql: string, parameters: readonly unknown[]) => {
    const result = await client.query({
      ...shared.named(sql),
      text: sql,
      values: parameters.map(encode),
      rowMode: 'array',
    })
    const read = result.fields.length ? shared.reader(sql, result) : undefined
    return { rows: read ? result.rows.map((row) => read(row)) : [], count: result.rowCount ?? 0 }
  }
  const execute = async ({ sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> => {
    const { rows, count } = await send(sql, parameters)
    return { rows, numAffectedRows: BigInt(count) }
  }
  return {
    dialect: 'postgres',
    wording: `postgres ${schema ?? ''}`,
    db: kyselyOver('postgres', execute, { schema }),
    run: async (sql, parameters): Promise<readonly Row[]> => (await send(sql, parameters)).rows,
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '')
const isRace = (error: unknown) => codeOf(error) === '40001' || codeOf(error) === '40P01'
const isFull = (error: unknown) => codeOf(error) === '53100'

const translated = (error: unknown): unknown => {
  if (isRace(error)) return new PlatformError('unavailable', 'The database is busy', { cause: error, retryAfter: 1 })
  if (isFull(error)) {
    return new PlatformError('unavailable', 'The disk is full: nothing was changed', { cause: error, reason: 'full' })
  }
  return conflictFrom(error, codeOf(error) === '23505')
}

const isPool = (source: Pool | string): source is Pool => typeof source !== 'string'

/**
 * A store over PostgreSQL.
 *
 * Each write is a transaction of its own, on a connection that is taken from the pool for it. Transactions of the host are on
 * other connections: statements of the host that belong to calls of the platform run inside `platform.atomic`.
 * A Kysely, Drizzle or Knex does not tell the types of what it reads: hand over the pool that it was made from.
 *
 * @param source a `postgres://` URL, or a `pg` pool of the host, which the host then closes itself
 * @throws TypeError for a schema whose name is none
 */
export function postgres(source: Pool | string, options: PostgresOptions = {}): Store {
  const owned = !isPool(source)
  if (!owned && typeof source.connect !== 'function') throw new TypeError('postgres() takes a URL or a pg pool')
  const pool = isPool(source) ? source : openPool(source, options)
  const shared = statements()
  const schema = options.schema === undefined ? undefined : plainName('schema', options.schema)
  const read = connect(shared, pool as unknown as Queryable, schema)

  const once = async <T>(client: PoolClient, work: (handle: Handle) => Promise<T>): Promise<T> => {
    // Serializable, so that commands behave as if they ran one after another: the same promise SQLite keeps.
    await client.query('begin isolation level serializable')
    try {
      const result = await work(connect(shared, client as unknown as Queryable, schema))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  let busyRetries = 0
  const transaction = async <T>(work: (handle: Handle) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(client, work)
        } catch (error) {
          if (!isRace(error) || attempt === attempts) throw translated(error)
          busyRetries += 1
          await pause(Math.random() * 2 ** attempt)
        }
      }
    } finally {
      client.release()
    }
  }

  let migrated: Promise<void> | undefined
  const close = (): Soon<void> => (owned ? pool.end() : undefined)
  return {
    dialect: 'postgres',
    read: async (work) => work(read),
    write: transaction,
    state: async () => ({ ...(await schemaState(read)), busyRetries }),
    migrate: () => {
      migrated ??= migrateInTurn(pool, async (client) => {
        if (schema) await makeSchema(client, schema)
        await migrate((work) => once(client, work))
      })
      return migrated
    },
    close,
  }
}

/** Processes that start at the same moment migrate one after another. */
const migrateInTurn = async (pool: Pool, work: (client: PoolClient) => Promise<void>) => {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await work(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock])
    client.release()
  }
}

/** Asked for first: PostgreSQL wants the right to make schemas even where there is nothing to make. */
const makeSchema = async (client: PoolClient, schema: string) => {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (!rowCount) await client.query(`create schema "${schema}"`)
}

const openPool = (url: string, { connections = 10 }: PostgresOptions): Pool => {
  // Loaded here: hosts that stay on SQLite need not install it.
  const { Pool } = createRequire(import.meta.url)('pg') as typeof import('pg')
  const pool = new Pool({ connectionString: url, max: connections })
  // An idle connection that the server cut is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}
