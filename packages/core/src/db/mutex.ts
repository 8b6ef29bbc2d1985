import type { MaybePromise } from '../kernel/store.ts'

/** Runs work one after another, in the order of the calls. */
export interface Mutex {
  /** Whether work runs. */
  readonly isLocked: boolean
  /** Waits until no other work runs; returns nothing to await if none does. */
  acquire(): MaybePromise<void>
  release(): void
}

/** A limit for the wait. */
export interface WaitLimit {
  /** Milliseconds; 0 sets no limit. */
  readonly timeout: number
  readonly createError: () => Error
}

/** @param limit without it, work waits for as long as necessary */
export const createMutex = (limit?: WaitLimit): Mutex => {
  const waiters = new Set<() => void>()
  let isLocked = false
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        waiters.delete(start)
        resolve()
      }
      const timer = limit?.timeout
        ? setTimeout(() => {
            waiters.delete(start)
            reject(limit.createError())
          }, limit.timeout)
        : undefined
      waiters.add(start)
    })
  return {
    get isLocked() {
      return isLocked
    },
    acquire() {
      if (isLocked) return wait()
      isLocked = true
      return undefined
    },
    release() {
      // The mutex passes directly to the next waiter, so that no later call can overtake it.
      const [next] = waiters
      if (next) next()
      else isLocked = false
    },
  }
}

/** Runs work after all work that was passed before. */
export const runLocked = async <T>(mutex: Mutex, work: () => MaybePromise<T>): Promise<T> => {
  const turn = mutex.acquire()
  if (turn) await turn
  try {
    return await work()
  } finally {
    mutex.release()
  }
}
