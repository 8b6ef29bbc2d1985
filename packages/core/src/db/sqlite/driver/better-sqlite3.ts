import { resolve } from 'node:path'
import type Sqlite from 'better-sqlite3'
import type { SqliteDatabase, SqliteDriver, SqliteStatement } from './driver.ts'

const noColumns: SqliteStatement['columns'] = []
const noParameters: readonly unknown[] = []

const wrapStatement = (statement: Sqlite.Statement<unknown[]>): SqliteStatement => {
  const columns = statement.reader ? statement.columns() : noColumns
  if (statement.reader) statement.raw(true)
  return {
    columns,
    all: (parameters = noParameters) => statement.all(parameters) as unknown[][],
    iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown[]>,
    run(parameters = noParameters) {
      const { changes, lastInsertRowid } = statement.run(parameters)
      return { changes, lastInsertRowid: lastInsertRowid as number }
    },
  }
}

const wrapDatabase = (native: Sqlite.Database, driver: SqliteDriver): SqliteDatabase => ({
  driver,
  native,
  path: native.memory || native.name === '' ? undefined : resolve(native.name),
  isReadOnly: native.readonly,
  get isOpen() {
    return native.open
  },
  get inTransaction() {
    return native.inTransaction
  },
  exec: (sql) => void native.exec(sql),
  prepare: (sql) => wrapStatement(native.prepare(sql)),
  serialize: () => native.serialize(),
  async backup(target, stepPages, onStep) {
    await native.backup(target, {
      progress({ totalPages, remainingPages }) {
        onStep(totalPages - remainingPages, totalPages)
        return stepPages
      },
    })
  },
  close: () => void native.close(),
})

export const createBetterSqlite3Driver = (Database: typeof Sqlite): SqliteDriver => {
  const driver: SqliteDriver = {
    name: 'better-sqlite3',
    open: (source, { readOnly = false, mustExist = false } = {}) =>
      wrapDatabase(new Database(source, { readonly: readOnly, fileMustExist: mustExist }), driver),
    wrap: (native) => wrapDatabase(native as Sqlite.Database, driver),
  }
  return driver
}
