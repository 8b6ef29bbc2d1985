import type { Pool, PoolClient, QueryArrayResult } from 'pg'
import { isPlatformError } from '../../kernel/errors.ts'
import { isAbortedTransaction, isConnectionError, translateError, unavailableError } from './errors.ts'
import { loadPg } from './load-pg.ts'

/** Time limits in milliseconds. 0 sets no limit; the settings of the server apply then. */
export interface PostgresTimeouts {
  /** For a free connection of the pool that `postgres()` opens for a URL. Default 5,000. A pool of the host has its own. */
  readonly connectTimeout?: number
  /** For one statement. Default 30,000. */
  readonly statementTimeout?: number
  /** For one lock. Default 5,000. For reads through a pool of the host, only `statementTimeout` applies. */
  readonly lockTimeout?: number
  /** Between two statements of a transaction. Default 60,000. */
  readonly idleTransactionTimeout?: number
}

export interface ConnectionOptions extends PostgresTimeouts {
  /** Maximum connections of the pool that `postgres()` opens for a URL. Default 10. */
  readonly connections?: number
}

interface Statement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

/** A connection in use. */
export interface Connection {
  /** Whether the connection has ended or is in an undefined state. It is discarded after use. */
  readonly isBroken: boolean
  query(statement: Statement): Promise<QueryArrayResult<unknown[]>>
  /** Starts a transaction with these statements, without parameters, in one round trip. Returns the first value of the last one. */
  begin(...statements: readonly string[]): Promise<unknown>
  /** Runs statements without parameters or rows, separated by `;`. */
  execute(statements: string): Promise<void>
  /** Removes the time limits from this connection, which is discarded after use. */
  removeTimeouts(): Promise<void>
  /** Closes the connection after use. */
  discard(error: unknown): void
}

interface Acquired {
  readonly client: PoolClient
  readonly connection: Connection
  /** The error that made the connection unusable. */
  getFailure(): unknown
  isReusable(): boolean
}

/** The connections of a store. */
export interface Connections {
  /** The largest number of connections at the same time. */
  readonly count: number
  /**
   * Runs `work` on a connection. Its errors are translated to domain errors; a broken connection is discarded.
   *
   * @throws PlatformError `unavailable` if there is no connection, or if it ends during the work
   */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Milliseconds. */
export const defaultLockTimeout = 5_000

/** Milliseconds for which `close` waits for running work before it ends the connections. */
const closeTimeout = 1_000

/** Milliseconds after the statement timeout: PostgreSQL normally reports it first, unless the network drops packets. */
const replyMargin = 5_000

/**
 * Starting workers or compiling a query takes longer than our queries, and processors are busy with other calls. The planner does
 * it for tables without statistics, which are new or have just been filled.
 *
 * Pages of our tables are in memory or on an SSD, where a random read costs as much as a sequential one. The default is for hard
 * disks: a page of labels reads the whole table then, which takes twice the time of the database.
 */
const plannerSettings =
  'set session max_parallel_workers_per_gather = 0; set session jit = off; set session random_page_cost = 1.1'

const isPool = (source: Pool | string): source is Pool => typeof source !== 'string'

const openPool = (connectionString: string, { connections = 10, connectTimeout = 5_000 }: ConnectionOptions): Pool => {
  const { Pool } = loadPg()
  return new Pool({ connectionString, max: connections, connectionTimeoutMillis: connectTimeout, pipeline: true })
}

/** The largest value of a PostgreSQL setting and of a timer. */
const maxTimeout = 2 ** 31 - 1

const assertTimeout = (name: keyof PostgresTimeouts, value: number) => {
  if (Number.isInteger(value) && value >= 0 && value <= maxTimeout) return value
  throw new TypeError(`The option ${name} must be an integer from 0 to ${maxTimeout}, in milliseconds: ${value}`)
}

const ignore = () => undefined

/** @throws TypeError if `source` is neither a URL nor a pool, or a timeout is invalid */
export const openConnections = (source: Pool | string, options: ConnectionOptions): Connections => {
  assertTimeout('connectTimeout', options.connectTimeout ?? 0)
  const statementTimeout = assertTimeout('statementTimeout', options.statementTimeout ?? 30_000)
  const settings = {
    statement_timeout: statementTimeout,
    lock_timeout: assertTimeout('lockTimeout', options.lockTimeout ?? defaultLockTimeout),
    idle_in_transaction_session_timeout: assertTimeout(
      'idleTransactionTimeout',
      options.idleTransactionTimeout ?? 60_000,
    ),
  }
  const formatSettings = (scope: 'session' | 'local') =>
    Object.entries(settings)
      .filter(([, value]) => value > 0)
      .map(([name, value]) => `set ${scope} ${name} = ${value}`)
      .join('; ')

  const isOwned = !isPool(source)
  if (!isOwned && typeof source.connect !== 'function') throw new TypeError('postgres() takes a URL or a pg pool')
  const pool = isOwned ? openPool(source, options) : source
  // The pool replaces an idle connection that the server closed. Without a listener, its error would end the process.
  if (!pool.listenerCount('error')) pool.on('error', ignore)
  // The sessions of a host's pool also run statements of the host, so their settings change in our transactions only.
  const sessionSettings = isOwned ? [plannerSettings, formatSettings('session')].filter(Boolean).join('; ') : ''
  const transactionSettings = isOwned ? '' : formatSettings('local')
  // The client's own limit ends the wait for a server that no longer responds.
  const replyTimeout =
    statementTimeout > 0 ? { query_timeout: Math.min(statementTimeout + replyMargin, maxTimeout) } : {}
  const configured = new WeakSet<PoolClient>()
  const inUse = new Set<PoolClient>()

  const createConnection = (client: PoolClient): Acquired => {
    let failure: unknown
    let cause: unknown
    let hasTimeouts = true
    const discard = (error: unknown) => {
      failure ??= error
    }
    type ArrayStatement = Statement & { readonly rowMode?: 'array' }
    /** Statements that start in the same turn of the event loop are written together. */
    const writeTogether = () => {
      const { stream } = client.connection
      stream.cork()
      process.nextTick(() => stream.uncork())
    }
    const sendNow = async (statement: ArrayStatement) => {
      if (client.pipeline) writeTogether()
      try {
        return await client.query(hasTimeouts ? { ...statement, ...replyTimeout } : statement)
      } catch (error) {
        if (isConnectionError(error)) discard(error)
        // Statements that were sent together with a failed one are rejected as well. Its error is the cause.
        if (!isAbortedTransaction(error)) cause = error
        throw cause ?? error
      }
    }
    let previous: Promise<unknown> = Promise.resolve()
    /** A client without pipelining accepts a statement only after the reply to the previous one. */
    const sendInTurn = (statement: ArrayStatement) => {
      const result = previous.then(() => sendNow(statement))
      previous = result.catch(ignore)
      return result
    }
    const send = client.pipeline ? sendNow : sendInTurn
    const connection: Connection = {
      get isBroken() {
        return failure !== undefined
      },
      query: (statement) => send({ ...statement, rowMode: 'array' }) as unknown as Promise<QueryArrayResult<unknown[]>>,
      async begin(...statements) {
        const settings = hasTimeouts && transactionSettings ? [transactionSettings] : []
        const text = ['begin isolation level read committed', ...settings, ...statements].join('; ')
        const results = (await send({ text, values: [], rowMode: 'array' })) as unknown as QueryArrayResult<unknown[]>[]
        return results.at(-1)?.rows[0]?.[0]
      },
      execute: async (text) => void (await send({ text, values: [] })),
      async removeTimeouts() {
        hasTimeouts = false
        await connection.execute(
          Object.keys(settings)
            .map((name) => `set session ${name} = 0`)
            .join('; '),
        )
      },
      discard,
    }
    // The error of a session that the server ends; without a listener, it would end the process.
    client.on('error', discard)
    return { client, connection, getFailure: () => failure, isReusable: () => failure === undefined && hasTimeouts }
  }

  const acquire = () =>
    new Promise<Acquired>((resolve, reject) => {
      // The promise of `connect` resolves later than its callback: an error between them would have no listener.
      pool.connect((error, client) => {
        if (client) resolve(createConnection(client))
        else reject(unavailableError(error))
      })
    })

  return {
    count: pool.options.max,
    async use(work) {
      const { client, connection, getFailure, isReusable } = await acquire()
      inUse.add(client)
      try {
        if (sessionSettings && !configured.has(client)) {
          await connection.execute(sessionSettings)
          configured.add(client)
        }
        return await work(connection)
      } catch (error) {
        throw connection.isBroken && !isPlatformError(error) ? unavailableError(getFailure()) : translateError(error)
      } finally {
        inUse.delete(client)
        // The listener of a discarded connection stays, because the end of its socket follows.
        if (isReusable()) client.off('error', connection.discard)
        client.release(!isReusable())
      }
    },
    async close() {
      if (!isOwned) return
      const { promise: timeout, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, closeTimeout)
      await Promise.race([pool.end(), timeout])
      clearTimeout(timer)
      // `end` of a client with pipelining would wait for its statements.
      for (const client of inUse) client.connection.stream.destroy()
    },
  }
}
