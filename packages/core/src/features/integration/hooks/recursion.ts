import type { Context } from '../../../kernel/context.ts'
import type { DeliveryResult } from './delivery.ts'

/** Hooks whose requests can follow from each other. */
const maxChainLength = 100

export const recursionReason = `Blocked: the event follows from a request of this hook, or from those of ${maxChainLength} hooks`

/** Hooks that the chain of the current call must not reach. */
interface Blocked {
  readonly isBlocked: (hookId: number) => boolean
  /** Whether the log already contains this: one entry for each hook of a chain is enough. */
  readonly isLogged: (hookId: number) => boolean
}

const nothing: Blocked = { isBlocked: () => false, isLogged: () => false }

/**
 * The hooks to which the current call must send nothing, because it follows from their own requests. Without this, a receiver that
 * calls the API would answer its own events for ever.
 */
export const findBlocked = async ({ db, call: { hookChain } }: Context): Promise<Blocked> => {
  if (!hookChain) return nothing
  const rows = await db
    .selectFrom('hookDelivery')
    .where('chain', '=', hookChain.uuid)
    .distinct()
    .select(['hookId', 'chainCall', (eb) => eb('state', '=', 'blocked').as('blocked')])
    .execute()
  const logged = new Set(rows.filter(({ blocked }) => Boolean(blocked)).map(({ hookId }) => hookId))
  const earlier = rows.filter(({ blocked, chainCall }) => !blocked && chainCall !== hookChain.call)
  const passed = new Set(earlier.map(({ hookId }) => hookId))
  return {
    isBlocked: (hookId) => passed.has(hookId) || passed.size >= maxChainLength,
    isLogged: (hookId) => logged.has(hookId),
  }
}

/** The log entry of a request that was never sent. */
export const toBlockedResult = (reason: string): DeliveryResult => ({
  requestHeaders: {},
  status: null,
  responseHeaders: {},
  responseBody: reason,
  duration: 0,
})
