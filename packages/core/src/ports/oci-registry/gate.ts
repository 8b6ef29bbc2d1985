/** At most `limit` pieces of work at once, first come first served, whoever brings them. */
export const gate = (limit: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place is handed on rather than freed, so that nobody slips in between.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
