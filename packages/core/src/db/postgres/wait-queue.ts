import { createMutex, type Mutex, runLocked, type WaitLimit } from '../mutex.ts'

/** Work that waits for its turn, in the order of the calls. */
export interface WaitQueues {
  /**
   * Runs work after all earlier work of the same name has ended.
   *
   * @param limit of this wait; default: that of all queues
   * @throws the error of the limit if the turn does not come in time
   */
  run<T>(name: string, work: () => Promise<T>, limit?: WaitLimit): Promise<T>
}

export const createWaitQueues = (commonLimit?: WaitLimit): WaitQueues => {
  /** The mutex of each name with running work. */
  const mutexes = new Map<string, Mutex>()
  return {
    async run(name, work, limit) {
      const mutex = mutexes.get(name) ?? createMutex(commonLimit)
      mutexes.set(name, mutex)
      try {
        return await runLocked(mutex, work, limit)
      } finally {
        if (!mutex.isLocked) mutexes.delete(name)
      }
    },
  }
}
