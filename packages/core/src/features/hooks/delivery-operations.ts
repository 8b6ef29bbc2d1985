import { randomUUID } from 'node:crypto'
import { container } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../kernel/deferred.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { containerKey } from '../members/queries.ts'
import type { DeliveryResult, HookDelivery, ResendResult } from './delivery.ts'
import { eventKinds } from './event-kinds.ts'
import { getHookRules } from './mutations.ts'
import { getHookRow } from './queries.ts'
import { sendToHook, toOutcome } from './send.ts'

/** Milliseconds after which the call stops waiting for the receiver; longer than the limit of a request. */
const resendTimeout = 20_000

const formatStatus = ({ status }: Pick<DeliveryResult, 'status'>) =>
  status === null ? 'internal error' : String(status)

/** The requests that were sent to a hook at least once. */
const selectSent = ({ db }: Context, hookId: number) =>
  db
    .selectFrom('hookDelivery')
    .where('hookId', '=', hookId)
    .where('result', 'is not', null)
    .select(['id', 'kind', 'eventUuid', 'payload', 'result', 'createdAt'])

type SentRow = Awaited<ReturnType<ReturnType<typeof selectSent>['executeTakeFirstOrThrow']>>

const toDelivery =
  (url: string) =>
  ({ id, kind, payload, result, createdAt }: SentRow): HookDelivery => {
    const { requestHeaders, responseHeaders, responseBody, duration, status } = result as DeliveryResult
    return {
      id,
      url,
      trigger: eventKinds[kind].trigger,
      requestHeaders,
      requestData: payload,
      responseHeaders,
      responseBody,
      executionDuration: duration,
      responseStatus: formatStatus({ status }),
      createdAt,
    }
  }

/** The log of the requests to hooks of projects and groups. */
export const hookDeliveries = {
  /** The requests of the last seven days that were sent to a hook, the newest first, each with its latest response. */
  deliveries: query({
    on: container,
    can: 'hook.manage',
    input: {
      ...pagingEntries,
      /** Id of the hook. */
      hook: Id,
    },
    async run(ctx, { hook, ...paging }, subject) {
      const { id, shownUrl } = await getHookRow(ctx, containerKey(subject), hook)
      return paginate(selectSent(ctx, id).orderBy('id', 'desc'), paging, toDelivery(shownUrl))
    },
  }),

  /**
   * Sends the body of an earlier request again, at once and with a new idempotency key, and records it as a new delivery. It can
   * overtake events that wait.
   */
  resend: command({
    on: container,
    can: 'hook.manage',
    input: {
      /** Id of the hook. */
      hook: Id,
      /** Id of a delivery, as in `hooks.deliveries`. */
      delivery: Id,
    },
    async run(ctx, { hook: hookId, delivery }, subject): Promise<Deferred<ResendResult>> {
      const hook = await getHookRow(ctx, containerKey(subject), hookId)
      const sent = await selectSent(ctx, hook.id).where('id', '=', delivery).executeTakeFirst()
      if (!sent) throw notFound()
      const rules = await getHookRules(ctx, hook)
      const { ports } = ctx
      const { kind, eventUuid, payload } = sent
      const request = { kind, eventUuid, payload, idempotencyKey: randomUUID() }
      return afterTransaction(async ({ write }) => {
        const result = await sendToHook(ports, rules, hook, request, AbortSignal.timeout(resendTimeout))
        const state = toOutcome(result) === 'accepted' ? 'delivered' : 'failed'
        await write(async ({ db, now }) => {
          const row = { ...request, hookId: hook.id, state, attempts: 1, result, createdAt: now } as const
          await db
            .insertInto('hookDelivery')
            .values(row satisfies CompleteRow<'hookDelivery'>)
            .execute()
        })
        return { responseStatus: formatStatus(result) }
      })
    },
  }),
}
