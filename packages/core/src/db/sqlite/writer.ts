import { setTimeout as pause } from 'node:timers/promises'
import { PlatformError } from '../../kernel/errors.ts'
import type { Handle, MaybePromise, WriteOptions } from '../../kernel/store.ts'
import { type Mutex, runLocked, type WaitLimit } from '../mutex.ts'
import type { Connection } from './connection.ts'
import type { FileGuard } from './data-file.ts'
import type { SqliteDatabase } from './driver/driver.ts'
import { isBusy, translateError, withoutWaiting } from './file.ts'

export type Work<T> = (handle: Handle) => MaybePromise<T>

/** Milliseconds from the call of a write for which it waits for other processes. */
const busyTimeoutMs = 5_000

/**
 * Milliseconds between checks of the data file, before and after writes. A check takes 10 µs right after a commit, a tenth of
 * a small write.
 */
const guardInterval = 10

const createBusyError = (cause?: unknown) =>
  new PlatformError('unavailable', 'The database is busy', { cause, retryAfter: 1 })

/**
 * Begins a transaction, if necessary after other processes have ended theirs. The wait is outside SQLite, because its own blocks
 * the event loop.
 *
 * @param deadline the time of `performance.now()` after which it fails; it tries at least once
 */
const beginWithRetry = async (begin: () => void, deadline: number, onRetry: () => void): Promise<void> => {
  for (;;) {
    try {
      return begin()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() >= deadline) throw createBusyError(error)
      onRetry()
      await pause(1 + Math.random() * 4)
    }
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
  write<T>(work: Work<T>, options?: Pick<WriteOptions, 'patience'>): Promise<T>
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

  /**
   * For the wait for earlier writes while they wait for another process. Writes without a limit of their own have their turn in
   * time, because those before them fail first.
   */
  const toWaitLimit = (patience: number | undefined): WaitLimit | undefined =>
    patience === undefined
      ? undefined
      : { timeout: patience, createError: () => (isContended ? createBusyError() : undefined) }
  /** Whether another process held the lock at the last attempt. */
  let isContended = false
  const beginOnce = () => {
    try {
      // SQLite's own wait shortens that for a short transaction. Repeated, or as long as a host sets it, it would block the event loop.
      if (isOwned && !isContended) beginWrite.run()
      else withoutWaiting(file, () => beginWrite.run())
      isContended = false
    } catch (error) {
      isContended = isBusy(error)
      throw error
    }
  }

  /** @param deadline see `beginWithRetry` */
  const begin = (deadline: number): MaybePromise<void> => {
    const error = guard?.check(guardInterval)
    if (error) throw error
    if (isRevertible && !file.inTransaction) file.exec('begin')
    if (!isOwned && file.inTransaction) {
      throw new Error('The host has an open transaction on this database: end it first, or work inside platform.atomic')
    }
    try {
      beginOnce()
    } catch (error) {
      if (!isBusy(error)) throw error
      return beginWithRetry(beginOnce, deadline, () => void busyRetries++)
    }
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
  const lead = async <T>(work: Work<T>, deadline: number) => {
    const begun = begin(deadline)
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

  const writeAlone: SqliteWriter['write'] = async (work, { patience } = {}) => {
    // Counted from the call: the writes before this one can have waited for another process as long as they may.
    const deadline = performance.now() + Math.min(patience ?? busyTimeoutMs, busyTimeoutMs)
    const run = async () => {
      commitGroup()
      const led = await lead(work, deadline)
      commitGroup()
      return led
    }
    const { result, committed } = await runLocked(lock, run, toWaitLimit(patience))
    await committed
    return result
  }

  const write: SqliteWriter['write'] = async (work, { patience } = {}) => {
    const deadline = performance.now() + Math.min(patience ?? busyTimeoutMs, busyTimeoutMs)
    const run = () => {
      if (group) return join(work, group)
      // Writes that arrive before the immediate wait for the lock before the commit does, and join.
      setImmediate(() => void runLocked(lock, commitGroup))
      return lead(work, deadline)
    }
    const { result, committed } = await runLocked(lock, run, toWaitLimit(patience))
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
