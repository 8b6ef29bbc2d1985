/** Runs at most `limit` functions at once, in the order of the calls. */
export const createConcurrencyLimiter = (limit: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Passes the slot on directly, so that no later call can take it first.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
