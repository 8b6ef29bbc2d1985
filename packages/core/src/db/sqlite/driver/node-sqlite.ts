import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { getErrorCode, toError } from '../../../shared/error-code.ts'
import type { OpenOptions, SqliteDatabase, SqliteDriver, SqliteStatement } from './driver.ts'

/** The primary result codes of SQLite, in the order of their numbers: https://sqlite.org/rescode.html */
const primary =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  )

/** The extended codes that callers distinguish. Their lowest byte is the primary code. */
const extended: Readonly<Record<number, string>> = {
  778: 'IOERR_WRITE',
  1288: 'READONLY_CANTINIT',
  1544: 'READONLY_DIRECTORY',
  1555: 'CONSTRAINT_PRIMARYKEY',
  2067: 'CONSTRAINT_UNIQUE',
}

/** The name of a result code: `SQLITE_CONSTRAINT_UNIQUE` for 2067. */
const toErrorCode = (resultCode: number): string =>
  `SQLITE_${extended[resultCode] ?? primary[resultCode & 0xff] ?? resultCode}`

type NodeSqlite = typeof import('node:sqlite')

/** Runs work; errors of SQLite, which have the number of their result code, receive its name as `code`. */
const withErrorCodes = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw nameErrorCode(error)
  }
}

const nameErrorCode = (error: unknown): unknown => {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? Object.assign(toError(error), { code: toErrorCode(errcode) }) : error
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

const noParameters: readonly unknown[] = []

const wrapStatement = (statement: StatementSync): SqliteStatement => {
  statement.setReturnArrays(true)
  return {
    columns: statement.columns(),
    all: (parameters = noParameters) =>
      withErrorCodes(() => statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]),
    iterate: (parameters) =>
      withErrorCodes(
        () => statement.iterate(...(parameters as SQLInputValue[])) as unknown as IterableIterator<unknown[]>,
      ),
    run: (parameters = noParameters) =>
      withErrorCodes(
        () => statement.run(...(parameters as SQLInputValue[])) as { changes: number; lastInsertRowid: number },
      ),
  }
}

const wrapDatabase = (
  native: DatabaseSync,
  isReadOnly: boolean,
  driver: SqliteDriver,
  backup: NodeSqlite['backup'],
): SqliteDatabase => ({
  driver,
  native,
  path: native.location() ?? undefined,
  isReadOnly,
  get isOpen() {
    return native.isOpen
  },
  get inTransaction() {
    return native.isTransaction
  },
  exec: (sql) => withErrorCodes(() => native.exec(sql)),
  prepare: (sql) => withErrorCodes(() => wrapStatement(native.prepare(sql))),
  serialize: () => withErrorCodes(() => toBuffer(native.serialize())),
  async backup(target, stepPages, onStep) {
    const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
      onStep(totalPages - remainingPages, totalPages)
    await backup(native, target, { rate: stepPages, progress }).catch((error) => {
      throw nameErrorCode(error)
    })
  },
  close: () => native.close(),
})

/** Whether writes are rejected: the library does not report how a connection was opened. Tries a write that changes nothing. */
const detectReadOnly = (native: DatabaseSync): boolean => {
  if (native.isTransaction) return false
  const { user_version: version } = native.prepare('pragma user_version').get() as { user_version: number }
  try {
    withErrorCodes(() => native.exec(`begin; pragma user_version = ${version}`))
    return false
  } catch (error) {
    return getErrorCode(error).startsWith('SQLITE_READONLY')
  } finally {
    if (native.isTransaction) native.exec('rollback')
  }
}

export const createNodeSqliteDriver = ({ DatabaseSync, backup }: NodeSqlite): SqliteDriver => {
  const openImage = (image: Buffer) => {
    const native = new DatabaseSync(':memory:')
    native.deserialize(image)
    return native
  }
  const openFile = (path: string, { readOnly = false, mustExist = false }: OpenOptions) => {
    if (path === ':memory:' || path === '') return new DatabaseSync(path)
    // Only a URI can state that the file must exist.
    return new DatabaseSync(mustExist && !readOnly ? `${pathToFileURL(path).href}?mode=rw` : path, { readOnly })
  }
  const driver: SqliteDriver = {
    name: 'node:sqlite',
    open: (source, options = {}) =>
      withErrorCodes(() => {
        const native = Buffer.isBuffer(source) ? openImage(source) : openFile(source, options)
        return wrapDatabase(native, options.readOnly ?? false, driver, backup)
      }),
    wrap(native) {
      const database = native as DatabaseSync
      return wrapDatabase(database, detectReadOnly(database), driver, backup)
    },
  }
  return driver
}
