import type Sqlite from 'better-sqlite3'
import { createBetterSqlite3Driver } from './better-sqlite3.ts'
import type { SqliteDatabase } from './driver.ts'
import { loadDriver } from './load.ts'
import { register } from './open.ts'

/** A database of better-sqlite3 that the host has opened. */
export interface BetterSqlite3Database {
  readonly inTransaction: boolean
  readonly memory: boolean
  readonly name: string
  readonly open: boolean
  readonly readonly: boolean
  prepare(sql: string): object
  exec(sql: string): unknown
}

/** A database of `node:sqlite` that the host has opened. */
export interface NodeSqliteDatabase {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  location(): string | null
  prepare(sql: string): object
  exec(sql: string): unknown
}

/** @throws TypeError for anything else than a database of a supported library */
export const wrapHostDatabase = (native: BetterSqlite3Database | NodeSqliteDatabase): SqliteDatabase => {
  if (typeof native?.prepare === 'function') {
    if ('isTransaction' in native) return register(loadDriver('node:sqlite').wrap(native))
    // The library of the host: another copy of SQLite in the process would not respect its locks on the file.
    if ('inTransaction' in native) {
      return register(createBetterSqlite3Driver(native.constructor as typeof Sqlite).wrap(native))
    }
  }
  throw new TypeError('sqlite() takes a path, bytes, a better-sqlite3 database or a DatabaseSync of node:sqlite')
}
