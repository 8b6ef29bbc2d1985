import { AsyncLocalStorage } from 'node:async_hooks'

/** Detects calls of a platform inside the callback of its own `atomic`: they would wait for the transaction that waits for them. */
export interface AtomicGuard {
  /** Runs the callback of `atomic`. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** The error of a call inside the callback; undefined outside. */
  check(): Error | undefined
}

export const createAtomicGuard = (): AtomicGuard => {
  // Created on first use, because the contexts of asynchronous calls slow down all promises on Node.js 22.
  let contexts: AsyncLocalStorage<{ isOpen: boolean }> | undefined
  return {
    run(work) {
      contexts ??= new AsyncLocalStorage()
      const context = { isOpen: true }
      return contexts.run(context, async () => {
        try {
          return await work()
        } finally {
          // Timers and listeners that the callback has started keep its context.
          context.isOpen = false
        }
      })
    },
    check: () =>
      contexts?.getStore()?.isOpen
        ? new Error(
            'This call would wait for the transaction of `atomic` that it is part of: use the platform that `atomic` passes to its callback',
          )
        : undefined,
  }
}
