import type { CompleteRow } from '../db/complete-row.ts'
import { getClientNetwork } from '../shared/client-network.ts'
import { defined } from '../shared/defined.ts'
import { getUserId } from './actor.ts'
import { awaitAll } from './await-all.ts'
import type { Context } from './context.ts'
import { PlatformError } from './errors.ts'
import type { LimitState } from './limit-state.ts'
import type { MaybePromise } from './store.ts'

/** The rate limit of an operation for calls over the network. `Input` and `Subject` are those of the operation. */
export interface RateLimit<Input, Subject> {
  /** The name in headers and in the table: `archive`. */
  readonly name: string
  /** Whether calls with a credential are not counted. */
  readonly anonymousOnly?: true
  /** The number of calls allowed in any 60 seconds; 0 for no limit. */
  getLimit(ctx: Context): MaybePromise<number>
  /** Calls with the same name and key share one count. */
  getKey(ctx: Context, input: Input, subject: Subject): string
  /** The error message for calls over the limit. */
  readonly message: string
}

const windowMilliseconds = 60_000

/** One count for each user, each deploy token and deploy key, and for each network of anonymous callers. Callers without an IP address share one. */
export const getCallerKey = ({ actor, call }: Pick<Context, 'actor' | 'call'>): string => {
  if (actor.kind === 'deployToken') return `deploy token:${actor.id}`
  if (actor.kind === 'deployKey') return `deploy key:${actor.sshKeyId}`
  if (actor.kind !== 'anonymous') return `user:${getUserId(actor)}`
  return call.ipAddress === undefined ? 'anonymous' : `address:${getClientNetwork(call.ipAddress)}`
}

/** Deletes rows that count no longer. Calls with other keys may hold some of them on PostgreSQL, and must not be waited for. */
export const deleteExpired = ({ db, dialect, now }: Pick<Context, 'db' | 'dialect' | 'now'>): Promise<unknown> => {
  const expired = db.selectFrom('rateLimit').where('expiresAt', '<=', now).select('key')
  const unlocked = dialect === 'postgres' ? expired.forUpdate().skipLocked() : expired
  return db.deleteFrom('rateLimit').where('key', 'in', unlocked).execute()
}

/**
 * Counts a call against a limit with a sliding window of 60 seconds. The hits are stored in the database, so that all
 * processes share them. A rejected call does not count, so that waiting for `retryAfter` seconds is enough.
 *
 * @returns the new state, and an error (`limited`, with `retryAfter`) for a call over the limit
 */
export async function consumeRateLimit(
  ctx: Pick<Context, 'db' | 'dialect' | 'now'>,
  { name, limit, key, message }: { name: string; limit: number; key: string; message: string },
): Promise<{ readonly state: LimitState; readonly error?: PlatformError }> {
  const { db, now } = ctx
  const instant = Date.parse(now)
  const rowKey = `${name} ${key}`
  const [row] = await awaitAll([
    db.selectFrom('rateLimit').where('key', '=', rowKey).select('hits').executeTakeFirst(),
    deleteExpired(ctx),
  ])
  const stored = row?.hits ?? []
  // After the clock was set back, stored hits can be in the future. They are stored again with the current time: otherwise
  // they would count until the clock reaches them.
  const wasClockSetBack = (stored.at(-1) ?? 0) > instant
  const hits = stored.map((hit) => Math.min(hit, instant)).filter((hit) => hit > instant - windowMilliseconds)
  const isOverLimit = hits.length >= limit
  const newHits = isOverLimit ? hits : [...hits, instant]
  const last = defined(newHits.at(-1))
  const state: LimitState = {
    name,
    limit,
    remaining: Math.max(0, limit - newHits.length),
    resetAt: last + windowMilliseconds,
  }
  if (!isOverLimit || wasClockSetBack) {
    const values = { hits: newHits, expiresAt: new Date(state.resetAt).toISOString() }
    await db
      .insertInto('rateLimit')
      .values({ key: rowKey, ...values } satisfies CompleteRow<'rateLimit'>)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
      .execute()
  }
  if (!isOverLimit) return { state }
  // The hit that has to leave the window before the next call is allowed.
  const blocking = defined(hits[hits.length - limit])
  const retryAfter = Math.max(1, Math.ceil((blocking + windowMilliseconds - instant) / 1_000))
  return { state, error: new PlatformError('limited', message, { retryAfter }) }
}
