import { constantText } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { preparedQuery } from '../../../kernel/prepared-query.ts'
import type { OutboundRules } from '../../administration/settings/outbound-rules.ts'
import type { DeliveryResult } from './delivery.ts'
import {
  countRequests,
  getNextMinute,
  isAtLimit,
  isCrowdedOut,
  loopReason,
  maxLimitedMinutes,
} from './delivery-rate.ts'
import { failureLimits, getRetryDelay } from './hook.ts'
import { enqueueDeliveries, getHookRules } from './mutations.ts'
import { completePayload } from './payloads/complete.ts'
import { hookColumns } from './queries.ts'
import { toBlockedResult } from './recursion.ts'
import { sendToHook, toOutcome } from './send.ts'

/** After this many attempts a delivery is given up, so that one event cannot block all later ones. */
const maxAttempts = 10

/** Deliveries that one job sends before another hook has its turn. */
const batchSize = 20

/**
 * Milliseconds after which a result is stored at the latest. Results of fast receivers are stored together, because each commit
 * costs as much as a request. Deliveries without a stored result are repeated after a crash.
 */
const maxUnstored = 100

/** Days that deliveries are kept. */
const retentionDays = 7

/** Rows per transaction, so that other writers can run in between. */
const purgeSize = 1_000

/** The state in the index of pending deliveries. */
const pendingState = constantText('pending')

/**
 * A hook with its oldest pending delivery after another one. Prepared, like the update below, because every delivery needs both,
 * and compiling them takes longer than running them.
 */
const selectPending = preparedQuery((db, { hookId, after }: { hookId: number; after: number }) =>
  db
    .selectFrom('hook')
    .innerJoin('hookDelivery as delivery', 'delivery.hookId', 'hook.id')
    .innerJoin('hookEvent as event', 'event.id', 'delivery.eventId')
    .where('delivery.hookId', '=', hookId)
    .where('delivery.state', '=', pendingState)
    .where('delivery.id', '>', after)
    .orderBy('delivery.id')
    .limit(1)
    .select(hookColumns)
    .select(['delivery.id as deliveryId', 'idempotencyKey', 'chain', 'attempts'])
    .select(['event.id as eventId', 'kind', 'payload', 'isComplete']),
)

type Pending = Awaited<ReturnType<typeof selectPending>>[number]

interface Turn {
  readonly pending: Pending
  readonly rules: OutboundRules
}

/** The oldest pending delivery of a hook that may be sent now. `unstored`: sent deliveries whose results are not stored yet. */
const findTurn = async (ctx: Context, hookId: number, unstored: readonly Attempt[] = []): Promise<Turn | undefined> => {
  const [pending] = await selectPending(ctx, { hookId, after: unstored.at(-1)?.pending.deliveryId ?? 0 })
  if (!pending || pending.failures >= failureLimits.permanent) return undefined
  // A job is enqueued for the time of the retry.
  if (pending.retryAt !== null && pending.retryAt > ctx.now) return undefined
  if (isAtLimit(pending, ctx.now, unstored.length)) {
    if (!unstored.length) await pauseHook(ctx, pending)
    return undefined
  }
  if (await isCrowdedOut(ctx, pending, unstored.length)) {
    if (!unstored.length) await delayHook(ctx, pending)
    return undefined
  }
  return { pending, rules: await getHookRules(ctx, pending) }
}

type Recorded = Pick<Pending, 'deliveryId' | 'attempts'> & {
  readonly result: DeliveryResult
  readonly responseStatus: number | null
  readonly state: 'pending' | 'delivered' | 'failed' | 'blocked'
}

const updateDelivery = preparedQuery((db, { deliveryId, attempts, result, responseStatus, state }: Recorded) =>
  db.updateTable('hookDelivery').set({ attempts, result, responseStatus, state }).where('id', '=', deliveryId),
)

/** Stores a payload that was completed for this attempt. */
const storePayload = ({ db }: Context, { eventId, payload }: Pending) =>
  db.updateTable('hookEvent').set({ payload, isComplete: true }).where('id', '=', eventId).execute()

/** An attempt without a stored result. */
interface Attempt {
  readonly pending: Pending
  readonly result: DeliveryResult
}

/** Stores the result of an attempt. Returns whether the next delivery can follow at once. */
const recordResult = async (ctx: Context, { pending: hook, result }: Attempt): Promise<boolean> => {
  const outcome = toOutcome(result)
  const attempts = hook.attempts + 1
  const isGivenUp = outcome === 'rejected' || attempts >= maxAttempts
  const state = outcome === 'accepted' ? 'delivered' : isGivenUp ? 'failed' : 'pending'
  await updateDelivery(ctx, {
    deliveryId: hook.deliveryId,
    attempts,
    result,
    responseStatus: result.status,
    state,
  })
  if (!hook.isComplete) await storePayload(ctx, hook)
  if (outcome === 'accepted') {
    if (hook.failures > 0 || hook.retryAt !== null)
      await ctx.db.updateTable('hook').set({ failures: 0, retryAt: null }).where('id', '=', hook.id).execute()
    return true
  }
  const failures = hook.failures + 1
  const waits = outcome === 'failed' || failures >= failureLimits.temporary
  const retryAt = waits ? addSeconds(ctx.now, getRetryDelay(failures)) : null
  await ctx.db.updateTable('hook').set({ failures, retryAt }).where('id', '=', hook.id).execute()
  if (failures >= failureLimits.permanent) await dropPending(ctx, hook.id)
  else if (retryAt !== null) await enqueueDeliveries(ctx, [hook.id], retryAt)
  return !waits
}

/** Stores the results of attempts; all but the last were accepted. Returns whether the next delivery can follow at once. */
const recordResults = async (ctx: Context, attempts: readonly Attempt[]): Promise<boolean> => {
  let continues = true
  const [first] = attempts
  if (first) await countRequests(ctx, first.pending.id, attempts.length)
  for (const attempt of attempts) continues = await recordResult(ctx, attempt)
  return continues
}

/** Delays deliveries to the next minute, because those of other hooks have reached the limit. */
const delayHook = async (ctx: Context, { id, limitedMinutes }: Pending) => {
  const retryAt = getNextMinute(ctx.now)
  // Shown as paused; the next minute below the limit resets it.
  const paused = { retryAt, limitedMinutes: Math.max(1, limitedMinutes) }
  await ctx.db.updateTable('hook').set(paused).where('id', '=', id).execute()
  await enqueueDeliveries(ctx, [id], retryAt)
}

/** Delays deliveries above the limit to the next minute. Disables a hook that was at its limit for many minutes. */
const pauseHook = async (ctx: Context, { id, deliveryId, attempts, limitedMinutes }: Pending) => {
  const isLoop = limitedMinutes + 1 >= maxLimitedMinutes
  const retryAt = getNextMinute(ctx.now)
  await ctx.db
    .updateTable('hook')
    .set({ limitedMinutes: limitedMinutes + 1, ...(isLoop ? { failures: failureLimits.permanent } : { retryAt }) })
    .where('id', '=', id)
    .execute()
  if (!isLoop) return enqueueDeliveries(ctx, [id], retryAt)
  const result = toBlockedResult(loopReason)
  await updateDelivery(ctx, { deliveryId, attempts, result, responseStatus: null, state: 'blocked' })
  await dropPending(ctx, id)
}

/** A permanently disabled hook receives nothing, also no events from before. */
const dropPending = ({ db }: Context, hookId: number) =>
  db.deleteFrom('hookDelivery').where('hookId', '=', hookId).where('state', '=', pendingState).execute()

/** Sends a delivery, outside transactions. */
const send = async ({ ports, write, signal }: JobContext, { pending, rules }: Turn): Promise<Attempt> => {
  const completed = { ...pending, payload: await completePayload(write, pending, signal) }
  return { pending: completed, result: await sendToHook(ports, rules, completed, completed, signal) }
}

/** Sends the pending deliveries of a hook in their order. After a failure, a later job repeats the delivery. */
export const deliverToHook = defineJob('hooks.deliver', {
  concurrency: 16,
  concurrencyPerDestination: 1,
  coalesces: true,
  async run(job, { hook: hookId }) {
    let unstored: readonly Attempt[] = []
    let storesBy = performance.now() + maxUnstored
    try {
      let turn = await job.write((ctx) => findTurn(ctx, hookId))
      for (let sent = 1; turn !== undefined; sent++) {
        const attempt = await send(job, turn)
        unstored = [...unstored, attempt]
        const canWait = toOutcome(attempt.result) === 'accepted' && sent < batchSize && performance.now() < storesBy
        const next = await job.write(async (ctx) => {
          const following = canWait ? await findTurn(ctx, hookId, unstored) : undefined
          if (following) return { turn: following, isStored: false }
          const continues = await recordResults(ctx, unstored)
          if (continues && sent >= batchSize) await enqueueDeliveries(ctx, [hookId])
          return { turn: continues && sent < batchSize ? await findTurn(ctx, hookId) : undefined, isStored: true }
        })
        turn = next.turn
        if (!next.isStored) continue
        unstored = []
        storesBy = performance.now() + maxUnstored
      }
    } finally {
      // A shutdown ended a request.
      if (unstored.length) await job.write((ctx) => recordResults(ctx, unstored))
    }
  },
})

/** Removes events older than seven days with their deliveries, also with those that could not be sent. */
export const expireDeliveries = defineJob('hooks.expireDeliveries', {
  every: 'day',
  async findNextEffect({ db }) {
    const oldest = await db
      .selectFrom('hookEvent')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .select('createdAt')
      .executeTakeFirst()
    return oldest && addSeconds(oldest.createdAt, retentionDays * 86_400)
  },
  run: (tools) =>
    repeatStep(tools, async ({ db, now }) => {
      const old = db
        .selectFrom('hookEvent')
        .where('createdAt', '<', addSeconds(now, -retentionDays * 86_400))
        .orderBy('createdAt')
        .orderBy('id')
        .limit(purgeSize)
      const removed = await db.deleteFrom('hookEvent').where('id', 'in', old.select('id')).returning('id').execute()
      return removed.length === purgeSize
    }),
})
