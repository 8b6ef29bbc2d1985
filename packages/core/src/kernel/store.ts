import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'

/** A value now (SQLite) or later (PostgreSQL); `await` serves both. */
export type Soon<T> = T | Promise<T>

/** A row as features see it: camelCase names, booleans and JSON already read. */
export type Row = Readonly<Record<string, unknown>>

export type Dialect = 'sqlite' | 'postgres'

/** One way into the database: Kysely for writing SQL, `run` for SQL that was compiled before. */
export interface Handle {
  readonly dialect: Dialect
  readonly db: Kysely<Database>
  run(sql: string, parameters: readonly unknown[]): Soon<readonly Row[]>
}

/** Where data lives. Reads see committed data only; writes are one transaction each and never interleave their effects. */
export interface Store {
  readonly dialect: Dialect
  read<T>(work: (handle: Handle) => Promise<T>): Promise<T>
  write<T>(work: (handle: Handle) => Promise<T>): Promise<T>
  /** Brings the schema up to date. Runs at most once a store. */
  migrate(): Promise<void>
  close(): Soon<void>
}

/** A store whose reads and writes all join one open transaction. */
export const joined = (handle: Handle): Store => ({
  dialect: handle.dialect,
  read: (work) => work(handle),
  write: (work) => work(handle),
  migrate: async () => undefined,
  close: () => undefined,
})
