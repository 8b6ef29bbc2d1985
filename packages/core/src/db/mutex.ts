import type { MaybePromise } from '../kernel/store.ts'

/** Runs work one after another, or a limited number at the same time, in the order of the calls. */
export interface Mutex {
  /** Whether new work has to wait. */
  readonly isLocked: boolean
  /**
   * Waits for its turn; returns nothing to await if it has come.
   *
   * @param limit of this wait; default: that of the mutex
   */
  acquire(limit?: WaitLimit): MaybePromise<void>
  release(): void
}

/** A limit for the wait. */
export interface WaitLimit {
  /** Milliseconds; 0 sets no limit. */
  readonly timeout: number
  /** The error of the wait when its time is over; undefined to wait for the same time again. */
  readonly createError: () => Error | undefined
}

/**
 * @param limit without it, work waits for as long as necessary
 * @param capacity how much work may run at the same time
 */
export const createMutex = (limit?: WaitLimit, capacity = 1): Mutex => {
  const waiters = new Set<() => void>()
  let running = 0
  const wait = (limit: WaitLimit | undefined) =>
    new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const start = () => {
        clearTimeout(timer)
        waiters.delete(start)
        resolve()
      }
      const startTimer = ({ timeout, createError }: WaitLimit) => {
        timer = setTimeout(() => {
          const error = createError()
          if (error === undefined) return startTimer({ timeout, createError })
          waiters.delete(start)
          reject(error)
        }, timeout)
      }
      if (limit?.timeout) startTimer(limit)
      waiters.add(start)
    })
  return {
    get isLocked() {
      return running >= capacity
    },
    acquire(ownLimit) {
      if (running >= capacity) return wait(ownLimit ?? limit)
      running += 1
      return undefined
    },
    release() {
      // The turn passes directly to the next waiter, so that no later call can overtake it.
      const [next] = waiters
      if (next) next()
      else running -= 1
    },
  }
}

/** Runs work after all work that was passed before. */
export const runLocked = async <T>(mutex: Mutex, work: () => MaybePromise<T>, limit?: WaitLimit): Promise<T> => {
  const turn = mutex.acquire(limit)
  if (turn) await turn
  try {
    return await work()
  } finally {
    mutex.release()
  }
}
