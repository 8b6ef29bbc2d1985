import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { KeptKey } from './kept-key.ts'
import type { StoreState } from './vitals.ts'

/** A value now (SQLite) or later (PostgreSQL); `await` serves both. */
export type Soon<T> = T | Promise<T>

/** Goes on with a value: at once where it is there, without the detour that an `await` takes. For what every call passes. */
export const after = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)

/** A row as features see it: camelCase names, booleans and JSON already read. */
export type Row = Readonly<Record<string, unknown>>

export type Dialect = 'sqlite' | 'postgres'

/** A query whose rows are remembered; the object itself is what it is known by. */
export interface RememberedQuery {
  readonly sql: string
  /** The values it is asked with, each once: the same ones mean the same rows. */
  keyOf(values: Readonly<Record<string, unknown>>): readonly unknown[]
  /** The values as parameters of the text. */
  parametersOf(values: Readonly<Record<string, unknown>>): readonly unknown[]
}

/** One way into the database: Kysely for writing SQL, `run` for SQL that was compiled before. */
export interface Handle {
  readonly dialect: Dialect
  /** The dialect, and what tables are called: a text that was compiled under one wording serves no other. */
  readonly wording: string
  readonly db: Kysely<Database>
  /** Runs one statement, prepared once a text, and reads its rows to their end; none where it returns nothing. */
  run(sql: string, parameters: readonly unknown[]): Soon<readonly Row[]>
  /** Runs an insert of one row and gives its id, if it was inserted. Absent where only the statement itself can return it. */
  readonly insert?: ((sql: string, parameters: readonly unknown[]) => number | undefined) | undefined
  /**
   * Rows that are known already, unless anything may have changed since; shared by all who ask. Absent where nobody can tell
   * what has changed.
   */
  readonly remembered?:
    | ((query: RememberedQuery, values: Readonly<Record<string, unknown>>) => readonly Row[])
    | undefined
  /**
   * Stands for the time since somebody other than this store has last written: the same object for as long as nobody has, to
   * whom this read or transaction could listen. Absent where that cannot be told.
   */
  readonly epoch?: (() => object) | undefined
}

/** Where data lives. Reads see committed data only; writes are one transaction each and never interleave their effects. */
export interface Store {
  /** Which of the two databases it is. */
  readonly dialect: Dialect
  /** Runs `work` on committed data; it cannot write. */
  read<T>(work: (handle: Handle) => Soon<T>): Promise<T>
  /** Runs `work` as one transaction: its result after the commit, or what it threw after the rollback. */
  write<T>(work: (handle: Handle) => Soon<T>): Promise<T>
  /** Brings the schema up to date. Runs at most once a store. */
  migrate(): Promise<void>
  /** How the schema stands, without changing it. Absent on stores that are always up to date, such as open transactions. */
  state?(): Promise<StoreState>
  /** The key that lies with the data. Absent where there is no place for one that only the host can read. */
  readonly kept?: KeptKey
  /** The absolute path of the data file, where the data is one. What belongs to it and is no row lies beside it. */
  readonly file?: string
  /** Lets go of the database. What is under way may fail; a handle of the host stays open. */
  close(): Soon<void>
}

/** A store whose reads and writes all join one open transaction. */
export const joined = (handle: Handle): Store => ({
  dialect: handle.dialect,
  read: async (work) => work(handle),
  write: async (work) => work(handle),
  migrate: async () => undefined,
  close: () => undefined,
})
