import type { Actor } from '../kernel/actor.ts'
import type { BackgroundWrites } from '../kernel/background-writes.ts'
import type { MaybePromise } from '../kernel/store.ts'

/**
 * Records the use of the token that a call was made with, and the activity of its user: at most once a day, because each record is a transaction, and
 * invalidates the cached permissions. Concurrent calls with the same token record its use once.
 */
export const recordTokenUse = (writes: BackgroundWrites, actor: Actor, lastUsedAt: string): MaybePromise<void> => {
  const id = actor.kind === 'user' ? actor.unrecordedToken : undefined
  if (id === undefined) return undefined
  const day = lastUsedAt.slice(0, 10)
  return writes.start(`token ${id}`, async ({ db }) => {
    await db.updateTable('personalAccessToken').set({ lastUsedAt }).where('id', '=', id).execute()
    await db
      .updateTable('user')
      .set({ lastActivityOn: day })
      .where('id', '=', db.selectFrom('personalAccessToken').where('id', '=', id).select('userId'))
      .where((eb) => eb.or([eb('lastActivityOn', 'is', null), eb('lastActivityOn', '<', day)]))
      .execute()
  })
}
