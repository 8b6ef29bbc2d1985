import { type SqliteStore, type Store, sqlite } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'

/** Opens a copy of a database image in memory, or returns `previous` to it, which is faster and possible if it was opened from it. */
export const openImage = async (image: Buffer, previous?: Store): Promise<Store> =>
  (await (previous as Partial<SqliteStore> | undefined)?.revert?.(image))
    ? defined(previous)
    : sqlite(image, { durability: 'process', revertible: true })

/** Whether a store is a SQLite database in memory. */
export const isInMemory = (store: Store): store is SqliteStore => 'serialize' in store && store.filePath === undefined
