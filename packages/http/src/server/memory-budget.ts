import { type MemoryAccount, PlatformError } from '@forgelet/core'

const mebibyte = 1024 * 1024

/** Bytes of content that replies may hold in memory. */
export interface MemoryLimits {
  /** Of all requests. */
  readonly total: number
  /** Of one caller, by network. */
  readonly caller: number
  /** Milliseconds for which a request waits until others have been sent. */
  readonly timeout: number
}

/** The largest file that is read as a whole, 50 MiB, takes three times its size: as bytes, as Base64 and as JSON. */
const defaultLimits: MemoryLimits = { total: 384 * mebibyte, caller: 192 * mebibyte, timeout: 10_000 }

/** The account of one request. */
export interface RequestMemory extends MemoryAccount {
  /** Whether a reply of this size may be held until it is sent; its bytes count from then on, unless its client is gone. */
  admit(bytes: number): boolean
  /** Returns everything, when the reply has been sent. */
  release(): void
}

export interface MemoryBudget {
  /**
   * Opens the account of a request. Few requests use it, so both functions are called with its first use.
   *
   * @param getCaller who the request counts for; undefined if unknown: it then counts for all requests only
   * @param onUse receives what must be called when the reply has been sent
   */
  open(getCaller: () => string | undefined, onUse?: (release: () => void) => void): RequestMemory
}

const createError = () =>
  new PlatformError('unavailable', 'Too much content is waiting to be sent: try again later', {
    reason: 'memory',
    retryAfter: 5,
  })

/** Limits what replies hold in memory, because clients decide how long: until they have received it. */
export const createMemoryBudget = ({
  total,
  caller: callerLimit,
  timeout,
}: MemoryLimits = defaultLimits): MemoryBudget => {
  const held = new Map<string, number>()
  let sum = 0
  const waiters = new Set<() => void>()

  /** One request is always admitted, so that a limit below its size does not refuse it for ever. */
  const hasRoom = (caller: string | undefined, own: number, bytes: number) => {
    if (sum !== own && sum + bytes > total) return false
    const heldByCaller = caller === undefined ? own : (held.get(caller) ?? 0)
    return heldByCaller === own || heldByCaller + bytes <= callerLimit
  }

  return {
    open(getCaller, onUse) {
      let caller: string | undefined
      let own = 0
      let isUsed = false
      let isReleased = false
      const use = () => {
        if (isUsed) return
        isUsed = true
        caller = getCaller()
        onUse?.(release)
      }
      const add = (bytes: number) => {
        own += bytes
        sum += bytes
        if (caller === undefined) return
        const rest = (held.get(caller) ?? 0) + bytes
        if (rest > 0) held.set(caller, rest)
        else held.delete(caller)
      }
      const release = () => {
        isReleased = true
        add(-own)
        for (const tryAgain of waiters) tryAgain()
      }
      return {
        async reserve(bytes) {
          use()
          if (isReleased) throw createError()
          if (hasRoom(caller, own, bytes)) return add(bytes)
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const tryAgain = () => {
            if (isReleased) return reject(createError())
            if (!hasRoom(caller, own, bytes)) return
            add(bytes)
            resolve()
          }
          const timer = setTimeout(() => reject(createError()), timeout)
          waiters.add(tryAgain)
          try {
            await promise
          } finally {
            clearTimeout(timer)
            waiters.delete(tryAgain)
          }
        },
        admit(bytes) {
          use()
          const missing = bytes - own
          if (missing <= 0 || isReleased) return true
          if (!hasRoom(caller, own, missing)) return false
          add(missing)
          return true
        },
        release,
      }
    },
  }
}
