import type { WaitLimit } from '../mutex.ts'
import { createLockTimeoutError } from './errors.ts'

/**
 * The connections that writes may use at the same time: while locks of another process keep all of them waiting, the others are
 * free for reads.
 */
export const countWriters = (connections: number): number => Math.max(1, connections - Math.ceil(connections / 5))

/** The wait of one write: in the queues of this process, and for the locks of others. */
export interface Wait {
  /** The rest of the time, for a wait in this process. */
  getLimit(): WaitLimit
  /** The rest of the time for locks, in milliseconds; undefined while the limit of the connection is close enough. */
  getLockTimeout(): number | undefined
}

/** Milliseconds by which a lock may exceed the limit: an own limit costs a statement. */
const tolerance = 500

/** The minimum timeout of a lock: also a write that has waited long tries to take it. */
const minimumLockTimeout = 10

/**
 * Starts the wait of a write. The limit counts from the call, because the queues before a lock are caused by the same lock.
 *
 * @param lockTimeout the limit of the store, in milliseconds; 0 for none
 * @param patience the limit of the write, if it has one
 */
export const createWait = (lockTimeout: number, patience: number | undefined): Wait => {
  const limit = Math.min(lockTimeout || Number.POSITIVE_INFINITY, patience ?? Number.POSITIVE_INFINITY)
  const deadline = performance.now() + limit
  const getRest = () => Math.max(minimumLockTimeout, Math.round(deadline - performance.now()))
  const hasLimit = limit !== Number.POSITIVE_INFINITY
  return {
    getLimit: () => ({ timeout: hasLimit ? getRest() : 0, createError: createLockTimeoutError }),
    getLockTimeout: () => (hasLimit && getRest() < lockTimeout - tolerance ? getRest() : undefined),
  }
}
