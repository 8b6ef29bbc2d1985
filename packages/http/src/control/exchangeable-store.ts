import type { Store } from '@forgelet/core'

/** A store whose database can be swapped under a running platform. */
export interface ExchangeableStore extends Store {
  /** From now on everything happens in `next`; what is under way ends in the database before it, which is then closed. */
  exchange(next: Store): Promise<void>
}

export const exchangeable = (first: Store): ExchangeableStore => {
  let current = first
  return {
    dialect: first.dialect,
    read: (work) => current.read(work),
    write: (work) => current.write(work),
    migrate: () => current.migrate(),
    ...(first.state && { state: async () => (await current.state?.()) as never }),
    ...(first.kept && { kept: first.kept }),
    ...(first.file !== undefined && { file: first.file }),
    close: () => current.close(),
    async exchange(next) {
      const previous = current
      current = next
      await previous.read(async () => undefined)
      await previous.close()
    },
  }
}
