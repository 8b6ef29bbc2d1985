import { setTimeout as pause } from 'node:timers/promises'
import { PlatformError } from '../kernel/errors.ts'
import type { Handle, MaybePromise } from '../kernel/store.ts'
import type { FileGuard } from './data-file.ts'
import { type Mutex, runLocked } from './mutex.ts'
import type { Connection } from './sqlite-connection.ts'
import type { SqliteDatabase, SqliteStatement } from './sqlite-driver/driver.ts'
import { isBusy, translateError } from './sqlite-file.ts'

export type Work<T> = (handle: Handle) => MaybePromise<T>

const busyTimeoutMs = 5_000

/**
 * Milliseconds between checks of the data file, before and after writes. A check takes 10 µs right after a commit, a tenth of
 * a small write.
 */
const guardInterval = 10

/** Retries outside SQLite, because a long busy timeout inside it would block the event loop. */
const beginWithRetry = (begin: SqliteStatement, onRetry: () => void, since?: number): MaybePromise<void> => {
  try {
    begin.run()
  } catch (error) {
    if (!isBusy(error)) throw error
    const now = performance.now()
    const first = since ?? now
    if (now - first > busyTimeoutMs) {
      throw new PlatformError('unavailable', 'The database is busy', { cause: error, retryAfter: 1 })
    }
    onRetry()
    return pause(1 + Math.random() * 4).then(() => beginWithRetry(begin, onRetry, first))
  }
}

interface WriterOptions {
  readonly file: SqliteDatabase
  readonly connection: Connection
  readonly lock: Mutex
  /** Whether the connection belongs to the store and not to the host. */
  readonly isOwned: boolean
  /** Whether writes of one turn of the event loop are committed together. */
  readonly groups: boolean
  /** Whether all writes are savepoints of one transaction, which `keep` commits and `undo` rolls back. */
  readonly isRevertible: boolean
  /** Detects that the data file was deleted or replaced; undefined for data in memory. */
  readonly guard: FileGuard | undefined
  readonly onCommit: () => void
}

/** Writes that share a transaction. */
type Group = PromiseWithResolvers<void>

export interface SqliteWriter {
  /** Runs work as one unit: all of its changes are committed, or none. Resolves after the commit. */
  write<T>(work: Work<T>): Promise<T>
  /** Like `write`, for work that waits for something else than the database, so that other writes do not wait for it. */
  writeAlone<T>(work: Work<T>): Promise<T>
  /** Commits an open group at once, unless one of its writes is running, which would be committed in part. */
  flush(): void
  /**
   * Commits everything, also in a revertible store.
   *
   * @throws Error if the store is revertible and a write is running
   */
  keep(): void
  /** Undoes all writes of a revertible store since the last `keep`. Requires the lock. */
  undo(): void
  countBusyRetries(): number
}

/**
 * Runs each piece of work one after another. With `groups`, those of one turn of the event loop share a transaction, because a
 * commit takes longer than most writes: the first one begins it, each later one runs in a savepoint, and the turn ends with the
 * commit. If the commit fails, all of them fail.
 */
export const createWriter = (options: WriterOptions): SqliteWriter => {
  const { file, connection, lock, isOwned, groups, isRevertible, guard, onCommit } = options
  const beginWrite = file.prepare(isRevertible ? 'savepoint change' : 'begin immediate')
  const commit = file.prepare(isRevertible ? 'release savepoint change' : 'commit')
  const rollback = isRevertible ? 'rollback to savepoint change; release savepoint change' : 'rollback'
  const savepoint = file.prepare('savepoint member')
  const release = file.prepare('release savepoint member')
  let busyRetries = 0
  let group: Group | undefined
  let isWriting = false

  const begin = (): MaybePromise<void> => {
    const error = guard?.check(guardInterval)
    if (error) throw error
    if (isRevertible && !file.inTransaction) file.exec('begin')
    if (isOwned || !file.inTransaction) return beginWithRetry(beginWrite, () => void busyRetries++)
    throw new Error('The host has an open transaction on this database: end it first, or work inside platform.atomic')
  }

  /** Ends the open transaction. On a full disk SQLite has already rolled back; a second rollback would hide the reason. */
  const rollBack = (error: unknown) => {
    if (file.inTransaction) file.exec(rollback)
    connection.onEnd(false)
    group?.reject(translateError(error))
    group = undefined
  }

  const commitGroup = () => {
    if (!group) return
    const { resolve } = group
    try {
      commit.run()
      connection.onEnd(true)
      onCommit()
      // A commit to a deleted file must not be acknowledged.
      const loss = guard?.check(guardInterval)
      if (loss) throw loss
      group = undefined
      resolve()
    } catch (error) {
      rollBack(error)
    }
  }

  /** Begins a group with its first write. */
  const lead = async <T>(work: Work<T>) => {
    const begun = begin()
    if (begun) await begun
    isWriting = true
    try {
      connection.onBegin()
      const result = await work(connection.handle)
      group = Promise.withResolvers<void>()
      return { result, committed: group.promise }
    } catch (error) {
      rollBack(error)
      throw translateError(error)
    } finally {
      isWriting = false
    }
  }

  /** Runs a later write of a group. */
  const join = async <T>(work: Work<T>, { promise }: Group) => {
    savepoint.run()
    isWriting = true
    try {
      const result = await work(connection.handle)
      release.run()
      return { result, committed: promise }
    } catch (error) {
      if (file.inTransaction) file.exec('rollback to savepoint member; release savepoint member')
      else rollBack(error)
      throw translateError(error)
    } finally {
      isWriting = false
    }
  }

  const writeAlone = async <T>(work: Work<T>): Promise<T> => {
    const { result, committed } = await runLocked(lock, async () => {
      commitGroup()
      const led = await lead(work)
      commitGroup()
      return led
    })
    await committed
    return result
  }

  const write = async <T>(work: Work<T>): Promise<T> => {
    const { result, committed } = await runLocked(lock, () => {
      if (group) return join(work, group)
      // Writes that arrive before the immediate wait for the lock before the commit does, and join.
      setImmediate(() => void runLocked(lock, commitGroup))
      return lead(work)
    })
    await committed
    return result
  }

  const flush = () => {
    if (!isWriting) commitGroup()
  }

  return {
    write: groups ? write : writeAlone,
    writeAlone,
    flush,
    keep() {
      flush()
      if (!isRevertible) return
      if (isWriting) throw new Error('A write is running: call serialize() inside read() of the store')
      if (file.inTransaction) file.exec('commit')
    },
    undo() {
      if (file.inTransaction) file.exec('rollback')
    },
    countBusyRetries: () => busyRetries,
  }
}
