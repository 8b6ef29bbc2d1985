import { setImmediate as schedule } from 'node:timers'
import { leaveTurn } from '../../shared/time-slice.ts'
import { createMutex, runLocked } from '../mutex.ts'
import type { SqliteDatabase, SqliteStatement } from './driver/driver.ts'

/** Characters of the texts that one statement reads in a turn of the event loop, which takes about 5 ms. */
const maxTurnLength = 4 * 1024 * 1024

/** Characters that a statement reads at once in every turn. */
const alwaysShort = 256 * 1024

type Rows = readonly (readonly unknown[])[]

const measureValue = (value: unknown) => (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0)

const measureRow = (row: readonly unknown[]) => {
  let length = 0
  for (const value of row) length += measureValue(value)
  return length
}

export const isLong = (rows: Rows): boolean => {
  let length = 0
  for (const row of rows) length += measureRow(row)
  return length > maxTurnLength
}

/** Characters that this turn has read, without the shortest results: calls that arrive together share it. */
let turnLength = 0

const endTurn = () => {
  turnLength = 0
}

const addToTurn = (length: number) => {
  if (turnLength === 0 && length > 0) schedule(endTurn)
  turnLength += length
}

/** Reads the rows of a statement; undefined if their texts are too long for what is left of this turn of the event loop. */
export const readShort = (statement: SqliteStatement, parameters: readonly unknown[]): Rows | undefined => {
  const rows: (readonly unknown[])[] = []
  const limit = Math.max(maxTurnLength - turnLength, alwaysShort)
  let length = 0
  for (const row of statement.iterate(parameters)) {
    rows.push(row)
    length += measureRow(row)
    if (length > limit) break
  }
  if (length > alwaysShort) addToTurn(length)
  return length > limit ? undefined : rows
}

/** Reads long results over several turns of the event loop. */
export interface LongReads {
  /** Reads all rows of a statement as of its beginning. Undefined where nothing may happen between its rows, as in a transaction. */
  readonly read: ((sql: string, parameters: readonly unknown[]) => Promise<Rows>) | undefined
  /** Reads the rest of all results at once: an unfinished one prevents other uses of its connection. */
  finish(): void
}

const createTurnReader = () => {
  const unfinished = new Set<() => void>()
  return {
    async read(file: SqliteDatabase, sql: string, parameters: readonly unknown[]): Promise<Rows> {
      const rows: (readonly unknown[])[] = []
      const cursor = file.prepare(sql).iterate(parameters)
      const readRest = () => {
        for (const row of cursor) rows.push(row)
        unfinished.delete(readRest)
      }
      unfinished.add(readRest)
      try {
        while (unfinished.has(readRest)) {
          const { done, value } = cursor.next()
          if (done) break
          rows.push(value)
          addToTurn(measureRow(value))
          if (turnLength > maxTurnLength) await leaveTurn()
        }
      } finally {
        unfinished.delete(readRest)
      }
      return rows
    },
    finish() {
      for (const readRest of unfinished) readRest()
    },
  }
}

/**
 * Long reads of a file, on a connection of their own: the other one ends its snapshot with each turn. One after another, because
 * each of them fills memory.
 */
export const createFileLongReads = (open: () => SqliteDatabase): LongReads & { close(): void } => {
  const lock = createMutex()
  const reader = createTurnReader()
  let file: SqliteDatabase | undefined
  let isClosed = false
  return {
    read: (sql, parameters) =>
      runLocked(lock, () => {
        if (isClosed) throw new Error('The database connection is not open')
        file ??= open()
        return reader.read(file, sql, parameters)
      }),
    finish: reader.finish,
    close() {
      isClosed = true
      reader.finish()
      if (file?.isOpen) file.close()
    },
  }
}

/** Long reads of a database in memory, on its only connection, while `run` keeps the lock of the connection. */
export const createMemoryLongReads = (file: SqliteDatabase) => {
  const reader = createTurnReader()
  const read: LongReads['read'] = (sql, parameters) => reader.read(file, sql, parameters)
  let isReading = false
  return {
    get read() {
      return isReading ? read : undefined
    },
    finish: reader.finish,
    /** Runs work that only reads. */
    async run<T>(work: () => T | Promise<T>): Promise<T> {
      isReading = true
      try {
        return await work()
      } finally {
        isReading = false
      }
    },
  }
}
