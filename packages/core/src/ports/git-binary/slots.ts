import { PlatformError } from '../../kernel/errors.ts'

export interface SlotRequest {
  /** Work whose length somebody outside decides, such as a download: it never takes the last slot. */
  readonly long?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface Slots {
  /** Waits for a slot; the answer gives it back, once however often it is called. `limited` when too many wait already. */
  take(request?: SlotRequest): Promise<() => void>
}

interface Waiter {
  readonly long: boolean
  readonly start: () => void
}

/**
 * At most `limit` at once, first come first served, `waiting` more in line for short and for long work each.
 * Long work leaves one slot free, so that slow readers of archives cannot lock out everything else.
 */
export const slots = (limit: number, waiting: number): Slots => {
  const longLimit = Math.max(1, limit - 1)
  let running = 0
  let longRunning = 0
  let line: Waiter[] = []

  const fits = ({ long }: { readonly long: boolean }) => running < limit && !(long && longRunning >= longLimit)

  const enter = (long: boolean) => {
    running += 1
    if (long) longRunning += 1
    let left = false
    return () => {
      if (left) return
      left = true
      running -= 1
      if (long) longRunning -= 1
      const next = line.find(fits)
      if (next === undefined) return
      line = line.filter((waiter) => waiter !== next)
      next.start()
    }
  }

  const take = ({ long = false, signal }: SlotRequest = {}): Promise<() => void> => {
    signal?.throwIfAborted()
    if (fits({ long }) && !line.some((waiter) => waiter.long === long)) return Promise.resolve(enter(long))
    if (line.filter((waiter) => waiter.long === long).length >= waiting) {
      throw new PlatformError('limited', 'Too many repository requests at once', { retryAfter: 1 })
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        line = line.filter((waiter) => waiter !== own)
        reject(signal?.reason)
      }
      const own: Waiter = {
        long,
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve(enter(long))
        },
      }
      line.push(own)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return { take: async (request) => take(request) }
}
