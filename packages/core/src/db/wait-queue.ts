/** Work that waits for its turn, in the order of the calls. */
export interface WaitQueues {
  /**
   * Runs work after all earlier work of the same name has ended.
   *
   * @throws the error of `createTimeoutError` if the turn does not come in time
   */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** @param timeout milliseconds to wait for a turn; 0 sets no limit */
export const createWaitQueues = (timeout: number, createTimeoutError: () => Error): WaitQueues => {
  /** The waiting work of each name that has running work. */
  const queues = new Map<string, Set<() => void>>()

  const enter = (name: string): Promise<void> | undefined => {
    const waiting = queues.get(name)
    if (!waiting) {
      queues.set(name, new Set())
      return undefined
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        waiting.delete(start)
        resolve()
      }
      const stop = () => {
        waiting.delete(start)
        reject(createTimeoutError())
      }
      const timer = timeout > 0 ? setTimeout(stop, timeout) : undefined
      waiting.add(start)
    })
  }

  const leave = (name: string) => {
    const next = queues.get(name)?.values().next().value
    if (next) next()
    else queues.delete(name)
  }

  return {
    async run(name, work) {
      const turn = enter(name)
      if (turn) await turn
      try {
        return await work()
      } finally {
        leave(name)
      }
    },
  }
}
