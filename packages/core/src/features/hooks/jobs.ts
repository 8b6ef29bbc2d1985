import type { Context } from '../../kernel/context.ts'
import { defineJob } from '../../kernel/job.ts'
import { addSeconds } from '../../kernel/job-times.ts'
import type { OutboundRules } from '../settings/outbound-rules.ts'
import type { DeliveryResult, HookPayload } from './delivery.ts'
import { failureLimits, getRetryDelay } from './hook.ts'
import { enqueueDelivery, getHookRules } from './mutations.ts'
import { completePayload } from './payloads/complete.ts'
import { type HookRow, selectHookById } from './queries.ts'
import { sendToHook, toOutcome } from './send.ts'

/** After this many attempts a delivery is given up, so that one event cannot block all later ones. */
const maxAttempts = 10

/** Deliveries that one job sends before another hook has its turn. */
const batchSize = 20

/** Days that deliveries are kept. */
const retentionDays = 7

/** Rows per transaction, so that other writers can run in between. */
const purgeSize = 1_000

const selectPending = ({ db }: Context, hookId: number) =>
  db.selectFrom('hookDelivery').where('hookId', '=', hookId).where('state', '=', 'pending').orderBy('id').limit(1)

const selectNext = (ctx: Context, hookId: number) =>
  selectPending(ctx, hookId).select(['id', 'kind', 'eventUuid', 'idempotencyKey', 'payload', 'attempts'])

type Pending = Awaited<ReturnType<ReturnType<typeof selectNext>['executeTakeFirstOrThrow']>>

interface Turn {
  readonly hook: HookRow
  readonly delivery: Pending
  readonly rules: OutboundRules
}

/** The oldest pending delivery of a hook that may be sent now. */
const findTurn = async (ctx: Context, hookId: number): Promise<Turn | undefined> => {
  const hook = await selectHookById(ctx, hookId).executeTakeFirst()
  // A job is enqueued for the time of the retry.
  if (!hook || hook.failures >= failureLimits.permanent || (hook.retryAt !== null && hook.retryAt > ctx.now)) return
  const delivery = await selectNext(ctx, hookId).executeTakeFirst()
  return delivery && { hook, delivery, rules: await getHookRules(ctx, hook) }
}

interface Attempt extends Turn {
  /** The body that was sent: the stored one, unless it was completed for the first attempt. */
  readonly payload: HookPayload
  readonly result: DeliveryResult
}

/** Stores the result of an attempt. Returns whether the next delivery can follow at once. */
const recordResult = async (ctx: Context, { hook, delivery, payload, result }: Attempt): Promise<boolean> => {
  const outcome = toOutcome(result)
  const attempts = delivery.attempts + 1
  const isGivenUp = outcome === 'rejected' || attempts >= maxAttempts
  await ctx.db
    .updateTable('hookDelivery')
    .set({
      attempts,
      result,
      ...(payload !== delivery.payload && { payload }),
      state: outcome === 'accepted' ? 'delivered' : isGivenUp ? 'failed' : 'pending',
    })
    .where('id', '=', delivery.id)
    .execute()
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
  else if (retryAt !== null) await enqueueDelivery(ctx, hook.id, retryAt)
  return !waits
}

/** A permanently disabled hook receives nothing, also no events from before. */
const dropPending = ({ db }: Context, hookId: number) =>
  db.deleteFrom('hookDelivery').where('hookId', '=', hookId).where('state', '=', 'pending').execute()

/** Sends the pending deliveries of a hook in their order. After a failure, a later job repeats the delivery. */
export const deliverToHook = defineJob('hooks.deliver', {
  concurrency: 16,
  concurrencyPerDestination: 1,
  coalesces: true,
  async run({ ports, write, signal }, { hook: hookId }) {
    let turn = await write((ctx) => findTurn(ctx, hookId))
    for (let sent = 1; turn !== undefined; sent++) {
      const { hook, delivery, rules } = turn
      const payload = await completePayload(write, delivery, signal)
      const result = await sendToHook(ports, rules, hook, { ...delivery, payload }, signal)
      const attempt: Attempt = { ...turn, payload, result }
      turn = await write(async (ctx) => {
        if (!(await recordResult(ctx, attempt))) return undefined
        if (sent < batchSize) return findTurn(ctx, hookId)
        await enqueueDelivery(ctx, hookId)
        return undefined
      })
    }
  },
})

/** Removes deliveries older than seven days, also those that could not be sent. */
export const expireDeliveries = defineJob('hooks.expireDeliveries', {
  every: 'day',
  async findNextEffect({ db }) {
    const oldest = await db
      .selectFrom('hookDelivery')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .select('createdAt')
      .executeTakeFirst()
    return oldest && addSeconds(oldest.createdAt, retentionDays * 86_400)
  },
  async run({ now, write }) {
    for (;;) {
      const removed = await write(async ({ db }) => {
        const old = db
          .selectFrom('hookDelivery')
          .where('createdAt', '<', addSeconds(now, -retentionDays * 86_400))
          .orderBy('createdAt')
          .orderBy('id')
          .limit(purgeSize)
        return db.deleteFrom('hookDelivery').where('id', 'in', old.select('id')).returning('id').execute()
      })
      if (removed.length < purgeSize) return
    }
  },
})
