import type { MaybePromise } from '../kernel/store.ts'
import type { SqliteDatabase } from './sqlite-driver/driver.ts'

/** Serialises work on one connection, in the order of the calls. */
export interface ConnectionLock {
  /** Waits until no other work runs; returns nothing to await if none does. */
  acquire(): MaybePromise<void>
  release(): void
}

/** Runs work after all work that was passed before. */
export const runLocked = async <T>(lock: ConnectionLock, work: () => MaybePromise<T>): Promise<T> => {
  const turn = lock.acquire()
  if (turn) await turn
  try {
    return await work()
  } finally {
    lock.release()
  }
}

const locks = new WeakMap<object, ConnectionLock>()

/** The lock of a connection. Platforms that share a connection under different prefixes share its lock. */
export const getConnectionLock = ({ native }: SqliteDatabase): ConnectionLock => {
  const existing = locks.get(native)
  if (existing) return existing
  const waiters: (() => void)[] = []
  let isLocked = false
  const lock: ConnectionLock = {
    acquire() {
      if (isLocked) return new Promise((resolve) => waiters.push(resolve))
      isLocked = true
      return undefined
    },
    release() {
      // The lock passes directly to the next waiter, so that no later call can overtake it.
      const next = waiters.shift()
      if (next) next()
      else isLocked = false
    },
  }
  locks.set(native, lock)
  return lock
}
