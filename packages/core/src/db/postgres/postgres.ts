import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { assertOptions, optionNames } from '../../kernel/assert-arguments.ts'
import type { RecordedEvent } from '../../kernel/event-feed.ts'
import type { Handle, Lock, MaybePromise, Store, WriteOptions } from '../../kernel/store.ts'
import { coalesce } from '../coalesce.ts'
import { createPostgresFeed } from '../events/feed.ts'
import { type PostgresEventOptions, parseEventOptions } from '../events/options.ts'
import { createMutex, runLocked } from '../mutex.ts'
import { assertPlainName } from '../naming.ts'
import { type CachedTables, createRowCache } from '../row-cache.ts'
import { migrate, readSchemaState, runUntilSuccess } from '../schema/migrate.ts'
import { renderSql } from '../schema/render.ts'
import {
  type Connection,
  type ConnectionOptions,
  type Connections,
  defaultLockTimeout,
  openConnections,
} from './connections.ts'
import { isSerializationFailure, unknownOutcomeError } from './errors.ts'
import { createCachedQuery, createHandle, createStatementCache } from './handle.ts'
import { createLockSql, includesLock, instanceLock } from './locks.ts'
import type { Read } from './replica.ts'
import { openReplicas } from './replicas.ts'
import { createWaitQueues } from './wait-queue.ts'
import { countWriters, createWait, type Wait } from './write-wait.ts'

/** A `Pool` of the package pg. Its own type would require `@types/pg` in every program that checks its libraries. */
export interface PostgresPool {
  readonly options: object
  readonly totalCount: number
  connect(): Promise<object>
  end(): Promise<void>
}

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
  readonly replicas?: readonly (PostgresPool | string)[]
}

const postgresOptions = optionNames<PostgresOptions>({
  schema: true,
  events: true,
  replicas: true,
  connections: true,
  connectTimeout: true,
  statementTimeout: true,
  lockTimeout: true,
  idleTransactionTimeout: true,
})

const maxAttempts = 10
/** Any number that no other program on the same server is likely to lock. */
const migrationLock = 1_181_575_028

/** The number of queues with known usual locks. */
const maxQueues = 10_000

interface TransactionOptions extends Pick<WriteOptions, 'locks' | 'queue'> {
  /** The limit of the wait for each lock, in milliseconds, where it is not that of the connection. */
  readonly lockTimeout?: number | undefined
  /** The table of the version may not exist yet. */
  readonly isMigration?: boolean
}

/** Aborts a transaction that needs the instance lock exclusively, which it did not start with. */
class MissingLockError extends Error {
  override readonly name = 'MissingLockError'
}

/**
 * A store over PostgreSQL.
 *
 * Each write is one transaction on its own connection of the pool. To combine statements of the host with platform calls in
 * one transaction, run them inside `platform.atomic`. Hosts that use Kysely, Drizzle or Knex pass the `pg` pool below it,
 * because a query builder does not return the column types.
 *
 * @param primary a `postgres://` URL, or a `pg` pool, which the host closes
 * @throws TypeError if `primary` is neither, or an option is invalid
 * @example
 * ```ts check
 * import { createPlatform, postgres } from '@forgelet/core'
 *
 * const platform = createPlatform(postgres('postgres://forge@localhost/forge', { schema: 'forge' }))
 * await platform.ready()
 * ```
 */
export function postgres(primary: PostgresPool | string, options: PostgresOptions = {}): Store {
  assertOptions('postgres', options, postgresOptions)
  const source = primary as Pool | string
  const schema = options.schema === undefined ? undefined : assertPlainName('schema', options.schema)
  const connections = openConnections(source, options)
  const { lockTimeout = defaultLockTimeout } = options
  const queues = createWaitQueues()
  const writers = createMutex(undefined, countWriters(connections.count))
  /** The first locks that the last transaction of a queue took with `handle.lock`. */
  const usualLocks = new LRUCache<string, readonly Lock[]>({ max: maxQueues })
  const cache = createRowCache('')
  const sql = createLockSql(schema)
  const shared = { statements: createStatementCache(), schema, cache }
  const eventSettings = parseEventOptions(options.events ?? false)
  const feed =
    eventSettings &&
    createPostgresFeed({ ...eventSettings, source, schema, connectTimeout: options.connectTimeout ?? 5_000 })
  const queryThrough =
    ({ use }: Connections): Connection['query'] =>
    (statement) =>
      use((connection) => connection.query(statement))
  /** Cached rows of a read are valid at its start: the version is read once, before the first of them. */
  const createReader = (source: Connections): Read => {
    const query = queryThrough(source)
    const readVersion = coalesce(async () => {
      const { rows } = await query({ ...shared.statements.named(sql.readVersion), text: sql.readVersion, values: [] })
      return cache.syncVersion(rows[0]?.[0])
    })
    const handle = createHandle({ ...shared, query, getVersion: readVersion })
    return (work) => {
      let version: Promise<number> | undefined
      const getVersion = () => {
        version ??= readVersion()
        return version
      }
      return work({ ...handle, queryCached: createCachedQuery({ run: handle.run, cache, getVersion }) })
    }
  }
  const read = createReader(connections)
  const replicas = options.replicas?.length
    ? openReplicas({
        sources: options.replicas as readonly (Pool | string)[],
        connectionOptions: options,
        primary: connections,
        readPrimary: read,
        createReader,
      })
    : undefined

  const runTransaction = async <T>(
    connection: Connection,
    work: (handle: Handle) => MaybePromise<T>,
    { locks, queue = '', lockTimeout, isMigration = false }: TransactionOptions,
  ): Promise<T> => {
    const startLocks: readonly Lock[] = locks
      ? [{ name: instanceLock, isShared: true }, ...locks.map((name) => ({ name })), ...(usualLocks.get(queue) ?? [])]
      : [{ name: instanceLock }]
    let hasLock = locks === undefined || locks.length > 0
    let isFirstLock = true
    let missingLock: MissingLockError | undefined
    const assertLocked = (groups: readonly CachedTables[]) => {
      if (hasLock && (!locks || !groups.length)) return
      missingLock = new MissingLockError('The transaction changes rows that its locks do not protect')
      throw missingLock
    }
    try {
      const dataVersion = await connection.begin(
        ...(lockTimeout === undefined ? [] : [`set local lock_timeout = ${lockTimeout}`]),
        sql.acquireByName(startLocks),
        // At READ COMMITTED each statement has its own snapshot: this one is taken when the locks are held.
        ...(isMigration ? [] : [sql.readVersion]),
      )
      const version = cache.syncVersion(dataVersion)
      const outbox: RecordedEvent[] | undefined = feed && []
      const handle = createHandle({
        ...shared,
        query: connection.query,
        getVersion: () => version,
        onChange: assertLocked,
        outbox,
      })
      const lock = async (wanted: readonly Lock[]) => {
        hasLock ||= wanted.some(({ isShared }) => !isShared)
        if (isFirstLock && queue !== '') usualLocks.set(queue, wanted)
        isFirstLock = false
        const missing = wanted.filter((lock) => !includesLock(startLocks, lock))
        if (!missing.length) return
        const text = sql.acquireByParameter(missing)
        await connection.query({ ...shared.statements.named(text), text, values: missing.map(({ name }) => name) })
      }
      const result = await work(locks ? { ...handle, lock } : handle)
      if (missingLock) throw missingLock
      // The last statement, while the locks are held: the order of the events depends on it.
      if (outbox?.length) await feed?.record(connection.query, outbox)
      await commit(connection)
      if (outbox?.length) feed?.committed()
      return result
    } catch (error) {
      // PostgreSQL rolls back when the connection ends.
      if (!connection.isBroken) await connection.execute('rollback').catch(connection.discard)
      throw missingLock ?? error
    }
  }

  let busyRetries = 0
  const writeAtOnce = <T>(
    work: (handle: Handle) => MaybePromise<T>,
    { queue, ...options }: WriteOptions,
    wait: Wait,
  ): Promise<T> =>
    connections.use(async (connection) => {
      let { locks } = options
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(connection, work, { locks, queue, lockTimeout: wait.getLockTimeout() })
        } catch (error) {
          if (connection.isBroken) throw error
          if (error instanceof MissingLockError) locks = undefined
          else {
            if (!isSerializationFailure(error) || attempt >= maxAttempts) throw error
            busyRetries += 1
            await pause(Math.random() * 2 ** attempt)
          }
        }
      }
    })

  /**
   * Transactions that would wait for each other inside PostgreSQL take a connection one after another. Otherwise they take
   * twice the time in the database, because its processes wake each other, and occupy connections that others could use.
   */
  const write: Store['write'] = (work, options = {}) => {
    const { locks, queue = locks ? locks[0] : instanceLock, patience } = options
    const wait = createWait(lockTimeout, patience)
    const run = () => runLocked(writers, () => writeAtOnce(work, options, wait), wait.getLimit())
    return queue === undefined ? run() : queues.run(queue, run, wait.getLimit())
  }

  /** Processes that start at the same moment migrate one after another. */
  const migrateWithLock = () =>
    connections.use(async (connection) => {
      // Migrations of a large database, and the wait for those of another process, can take minutes.
      await connection.removeTimeouts()
      // The lock ends with the session.
      await connection.execute(`select pg_advisory_lock(${migrationLock})`)
      if (schema) await createSchemaIfMissing(connection, schema)
      await migrate(
        (work) => runTransaction(connection, work, { locks: undefined, isMigration: true }),
        (statements) => connection.execute(renderSql('postgres', { schema }, statements)),
      )
    })

  return {
    dialect: 'postgres',
    read: replicas ? replicas.read : async (work) => read(work),
    write,
    writeAlone: write,
    readState: async () => {
      const state = await read(readSchemaState)
      const events = state.pending.length ? undefined : await feed?.readState(queryThrough(connections))
      return { ...state, busyRetries, events, replicas: await replicas?.readState() }
    },
    events: feed,
    migrate: runUntilSuccess(async () => {
      const { pending, unknown } = await read(readSchemaState)
      if (pending.length || unknown.length) await migrateWithLock()
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
