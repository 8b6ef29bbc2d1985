import { type Actor, personId } from './actor.ts'
import type { Context } from './context.ts'
import { PlatformError } from './errors.ts'
import type { Soon } from './store.ts'

/** How often one operation may be asked over the network. `Input` and `Subject` are those of the operation. */
export interface RateLimit<Input, Subject> {
  /** What it is called in headers and in the table: `archive`. */
  readonly name: string
  /** How many times within any 60 seconds; 0 is no limit. */
  times(ctx: Context): Soon<number>
  /** What is counted together, besides the name. */
  by(ctx: Context, input: Input, subject: Subject): string
  /** What a caller beyond it is told. */
  readonly message: string
}

/** Where a caller stands against a limit, after this call. */
export interface LimitState {
  /** What the limit is called: `archive`. */
  readonly name: string
  /** Calls within any 60 seconds. */
  readonly limit: number
  /** Calls that are left now. */
  readonly remaining: number
  /** When the window is empty again, in milliseconds since 1970. */
  readonly resetAt: number
}

const windowMilliseconds = 60_000

/** People are counted each by themselves; those without a name share one count. */
export const callerKey = (actor: Actor): string => `user:${personId(actor)}`

/**
 * Counts one call against a limit, in a window that slides: of any 60 seconds no more than `limit` calls are let through.
 * Kept in the database, so that all processes count together. A refused call does not count, so that waiting as long as
 * the refusal says is enough.
 *
 * @returns where the caller stands now, and the refusal (`limited`, with the seconds to wait) where the call was too many
 */
export async function take(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { name, limit, key, message }: { name: string; limit: number; key: string; message: string },
): Promise<{ readonly state: LimitState; readonly refusal?: PlatformError }> {
  const instant = Date.parse(now)
  const whole = `${name} ${key}`
  await db.deleteFrom('rateLimit').where('expiresAt', '<=', now).execute()
  const row = await db.selectFrom('rateLimit').where('key', '=', whole).select('hits').executeTakeFirst()
  // A clock that was set back leaves hits of the future behind: they count as now and go when the window has passed.
  const hits = (row?.hits ?? [])
    .map((hit) => Math.min(hit, instant))
    .filter((hit) => hit > instant - windowMilliseconds)
  const refused = hits.length >= limit
  const kept = refused ? hits : [...hits, instant]
  const last = kept.at(-1) as number
  const state: LimitState = {
    name,
    limit,
    remaining: Math.max(0, limit - kept.length),
    resetAt: last + windowMilliseconds,
  }
  if (refused) {
    // The call that has to leave the window before another one fits.
    const blocking = hits[hits.length - limit] as number
    const retryAfter = Math.max(1, Math.ceil((blocking + windowMilliseconds - instant) / 1_000))
    return { state, refusal: new PlatformError('limited', message, { retryAfter }) }
  }
  const values = { hits: kept, expiresAt: new Date(state.resetAt).toISOString() }
  await db
    .insertInto('rateLimit')
    .values({ key: whole, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute()
  return { state }
}
