import type { Kysely } from 'kysely'
import type { Database } from '../contract/database.ts'
import type { PlatformError } from './errors.ts'
import type { EventFeed, RecordedEvent } from './event-feed.ts'
import type { KeyStore } from './key-store.ts'
import type { StoreState } from './store-state.ts'

/** A value (SQLite) or a promise (PostgreSQL); `await` handles both. */
export type MaybePromise<T> = T | Promise<T>

/** Like `then`, but synchronous for a value: saves the microtask of an `await` in code that every call runs. */
export const chain = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)

/** A row with camelCase names and decoded booleans and JSON. */
export type Row = Readonly<Record<string, unknown>>

export type Dialect = 'sqlite' | 'postgres'

/** A compiled query with rows that the store may cache; the object itself is the first part of the cache key. */
export interface CachedQuery {
  readonly sql: string
  /** The distinct parameter values, which are the rest of the cache key. */
  getKey(values: Readonly<Record<string, unknown>>): readonly unknown[]
  /** The parameters in the order of the SQL text. */
  getParameters(values: Readonly<Record<string, unknown>>): readonly unknown[]
}

/** A named lock of a transaction, held until its end. */
export interface Lock {
  readonly name: string
  /** Other transactions may share the lock at the same time. */
  readonly isShared?: boolean
}

/** Access to the database: Kysely for building queries, `run` for compiled SQL. */
export interface Handle {
  readonly dialect: Dialect
  /** The dialect and the naming of tables. SQL compiled for one key is not valid for another. */
  readonly schemaKey: string
  readonly db: Kysely<Database>
  /** Runs one statement, prepared once for each text, and returns all its rows. */
  run(sql: string, parameters: readonly unknown[]): MaybePromise<readonly Row[]>
  /** Inserts one row and returns its id, or undefined on a conflict. Omitted where only a `returning` clause provides the id. */
  readonly insert?: ((sql: string, parameters: readonly unknown[]) => number | undefined) | undefined
  /** Runs a query or returns its cached rows, which are shared and frozen. Omitted where changes cannot be detected. */
  readonly queryCached?:
    | ((query: CachedQuery, values: Readonly<Record<string, unknown>>) => MaybePromise<readonly Row[]>)
    | undefined
  /** Collects the domain events of a transaction, which commits them with its changes. Omitted on stores without a feed. */
  readonly outbox?: RecordedEvent[] | undefined
  /**
   * Waits for locks, in this order. Omitted where transactions run one after another: on SQLite, in reads and in transactions
   * that exclude all others.
   */
  readonly lock?: ((locks: readonly Lock[]) => Promise<void>) | undefined
}

export interface WriteOptions {
  /**
   * The names of the locks that the transaction starts with: it excludes the transactions that hold the same ones, and can take
   * more with `handle.lock`. Default: it excludes all others. A transaction that changes permissions, or anything without a
   * lock, is repeated with that default.
   */
  readonly locks?: readonly string[] | undefined
  /**
   * A name that calls have in common which will probably take the same locks: they wait for each other before they take a
   * connection, and take these locks when they begin. It changes the speed only. Default: the first of `locks`.
   */
  readonly queue?: string | undefined
  /**
   * The longest wait for other transactions, in milliseconds from the call; then the write fails with `unavailable`. At most, and
   * by default, the limit of the store.
   */
  readonly patience?: number | undefined
}

/** A database. Reads see committed data only; each write is atomic. */
export interface Store {
  readonly dialect: Dialect
  /** Whether all reads and writes are parts of one open transaction. */
  readonly isTransaction?: true
  /** Whether the host runs statements of its own on the same connection; they would join a transaction that is open. */
  readonly isHostConnection?: boolean
  /** Runs `work` on committed data; it cannot write. */
  read<T>(work: (handle: Handle) => MaybePromise<T>): Promise<T>
  /**
   * Runs `work` in one transaction. Resolves after the commit, rejects after the rollback. `work` may run several times. It waits
   * for nothing but the database, because writes that run at the same time can share a commit.
   */
  write<T>(work: (handle: Handle) => MaybePromise<T>, options?: WriteOptions): Promise<T>
  /** Like `write` without options, for work of the host, which may wait for something else. */
  writeAlone<T>(work: (handle: Handle) => MaybePromise<T>): Promise<T>
  /** Brings the schema up to date. Runs at most once for each store. */
  migrate(): Promise<void>
  /** The state of the schema. Omitted on stores that are always up to date, such as open transactions. */
  readState?(): Promise<StoreState>
  /** The error that writes are rejected with at present; undefined if they are accepted. Checks the data file. */
  getWriteError?(): PlatformError | undefined
  /** The domain events of all processes. Omitted on stores with platforms that deliver only the events of their own calls. */
  readonly events?: EventFeed | undefined
  /** The encryption key stored with the data. Omitted where no private place for it exists. */
  readonly keyStore?: KeyStore
  /** The absolute path of the data file, if there is one. Files that belong to the data lie beside it. */
  readonly filePath?: string
  /** Closes the connections. Running calls may fail; a connection that belongs to the host stays open. */
  close(): MaybePromise<void>
}

/** A store with reads and writes that join one open transaction. */
export const joinTransaction = (handle: Handle): Store => ({
  dialect: handle.dialect,
  isTransaction: true,
  read: async (work) => work(handle),
  write: async (work) => work(handle),
  writeAlone: async (work) => work(handle),
  migrate: async () => undefined,
  close: () => undefined,
})
