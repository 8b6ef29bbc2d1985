import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Pool, PoolClient, QueryArrayResult } from 'pg'
import { PlatformError } from '../kernel/errors.ts'
import type { Handle, MaybePromise, Row, Store } from '../kernel/store.ts'
import { toConflictError } from './conflict.ts'
import { createKysely } from './kysely.ts'
import { migrate, readSchemaState } from './migrate.ts'
import { assertPlainName } from './naming.ts'
import { type CachedTables, createRowCache, type RowCache, settingTables, trackDataVersion } from './row-cache.ts'
import { createRowReader, type Decoder } from './row-reader.ts'

/** Options of `postgres()`. */
export interface PostgresOptions {
  /** Maximum connections of the pool that `postgres()` opens for a URL. Default 10. */
  readonly connections?: number
  /**
   * The schema of the tables, created if it does not exist. Up to 30 lowercase letters, digits and `_`. Default: the first
   * schema of the connection's search path, usually `public`.
   */
  readonly schema?: string
}

const maxAttempts = 10
/** Any number that no other program on the same server is likely to lock. */
const migrationLock = 1_181_575_028
const maxNamedStatements = 2_000

/** `pg` returns bigint and numeric values as text, because they can exceed 2^53. Counts and sums here do not. */
const decoders: Readonly<Record<number, Decoder>> = {
  20: (value) => (value === null ? null : Number(value)),
  1700: (value) => (value === null ? null : Number(value)),
}

const encodeParameter = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Buffer.isBuffer(value) ? JSON.stringify(value) : (value ?? null)

interface Queryable {
  query(config: {
    name?: string
    text: string
    values: unknown[]
    rowMode: 'array'
  }): Promise<QueryArrayResult<unknown[]>>
}

type ReadRow = (values: readonly unknown[]) => Row

/** Shared by all connections of a store: a name for each statement and a reader for its rows. */
const createStatementCache = () => {
  const names = new Map<string, string>()
  const readers = new Map<string, ReadRow>()
  return {
    /** Named statements are planned once for each connection. Above the limit they stay unnamed, because the server keeps each name. */
    named(sql: string) {
      const cached = names.get(sql)
      if (cached !== undefined) return { name: cached }
      if (names.size >= maxNamedStatements) return {}
      const name = hash('sha256', sql, 'hex').slice(0, 40)
      names.set(sql, name)
      return { name }
    },
    reader(sql: string, { fields }: QueryArrayResult<unknown[]>) {
      const cached = readers.get(sql)
      if (cached) return cached
      const reader = createRowReader(fields.map(({ name, dataTypeID }) => ({ name, decode: decoders[dataTypeID] })))
      if (readers.size < maxNamedStatements) readers.set(sql, reader)
      return reader
    },
  }
}

interface HandleOptions {
  readonly client: Queryable
  readonly statements: ReturnType<typeof createStatementCache>
  readonly schema: string | undefined
  readonly cache: RowCache
  /** The version number of the cache for what this handle reads. */
  readonly getVersion: () => number
}

/** Commands of results that changed rows. */
const writeCommands: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE'])

interface ConnectionHandle {
  readonly handle: Handle
  /** The cached tables that this handle has written to. */
  readonly changed: ReadonlySet<CachedTables>
}

const createHandle = ({ client, statements, schema, cache, getVersion }: HandleOptions): ConnectionHandle => {
  const changed = new Set<CachedTables>()
  const send = async (sql: string, parameters: readonly unknown[]) => {
    const result = await client.query({
      ...statements.named(sql),
      text: sql,
      values: parameters.map(encodeParameter),
      rowMode: 'array',
    })
    if (writeCommands.has(result.command)) for (const group of cache.groupsChangedBy(sql)) changed.add(group)
    const read = result.fields.length ? statements.reader(sql, result) : undefined
    return { rows: read ? result.rows.map((row) => read(row)) : [], count: result.rowCount ?? 0 }
  }
  const execute = async ({ sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> => {
    const { rows, count } = await send(sql, parameters)
    return { rows, numAffectedRows: BigInt(count) }
  }
  const run = async (sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> =>
    (await send(sql, parameters)).rows
  const handle: Handle = {
    dialect: 'postgres',
    schemaKey: `postgres ${schema ?? ''}`,
    db: createKysely('postgres', execute, { schema }),
    run,
    queryCached(query, values) {
      const read = () => run(query.sql, query.getParameters(values))
      const group = cache.groupOf(query)
      if (!group || changed.has(group)) return read()
      const version = getVersion()
      const key = query.getKey(values)
      return cache.get(query, key) ?? read().then((rows) => cache.set(query, key, version, rows))
    },
  }
  return { handle, changed }
}

const getErrorCode = (error: unknown) => String((error as { code?: unknown }).code ?? '')
const isSerializationFailure = (error: unknown) => getErrorCode(error) === '40001' || getErrorCode(error) === '40P01'
const isDiskFull = (error: unknown) => getErrorCode(error) === '53100'

const translateError = (error: unknown): unknown => {
  if (isSerializationFailure(error))
    return new PlatformError('unavailable', 'The database is busy', { cause: error, retryAfter: 1 })
  if (isDiskFull(error)) {
    return new PlatformError('unavailable', 'The disk is full: nothing was changed', { cause: error, reason: 'full' })
  }
  return toConflictError(error, getErrorCode(error) === '23505')
}

const isPool = (source: Pool | string): source is Pool => typeof source !== 'string'

/**
 * A store over PostgreSQL.
 *
 * Each write is one transaction on its own connection of the pool. To combine statements of the host with platform calls in
 * one transaction, run them inside `platform.atomic`. Hosts that use Kysely, Drizzle or Knex pass the `pg` pool below it,
 * because a query builder does not return the column types.
 *
 * @param source a `postgres://` URL, or a `pg` pool, which the host closes
 * @throws TypeError if `source` is neither, or the schema name is invalid
 */
export function postgres(source: Pool | string, options: PostgresOptions = {}): Store {
  const owned = !isPool(source)
  if (!owned && typeof source.connect !== 'function') throw new TypeError('postgres() takes a URL or a pg pool')
  const pool = isPool(source) ? source : openPool(source, options)
  const schema = options.schema === undefined ? undefined : assertPlainName('schema', options.schema)
  // Other processes change permissions without notice, so only settings are cached, for one second.
  const cache = createRowCache('', [settingTables])
  const getDataVersion = trackDataVersion(() => Math.floor(performance.now() / 1_000))
  const getVersion = () => cache.syncVersion(getDataVersion())
  const shared = { statements: createStatementCache(), schema, cache }
  const { handle: read } = createHandle({ ...shared, client: pool as unknown as Queryable, getVersion })

  const once = async <T>(client: PoolClient, work: (handle: Handle) => Promise<T>): Promise<T> => {
    // Serializable, so that commands have the effect of running one after another, as on SQLite.
    await client.query('begin isolation level serializable')
    try {
      // Read before the first statement takes the snapshot, so that the version is never newer than the cached rows.
      const version = getVersion()
      const { handle, changed } = createHandle({
        ...shared,
        client: client as unknown as Queryable,
        getVersion: () => version,
      })
      const result = await work(handle)
      await client.query('commit')
      if (changed.size) cache.invalidate(changed)
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
          if (!isSerializationFailure(error) || attempt === maxAttempts) throw translateError(error)
          busyRetries += 1
          await pause(Math.random() * 2 ** attempt)
        }
      }
    } finally {
      client.release()
    }
  }

  let migrated: Promise<void> | undefined
  const close = (): MaybePromise<void> => (owned ? pool.end() : undefined)
  return {
    dialect: 'postgres',
    read: async (work) => work(read),
    write: transaction,
    readState: async () => ({ ...(await readSchemaState(read)), busyRetries }),
    migrate: () => {
      migrated ??= migrateWithLock(pool, async (client) => {
        if (schema) await createSchemaIfMissing(client, schema)
        await migrate((work) => once(client, work))
      })
      return migrated
    },
    close,
  }
}

/** Processes that start at the same moment migrate one after another. */
const migrateWithLock = async (pool: Pool, work: (client: PoolClient) => Promise<void>) => {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await work(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock])
    client.release()
  }
}

/** `create schema if not exists` requires the privilege to create schemas even if the schema exists. */
const createSchemaIfMissing = async (client: PoolClient, schema: string) => {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (!rowCount) await client.query(`create schema "${schema}"`)
}

const openPool = (url: string, { connections = 10 }: PostgresOptions): Pool => {
  // Loaded on first use: `pg` is an optional dependency.
  const { Pool } = createRequire(import.meta.url)('pg') as typeof import('pg')
  const pool = new Pool({ connectionString: url, max: connections })
  // The pool replaces an idle connection that the server closed; without a listener, the error would end the process.
  pool.on('error', () => undefined)
  return pool
}
