import type { Context } from '../../kernel/context.ts'
import { defineJob } from '../../kernel/job.ts'
import { addSeconds } from '../../kernel/job-times.ts'
import { preparedQuery } from '../../kernel/prepared-query.ts'
import type { OutboundRules } from '../settings/outbound-rules.ts'
import type { DeliveryResult } from './delivery.ts'
import { failureLimits, getRetryDelay } from './hook.ts'
import { enqueueDeliveries, getHookRules } from './mutations.ts'
import { completePayload } from './payloads/complete.ts'
import { hookColumns } from './queries.ts'
import { sendToHook, toOutcome } from './send.ts'

/** After this many attempts a delivery is given up, so that one event cannot block all later ones. */
const maxAttempts = 10

/** Deliveries that one job sends before another hook has its turn. */
const batchSize = 20

/** Days that deliveries are kept. */
const retentionDays = 7

/** Rows per transaction, so that other writers can run in between. */
const purgeSize = 1_000

/**
 * A hook with its oldest pending delivery. Prepared, like the update below, because every delivery needs both, and compiling them
 * takes longer than running them.
 */
const selectPending = preparedQuery((db, { hookId }: { hookId: number }) =>
  db
    .selectFrom('hook')
    .innerJoin('hookDelivery as delivery', 'delivery.hookId', 'hook.id')
    .where('delivery.hookId', '=', hookId)
    .where('delivery.state', '=', 'pending')
    .orderBy('delivery.id')
    .limit(1)
    .select(hookColumns)
    .select(['delivery.id as deliveryId', 'kind', 'eventUuid', 'idempotencyKey', 'payload', 'attempts']),
)

type Pending = Awaited<ReturnType<typeof selectPending>>[number]

interface Turn {
  readonly pending: Pending
  readonly rules: OutboundRules
}

/** The oldest pending delivery of a hook that may be sent now. */
const findTurn = async (ctx: Context, hookId: number): Promise<Turn | undefined> => {
  const [pending] = await selectPending(ctx, { hookId })
  if (!pending || pending.failures >= failureLimits.permanent) return undefined
  // A job is enqueued for the time of the retry.
  if (pending.retryAt !== null && pending.retryAt > ctx.now) return undefined
  return { pending, rules: await getHookRules(ctx, pending) }
}

type Recorded = Pick<Pending, 'deliveryId' | 'payload' | 'attempts'> & {
  readonly result: DeliveryResult
  readonly state: 'pending' | 'delivered' | 'failed'
}

const updateDelivery = preparedQuery((db, { deliveryId, payload, attempts, result, state }: Recorded) =>
  db.updateTable('hookDelivery').set({ payload, attempts, result, state }).where('id', '=', deliveryId),
)

/**
 * Stores the result of an attempt, and the payload, which may have been completed for it. Returns whether the next delivery can
 * follow at once.
 */
const recordResult = async (ctx: Context, hook: Pending, result: DeliveryResult): Promise<boolean> => {
  const { deliveryId, payload } = hook
  const outcome = toOutcome(result)
  const attempts = hook.attempts + 1
  const isGivenUp = outcome === 'rejected' || attempts >= maxAttempts
  const state = outcome === 'accepted' ? 'delivered' : isGivenUp ? 'failed' : 'pending'
  await updateDelivery(ctx, { deliveryId, payload, attempts, result, state })
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
      const { rules } = turn
      const pending = { ...turn.pending, payload: await completePayload(write, turn.pending, signal) }
      const result = await sendToHook(ports, rules, pending, pending, signal)
      turn = await write(async (ctx) => {
        if (!(await recordResult(ctx, pending, result))) return undefined
        if (sent < batchSize) return findTurn(ctx, hookId)
        await enqueueDeliveries(ctx, [hookId])
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
