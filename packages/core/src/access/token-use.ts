import type { Actor } from '../kernel/actor.ts'
import type { MaybePromise, Store } from '../kernel/store.ts'

/**
 * Records the use of the token that a call was made with: at most once a day, because each record is a transaction, and
 * invalidates the cached permissions. A failure is ignored: the call has succeeded, and the next one tries again.
 */
export const recordTokenUse = (store: Store, actor: Actor, now: string): MaybePromise<void> => {
  const id = actor.kind === 'user' ? actor.unrecordedToken : undefined
  if (id === undefined || store.getWriteError?.()) return undefined
  return store
    .write(async ({ db }) => {
      await db.updateTable('personalAccessToken').set({ lastUsedAt: now }).where('id', '=', id).execute()
    }, [])
    .catch(() => undefined)
}
