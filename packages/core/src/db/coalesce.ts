/**
 * Shares the results of a function between callers, of whom each one requires a result of a call that began after its own: one
 * call runs, and all callers that arrive meanwhile share the next one.
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
