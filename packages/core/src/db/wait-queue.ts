import { createMutex, type Mutex, runLocked, type WaitLimit } from './mutex.ts'

/** Work that waits for its turn, in the order of the calls. */
export interface WaitQueues {
  /**
   * Runs work after all earlier work of the same name has ended.
   *
   * @throws the error of the limit if the turn does not come in time
   */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
}

export const createWaitQueues = (limit: WaitLimit): WaitQueues => {
  /** The mutex of each name with running work. */
  const mutexes = new Map<string, Mutex>()
  return {
    async run(name, work) {
      const mutex = mutexes.get(name) ?? createMutex(limit)
      mutexes.set(name, mutex)
      try {
        return await runLocked(mutex, work)
      } finally {
        if (!mutex.isLocked) mutexes.delete(name)
      }
    },
  }
}
