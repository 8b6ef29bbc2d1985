import type { Actor } from '../kernel/actor.ts'
import type { MaybePromise, Store } from '../kernel/store.ts'

/**
 * Records the use of the token that a call was made with: at most once a day, because each record is a transaction, and
 * invalidates the cached permissions. A failure is ignored: the call has succeeded, and the next one tries again.
 */
export const createTokenUseRecorder = (store: Store): ((actor: Actor, now: string) => MaybePromise<void>) => {
  /** Concurrent calls with the same token record its use once. */
  const pending = new Set<number>()
  const record = async (id: number, lastUsedAt: string) => {
    pending.add(id)
    try {
      await store.write(({ db }) =>
        db.updateTable('personalAccessToken').set({ lastUsedAt }).where('id', '=', id).execute(),
      )
    } catch {
      // See above.
    } finally {
      pending.delete(id)
    }
  }
  return (actor, now) => {
    const id = actor.kind === 'user' ? actor.unrecordedToken : undefined
    if (id === undefined || pending.has(id) || store.getWriteError?.()) return undefined
    return record(id, now)
  }
}
