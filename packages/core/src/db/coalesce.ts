/**
 * Shares runs of a function between callers that require a run which starts after their call: one run at a time, and all calls
 * during it share the next one.
 */
export const coalesce = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = () => {
    next = undefined
    const current = load().finally(() => {
      if (running === current) running = undefined
    })
    running = current
    return current
  }
  return () => {
    if (!running) return start()
    next ??= running.then(start, start)
    return next
  }
}
