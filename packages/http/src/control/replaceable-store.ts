import type { EventConsumer, Store } from '@forgelet/core'

/** A store with a database that can be replaced while the platform runs. */
export interface ReplaceableStore extends Store {
  /** Directs all new calls to `next`. Waits for running ones to finish in the previous database, then closes it. */
  replace(next: Store): Promise<void>
}

export const createReplaceableStore = (first: Store): ReplaceableStore => {
  let current = first
  let consumer: EventConsumer | undefined
  return {
    dialect: first.dialect,
    read: (work) => current.read(work),
    write: (...args) => current.write(...args),
    writeAlone: (work) => current.writeAlone(work),
    migrate: () => current.migrate(),
    getWriteError: () => current.getWriteError?.(),
    ...(first.readState && { readState: async () => (await current.readState?.()) as never }),
    ...(first.events && {
      events: {
        async start(next) {
          consumer = next
          await current.events?.start(next)
        },
      },
    }),
    ...(first.keyStore && { keyStore: first.keyStore }),
    ...(first.filePath !== undefined && { filePath: first.filePath }),
    close: () => current.close(),
    async replace(next) {
      if (consumer) {
        await next.migrate()
        await next.events?.start(consumer)
      }
      const previous = current
      current = next
      await previous.read(async () => undefined)
      await previous.close()
    },
  }
}
