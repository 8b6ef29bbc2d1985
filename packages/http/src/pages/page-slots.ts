import { PlatformError } from '@forgelet/core'

interface Waiter {
  readonly caller: string
  start(): void
}

/** Limits how many pages are created at the same time: a page reads and renders up to a hundred long texts. */
export interface PageSlots {
  /**
   * Runs work when a slot is free.
   *
   * @param caller who the work counts for
   * @throws PlatformError `limited` while too many pages of the caller wait, `unavailable` if no slot becomes free in time
   */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>
}

/** @param limits of pages at the same time, in all and of one caller; of waiting pages of one caller; milliseconds of the wait */
export const createPageSlots = (limits = { total: 4, caller: 2, waiting: 200, timeout: 10_000 }): PageSlots => {
  const running = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let sum = 0
  const hasSlot = (caller: string) => sum < limits.total && (running.get(caller) ?? 0) < limits.caller

  const count = (caller: string, change: 1 | -1) => {
    sum += change
    const rest = (running.get(caller) ?? 0) + change
    if (rest > 0) running.set(caller, rest)
    else running.delete(caller)
  }

  const wait = (caller: string) =>
    new Promise<void>((resolve, reject) => {
      let own = 0
      for (const waiter of waiting) if (waiter.caller === caller) own += 1
      if (own >= limits.waiting) {
        reject(new PlatformError('limited', 'Too many pages are waiting', { retryAfter: 5 }))
        return
      }
      const timer = setTimeout(() => {
        waiting.delete(waiter)
        reject(new PlatformError('unavailable', 'Too many pages are created at the moment', { retryAfter: 5 }))
      }, limits.timeout)
      const waiter: Waiter = {
        caller,
        start() {
          clearTimeout(timer)
          waiting.delete(waiter)
          resolve()
        },
      }
      waiting.add(waiter)
    })

  /** The slot passes directly to the first page of a caller with less than its share. */
  const startNext = () => {
    for (const waiter of waiting) {
      if (!hasSlot(waiter.caller)) continue
      count(waiter.caller, 1)
      waiter.start()
      return
    }
  }

  return {
    async run(caller, work) {
      if (hasSlot(caller)) count(caller, 1)
      else await wait(caller)
      try {
        return await work()
      } finally {
        count(caller, -1)
        startNext()
      }
    },
  }
}
