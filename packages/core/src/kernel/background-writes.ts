import type { Handle, MaybePromise, Store } from './store.ts'

/** Writes that no caller waits for, because they record a call that has succeeded, such as the last use of a token. */
export interface BackgroundWrites {
  /**
   * Starts a transaction, unless one with the same key is pending. Its failure is ignored: the next call tries again.
   *
   * @returns something to await only where the write is a part of an open transaction, which must not end before it, and on
   *   connections of a host, whose next statement must not become a part of it
   */
  start(key: string, work: (handle: Handle) => MaybePromise<unknown>): MaybePromise<void>
  /** Resolves when no write is pending. */
  settle(): Promise<void>
}

export const createBackgroundWrites = (store: Store): BackgroundWrites => {
  const pending = new Map<string, Promise<void>>()
  const ignoreFailure = () => undefined
  return {
    start(key, work) {
      if (pending.has(key) || store.getWriteError?.()) return undefined
      const write = store
        .write(work)
        .then(ignoreFailure, ignoreFailure)
        .finally(() => pending.delete(key))
      pending.set(key, write)
      return store.isTransaction || store.isHostConnection ? write : undefined
    },
    async settle() {
      while (pending.size) await Promise.all(pending.values())
    },
  }
}
