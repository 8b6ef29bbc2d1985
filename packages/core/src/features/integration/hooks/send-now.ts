import { randomUUID } from 'node:crypto'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import type { DeliveryResult, HookPayload } from './delivery.ts'
import { countRequests, getNextMinute, isAtLimit, isCrowdedOut } from './delivery-rate.ts'
import type { EventKind } from './event-kinds.ts'
import { getHookRules, insertEvent } from './mutations.ts'
import { completePayload } from './payloads/complete.ts'
import type { HookRow } from './queries.ts'
import { findBlocked, recursionReason } from './recursion.ts'
import { sendToHook, toOutcome } from './send.ts'

/** Milliseconds after which the call stops waiting for the receiver; longer than the limit of a request. */
const timeout = 20_000

interface Request {
  readonly kind: EventKind
  /** `X-Gitlab-Event-UUID`, unless the current call follows from a request of a hook. */
  readonly chain: string
  readonly payload: HookPayload
  /** Whether commits are still to be read from the repository. */
  readonly isComplete: boolean
}

/** @throws PlatformError `unprocessable` for a chain of requests, `limited` for too many */
const assertMayReceive = async (ctx: Context, hook: HookRow) => {
  const { isBlocked } = await findBlocked(ctx)
  if (isBlocked(hook.id)) throw new PlatformError('unprocessable', recursionReason)
  const isLimited = isAtLimit(hook, ctx.now)
  if (!isLimited && !(await isCrowdedOut(ctx, hook))) return
  const retryAfter = Math.ceil((Date.parse(getNextMinute(ctx.now)) - Date.parse(ctx.now)) / 1_000)
  const receiver = isLimited ? 'The hook' : 'The hooks of the top-level namespace'
  throw new PlatformError('limited', `${receiver} received too many requests in this minute`, { retryAfter })
}

/** Sends a request after the transaction, without waiting for earlier deliveries of the hook, and records it in the log. */
export const sendNow = async <T>(
  ctx: Context,
  hook: HookRow,
  event: Request,
  toResult: (result: DeliveryResult) => T,
): Promise<Deferred<T>> => {
  await assertMayReceive(ctx, hook)
  const rules = await getHookRules(ctx, hook)
  const chain = ctx.call.hookChain?.uuid ?? event.chain
  const chainCall = ctx.call.hookChain?.call ?? null
  const { ports } = ctx
  return afterTransaction(async ({ write }) => {
    const signal = AbortSignal.timeout(timeout)
    const payload = await completePayload(write, event, signal)
    const { kind } = event
    const request = { kind, chain, payload, idempotencyKey: randomUUID() }
    const result = await sendToHook(ports, rules, hook, request, signal)
    const state = toOutcome(result) === 'accepted' ? 'delivered' : 'failed'
    await write(async (ctx) => {
      const eventId = await insertEvent(ctx, { kind, payload, isComplete: true })
      const { idempotencyKey } = request
      const sent = {
        idempotencyKey,
        chain,
        chainCall,
        state,
        attempts: 1,
        result,
        responseStatus: result.status,
      } as const
      const row = { hookId: hook.id, eventId, ...sent }
      await countRequests(ctx, hook.id, 1)
      await ctx.db
        .insertInto('hookDelivery')
        .values(row satisfies CompleteRow<'hookDelivery'>)
        .execute()
    })
    return toResult(result)
  })
}
