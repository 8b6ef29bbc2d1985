import type { Client, ClientConfig, Pool } from 'pg'
import { loadPg } from '../postgres/load-pg.ts'
import type { RunStatement } from './outbox.ts'

/** A session outside the pool, which receives notifications. */
export interface Listener {
  readonly run: RunStatement
  /** Notifies the listeners of all processes, including this one. */
  notify(): Promise<void>
  /** Takes the lock of a name for as long as the session exists; false if another session has it. */
  tryLock(name: string): Promise<boolean>
  close(): Promise<void>
}

interface ListenerOptions {
  /** A URL, or a pool with the settings of the connection. */
  readonly source: Pool | string
  readonly channel: string
  readonly connectTimeout: number
  /** Called for each notification, and when the session ends. */
  readonly onNotification: () => void
}

/** Milliseconds after which a statement fails, because the server no longer responds. */
const replyTimeout = 30_000

const toConfig = (source: Pool | string): ClientConfig =>
  typeof source === 'string' ? { connectionString: source } : source.options

/** Opens a session that listens on the channel. */
export const openListener = async (options: ListenerOptions): Promise<Listener> => {
  const { source, channel, connectTimeout, onNotification } = options
  const { Client } = loadPg()
  const client: Client = new Client({
    ...toConfig(source),
    // A copy omits the password, which is not enumerable in the options of a pool.
    ...(typeof source !== 'string' && source.options.password !== undefined && { password: source.options.password }),
    connectionTimeoutMillis: connectTimeout,
    query_timeout: replyTimeout,
    keepAlive: true,
  })
  client.on('error', onNotification)
  client.on('end', onNotification)
  client.on('notification', onNotification)
  const run: RunStatement = ({ text, values }) => client.query({ text, values, rowMode: 'array' })
  const close = async () => void (await client.end().catch(() => undefined))
  try {
    await client.connect()
    await run({ text: `listen ${channel}`, values: [] })
  } catch (error) {
    await close()
    throw error
  }
  return {
    run,
    notify: async () => void (await run({ text: `notify ${channel}`, values: [] })),
    async tryLock(name) {
      // The number has 64 bits, so names do not collide in practice.
      const text = 'select pg_try_advisory_lock(hashtextextended($1, 0))'
      const { rows } = await run({ text, values: [`${channel} ${name}`] })
      return rows[0]?.[0] === true
    },
    close,
  }
}
