import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Pool, QueryArrayResult } from 'pg'
import type { RecordedEvent } from '../kernel/event-feed.ts'
import type { Handle, Row, Store } from '../kernel/store.ts'
import { type PostgresEventOptions, parseEventOptions } from './event-options.ts'
import { createKysely } from './kysely.ts'
import { migrate, readSchemaState, runUntilSuccess } from './migrate.ts'
import { assertPlainName } from './naming.ts'
import { type Connection, type ConnectionOptions, type Connections, openConnections } from './postgres-connections.ts'
import { isSerializationFailure, unknownOutcomeError } from './postgres-errors.ts'
import { createPostgresFeed } from './postgres-feed.ts'
import { openReplicas } from './postgres-replicas.ts'
import { type CachedTables, createRowCache, type RowCache, settingTables, trackDataVersion } from './row-cache.ts'
import { createRowReader, type Decoder } from './row-reader.ts'

/** Options of `postgres()`. Timeouts are in milliseconds; 0 sets none, so that the settings of the server apply. */
export interface PostgresOptions extends ConnectionOptions {
  /**
   * The schema of the tables, created if it does not exist. Up to 30 lowercase letters, digits and `_`. Default: the first
   * schema of the connection's search path, usually `public`.
   */
  readonly schema?: string
  /**
   * Delivers the domain events of all processes to `platform.on`, in the same order in every process, at least once. All
   * processes that write to the database need this option. It uses one more connection.
   */
  readonly events?: boolean | PostgresEventOptions
  /**
   * Streaming replicas of the database: URLs, or `pg` pools, which the host closes. Reads use a replica that has replayed all
   * changes from before the call, and otherwise the primary.
   */
  readonly replicas?: readonly (Pool | string)[]
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
  readonly query: Connection['query']
  readonly statements: ReturnType<typeof createStatementCache>
  readonly schema: string | undefined
  readonly cache: RowCache
  /** The version number of the cache for what this handle reads. */
  readonly getVersion: () => number
  readonly outbox?: RecordedEvent[] | undefined
}

/** Commands of results that changed rows. */
const writeCommands: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE'])

interface ConnectionHandle {
  readonly handle: Handle
  /** The cached tables that this handle has written to. */
  readonly changed: ReadonlySet<CachedTables>
}

const createHandle = ({ query, statements, schema, cache, getVersion, outbox }: HandleOptions): ConnectionHandle => {
  const changed = new Set<CachedTables>()
  const send = async (sql: string, parameters: readonly unknown[]) => {
    const result = await query({ ...statements.named(sql), text: sql, values: parameters.map(encodeParameter) })
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
    outbox,
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

/**
 * A store over PostgreSQL.
 *
 * Each write is one transaction on its own connection of the pool. To combine statements of the host with platform calls in
 * one transaction, run them inside `platform.atomic`. Hosts that use Kysely, Drizzle or Knex pass the `pg` pool below it,
 * because a query builder does not return the column types.
 *
 * @param source a `postgres://` URL, or a `pg` pool, which the host closes
 * @throws TypeError if `source` is neither, or an option is invalid
 */
export function postgres(source: Pool | string, options: PostgresOptions = {}): Store {
  const schema = options.schema === undefined ? undefined : assertPlainName('schema', options.schema)
  const connections = openConnections(source, options)
  // Other processes change permissions without notice, so only settings are cached, for one second.
  const cache = createRowCache('', [settingTables])
  const getDataVersion = trackDataVersion(() => Math.floor(performance.now() / 1_000))
  const getVersion = () => cache.syncVersion(getDataVersion())
  const eventSettings = parseEventOptions(options.events ?? false)
  const feed =
    eventSettings &&
    createPostgresFeed({ ...eventSettings, source, schema, connectTimeout: options.connectTimeout ?? 5_000 })
  const shared = { statements: createStatementCache(), schema, cache }
  const queryThrough =
    ({ use }: Connections): Connection['query'] =>
    (statement) =>
      use((connection) => connection.query(statement))
  const createReader = (source: Connections) =>
    createHandle({ ...shared, query: queryThrough(source), getVersion }).handle
  const read = createReader(connections)
  const replicas = options.replicas?.length
    ? openReplicas({
        sources: options.replicas,
        connectionOptions: options,
        primary: connections,
        primaryHandle: read,
        createHandle: createReader,
      })
    : undefined

  const once = async <T>(connection: Connection, work: (handle: Handle) => Promise<T>): Promise<T> => {
    // Serializable, so that commands have the effect of running one after another, as on SQLite.
    await connection.begin()
    try {
      // Read before the first statement takes the snapshot, so that the version is never newer than the cached rows.
      const version = getVersion()
      const outbox = feed && []
      const { handle, changed } = createHandle({
        ...shared,
        query: connection.query,
        getVersion: () => version,
        outbox,
      })
      const result = await work(handle)
      if (outbox?.length) await feed?.record(connection.query, outbox)
      await commit(connection)
      if (outbox?.length) feed?.committed()
      if (changed.size) cache.invalidate(changed)
      return result
    } catch (error) {
      // PostgreSQL rolls back when the connection ends.
      if (!connection.isBroken) await connection.execute('rollback').catch(connection.discard)
      throw error
    }
  }

  let busyRetries = 0
  const transaction = <T>(work: (handle: Handle) => Promise<T>): Promise<T> =>
    connections.use(async (connection) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(connection, work)
        } catch (error) {
          if (!isSerializationFailure(error) || connection.isBroken || attempt === maxAttempts) throw error
          busyRetries += 1
          await pause(Math.random() * 2 ** attempt)
        }
      }
    })

  /** Processes that start at the same moment migrate one after another. */
  const migrateWithLock = () =>
    connections.use(async (connection) => {
      // Migrations of a large database, and the wait for those of another process, can take minutes.
      await connection.removeTimeouts()
      // The lock ends with the session.
      await connection.execute(`select pg_advisory_lock(${migrationLock})`)
      if (schema) await createSchemaIfMissing(connection, schema)
      await migrate((work) => once(connection, work))
    })

  return {
    dialect: 'postgres',
    read: replicas ? replicas.read : async (work) => work(read),
    write: transaction,
    readState: async () => {
      const state = await readSchemaState(read)
      const events = state.pending.length ? undefined : await feed?.readState(queryThrough(connections))
      return { ...state, busyRetries, events, replicas: await replicas?.readState() }
    },
    events: feed,
    migrate: runUntilSuccess(async () => {
      const { pending, newer } = await readSchemaState(read)
      if (pending.length || newer.length) await migrateWithLock()
    }),
    async close() {
      await feed?.close()
      await Promise.all([connections.close(), replicas?.close()])
    },
  }
}

/** @throws PlatformError `unavailable` with the reason `outcome_unknown` if the connection ends after the commit was sent */
const commit = async (connection: Connection) => {
  const wasBroken = connection.isBroken
  try {
    await connection.execute('commit')
  } catch (error) {
    throw connection.isBroken && !wasBroken ? unknownOutcomeError(error) : error
  }
}

/** `create schema if not exists` requires the privilege to create schemas even if the schema exists. */
const createSchemaIfMissing = async (connection: Connection, schema: string) => {
  const { rowCount } = await connection.query({ text: 'select from pg_namespace where nspname = $1', values: [schema] })
  if (!rowCount) await connection.execute(`create schema "${schema}"`)
}
