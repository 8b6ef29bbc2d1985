import type { Signals } from './contract/signals.ts'
import type { Identity } from './kernel/actor.ts'
import type { Call } from './kernel/call.ts'
import type { PlatformError } from './kernel/errors.ts'
import type { Health } from './kernel/health.ts'
import type { QueuedJob } from './kernel/jobs/inspection.ts'
import type { StorageState } from './kernel/storage-state.ts'
import type { Row } from './kernel/store.ts'
import type { Ports } from './ports/ports.ts'
import type { Session } from './session.ts'

/**
 * Runs one statement of the host in the open transaction. Parameters are written `?` on SQLite and `$1` on PostgreSQL. Rows
 * have camelCase names (`order_id` becomes `orderId`); columns declared as boolean or json are decoded, and integers of any
 * size are numbers.
 */
export type HostStatement = (text: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>

/** A forge. As a session it has the identity of the options, or is anonymous. */
export interface Platform extends Session {
  /**
   * A session with an identity. Cheap: create one for each request. Adapters pass what they know of the request as `call`.
   *
   * @example
   * ```ts
   * import { createPlatform, sqlite } from '@forgelet/core'
   *
   * const platform = createPlatform(sqlite(':memory:'))
   * const host = platform.as({ system: 'setup' })
   * const { id } = await host.users.create({ username: 'ada' })
   * console.log((await platform.as({ user: 'ada' }).users.get()).id === id) // → true
   * console.log((await platform.as({ user: id }).users.get()).username) // → ada
   * await platform.close()
   * ```
   */
  as(identity: Identity, call?: Call): Session
  /**
   * A session of the owner of a personal access token, or of a SCIM token passed as `{ scim: token }`.
   *
   * @throws PlatformError `unauthenticated` if the token is unknown, expired or revoked
   */
  authenticate(token: string | { readonly scim: string }): Promise<Session>
  /**
   * Subscribes to a domain event. Listeners run after the commit, in the order of the events; calls do not wait for them, and
   * their errors go to `onListenerError`. Events of other processes on the same database are delivered only by a PostgreSQL
   * store with the option `events`, which can deliver an event more than once after a failure.
   *
   * @returns a function that ends the subscription; calling it again has no effect
   * @example
   * ```ts
   * import { createPlatform, sqlite } from '@forgelet/core'
   *
   * const platform = createPlatform(sqlite(':memory:'))
   * const created = new Promise<string>((resolve) => {
   *   platform.on('project.created', ({ project }) => resolve(project.fullPath))
   * })
   * await platform.as({ system: 'setup' }).users.create({ username: 'ada' })
   * await platform.as({ user: 'ada' }).projects.create({ path: 'web', name: 'Web' })
   * console.log(await created) // → ada/web
   * await platform.close()
   * ```
   */
  on<N extends keyof Signals>(signal: N, listener: (payload: Signals[N]) => void | Promise<void>): () => void
  /** Opens and migrates the database. Every call waits for it; call it at start-up to see errors early. */
  ready(): Promise<void>
  /**
   * Runs several calls in one transaction: all take effect or none. Inside, use only the platform passed to `work`: calls of
   * other sessions are rejected, because they would wait for this transaction. On PostgreSQL `work` excludes all other
   * commands, and runs again after a deadlock. `at` returns the same platform with a fixed clock, in milliseconds since 1970,
   * or without an argument with the same clock: it records the past, so no user is notified of its changes. `sql` runs a
   * statement of the host in the same transaction, for its own tables.
   */
  atomic<T>(work: (platform: Platform, at: (now?: number) => Platform, sql: HostStatement) => Promise<T>): Promise<T>
  /**
   * Background jobs. Each kind of job runs in a lane of its own, so that an unresponsive server delays no other kind. `serve`
   * runs due jobs automatically; hosts without it call `drain` or `start`.
   */
  readonly jobs: {
    /** Runs all due jobs and returns their number. `isDone` is called before each job; when it returns true, the others stay queued. */
    drain(isDone?: () => boolean): Promise<number>
    /**
     * Starts due jobs every `interval` milliseconds (default 1,000), without waiting for running ones. `onError` receives
     * errors of the database, one in each interval of an outage; `onRecovery` is called when the database responds again.
     *
     * @returns a function that ends this: it aborts running jobs, which are repeated later, and waits for them for at most
     * five seconds
     */
    start(options?: JobStartOptions): () => Promise<void>
    /**
     * When the next job is due, ISO 8601; undefined if none is queued. Daily jobs are queued by the first `drain`. With
     * `skipIdle`, daily jobs count only from the day on which they have an effect if the data does not change until then.
     */
    next(options?: { readonly skipIdle?: boolean }): Promise<string | undefined>
    /** Queued jobs, those due first at the front. At most 100 unless `limit` is set. */
    list(limit?: number): Promise<readonly QueuedJob[]>
  }
  /** The state of the schema and of the job queue. Works before the first migration; fails if the database is unreachable. */
  health(): Promise<Health>
  /** How much is stored, and how much room the disks have. Reads the sizes of all projects and uploads. */
  readStorage(): Promise<StorageState>
  /**
   * The error that writes are rejected with at present: `readonly` for a data file that may only be read, `replaced` for one
   * that was deleted or replaced since it was opened. Undefined if writes are accepted.
   */
  getWriteError(): PlatformError | undefined
  /** The ports in use, including the built-in ones. */
  readonly ports: Ports
  /** Ends `jobs.start`, stops running jobs, which are repeated later, and closes the store. Calling it again has no effect. */
  close(): Promise<void>
}

/** Options of `jobs.start`. */
export interface JobStartOptions {
  readonly interval?: number
  readonly onError?: (error: unknown) => void
  readonly onRecovery?: () => void
}
