/** The names of the drivers: each is the module that it loads. */
export type SqliteDriverName = 'better-sqlite3' | 'node:sqlite'

export interface OpenOptions {
  readonly readOnly?: boolean
  /** Fail instead of creating the file. */
  readonly mustExist?: boolean
}

/** One of the libraries that contain SQLite. Errors have the name of SQLite's result code as `code`: `SQLITE_BUSY`. */
export interface SqliteDriver {
  readonly name: SqliteDriverName
  /** @param source a path, `:memory:`, or the bytes of a database, which are opened as a copy in memory */
  open(source: string | Buffer, options?: OpenOptions): SqliteDatabase
  /** A connection that was opened with the library. */
  wrap(native: object): SqliteDatabase
}

/** A connection, with what the store uses of it. */
export interface SqliteDatabase {
  readonly driver: SqliteDriver
  /** The connection object of the library. */
  readonly native: object
  /** The path of the data file; undefined for data in memory or in a temporary file. */
  readonly path: string | undefined
  readonly isReadOnly: boolean
  readonly isOpen: boolean
  readonly inTransaction: boolean
  /** Runs statements without parameters and results. */
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  serialize(): Buffer
  /** Copies the database to a file, `stepPages` pages at a time; between the steps the event loop continues. */
  backup(target: string, stepPages: number, onStep: (done: number, total: number) => void): Promise<void>
  close(): void
}

export interface SqliteStatement {
  /** The columns of the result, with the declared type of table columns. Empty for a statement without result. */
  readonly columns: readonly { readonly name: string; readonly type: string | null }[]
  /** Rows as arrays of values. Integers that a number cannot represent exactly are rounded or an error. */
  all(parameters?: readonly unknown[]): unknown[][]
  /** The same rows one by one. Until the end, the statement cannot be used otherwise, nor the connection for writing. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown[]>
  run(parameters?: readonly unknown[]): { readonly changes: number; readonly lastInsertRowid: number }
}

/** The first value of the first row. */
export const readValue = (database: SqliteDatabase, sql: string): unknown => database.prepare(sql).all()[0]?.[0]
