import { randomUUID } from 'node:crypto'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../kernel/deferred.ts'
import type { DeliveryResult, HookPayload } from './delivery.ts'
import type { EventKind } from './event-kinds.ts'
import { getHookRules, insertEvent } from './mutations.ts'
import { completePayload } from './payloads/complete.ts'
import type { HookRow } from './queries.ts'
import { sendToHook, toOutcome } from './send.ts'

/** Milliseconds after which the call stops waiting for the receiver; longer than the limit of a request. */
const timeout = 20_000

interface Request {
  readonly kind: EventKind
  readonly eventUuid: string
  readonly payload: HookPayload
  /** Whether commits are still to be read from the repository. */
  readonly isComplete: boolean
}

/** Sends a request after the transaction, without waiting for earlier deliveries of the hook, and records it in the log. */
export const sendNow = async <T>(
  ctx: Context,
  hook: HookRow,
  event: Request,
  toResult: (result: DeliveryResult) => T,
): Promise<Deferred<T>> => {
  const rules = await getHookRules(ctx, hook)
  const { ports } = ctx
  return afterTransaction(async ({ write }) => {
    const signal = AbortSignal.timeout(timeout)
    const payload = await completePayload(write, event, signal)
    const { kind, eventUuid } = event
    const request = { kind, eventUuid, payload, idempotencyKey: randomUUID() }
    const result = await sendToHook(ports, rules, hook, request, signal)
    const state = toOutcome(result) === 'accepted' ? 'delivered' : 'failed'
    await write(async (ctx) => {
      const eventId = await insertEvent(ctx, { kind, uuid: eventUuid, payload, isComplete: true })
      const { idempotencyKey } = request
      const row = { hookId: hook.id, eventId, idempotencyKey, state, attempts: 1, result } as const
      await ctx.db
        .insertInto('hookDelivery')
        .values(row satisfies CompleteRow<'hookDelivery'>)
        .execute()
    })
    return toResult(result)
  })
}
