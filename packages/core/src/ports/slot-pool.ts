import { PlatformError } from '../kernel/errors.ts'

export interface SlotRequest {
  /** The duration depends on a client or a remote server, as in a download. Never takes the last slot. */
  readonly isLongRunning?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface SlotPool {
  /** Waits for a slot and returns a function that releases it. Throws `limited` when the queue is full. */
  acquire(request?: SlotRequest): Promise<() => void>
}

interface Waiter {
  readonly isLongRunning: boolean
  readonly start: () => void
}

/**
 * A pool of `limit` slots with two FIFO queues of `maximumWaiting` each, for short and for long-running requests. Long-running
 * requests leave one slot free, so that slow downloads of archives cannot block all other requests. `work` names what runs in a
 * slot, for the error message: `git operations`.
 */
export const createSlotPool = (limit: number, maximumWaiting: number, work: string): SlotPool => {
  const longLimit = Math.max(1, limit - 1)
  let running = 0
  let longRunning = 0
  let queue: Waiter[] = []

  const fits = ({ isLongRunning }: { readonly isLongRunning: boolean }) =>
    running < limit && !(isLongRunning && longRunning >= longLimit)

  const takeSlot = (isLongRunning: boolean) => {
    running += 1
    if (isLongRunning) longRunning += 1
    let released = false
    return () => {
      if (released) return
      released = true
      running -= 1
      if (isLongRunning) longRunning -= 1
      const next = queue.find(fits)
      if (next === undefined) return
      queue = queue.filter((waiter) => waiter !== next)
      next.start()
    }
  }

  return {
    async acquire({ isLongRunning = false, signal } = {}) {
      signal?.throwIfAborted()
      const queued = queue.filter((waiter) => waiter.isLongRunning === isLongRunning).length
      if (queued === 0 && fits({ isLongRunning })) return takeSlot(isLongRunning)
      if (queued >= maximumWaiting) {
        throw new PlatformError('limited', `Too many ${work} at once`, { retryAfter: 1 })
      }
      return new Promise((resolve, reject) => {
        const abort = () => {
          queue = queue.filter((other) => other !== waiter)
          reject(signal?.reason)
        }
        const waiter: Waiter = {
          isLongRunning,
          start: () => {
            signal?.removeEventListener('abort', abort)
            resolve(takeSlot(isLongRunning))
          },
        }
        queue.push(waiter)
        signal?.addEventListener('abort', abort, { once: true })
      })
    },
  }
}
