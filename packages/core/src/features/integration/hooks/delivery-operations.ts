import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { place, toPlaceKey } from '../../../access/subjects.ts'
import type { Database } from '../../../contract/database.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { notFound, PlatformError } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import type { DeliveryResult, HookDelivery, ResendResult, TestResult } from './delivery.ts'
import { eventKinds } from './event-kinds.ts'
import { getHookRow, type HookRow, toScope } from './queries.ts'
import { readSample, testTriggers, triggerUnlessSystemHook } from './samples.ts'
import { toOutcome } from './send.ts'
import { sendNow } from './send-now.ts'

const formatStatus = ({ status }: Pick<DeliveryResult, 'status'>, state?: SentRow['state']) => {
  if (state === 'blocked') return state
  return status === null ? 'internal error' : String(status)
}

/** The requests that were sent at least once, and those that were blocked. */
const selectSent = ({ db }: Context) =>
  db
    .selectFrom('hookDelivery')
    .innerJoin('hookEvent as event', 'event.id', 'hookDelivery.eventId')
    .where('result', 'is not', null)
    .select(['hookDelivery.id', 'kind', 'chain', 'state', 'payload', 'result', 'event.createdAt'])

type SentRow = Awaited<ReturnType<ReturnType<typeof selectSent>['executeTakeFirstOrThrow']>>

const toDelivery = ({
  id,
  shownUrl: url,
  kind,
  state,
  payload,
  result,
  createdAt,
}: SentRow & Pick<HookRow, 'shownUrl'>): HookDelivery => {
  const { requestHeaders, responseHeaders, responseBody, duration, status } = defined(result)
  return {
    id,
    url,
    trigger: eventKinds[kind].trigger,
    requestHeaders,
    requestData: payload,
    responseHeaders,
    responseBody,
    executionDuration: duration,
    responseStatus: formatStatus({ status }, state),
    createdAt,
  }
}

const statusRanges: Readonly<Record<string, readonly [number, number]>> = {
  successful: [200, 299],
  client_failure: [400, 499],
  server_failure: [500, 599],
}

const statusPattern = /^(?:[1-5][0-9]{2}|successful|client_failure|server_failure)$/

const hasStatus = (statuses: readonly string[]) => (eb: ExpressionBuilder<Database, 'hookDelivery'>) =>
  eb.or(
    statuses.map((status) => {
      const [first, last] = statusRanges[status] ?? [Number(status), Number(status)]
      return eb.between('hookDelivery.responseStatus', first, last)
    }),
  )

/** The log of the requests to hooks. */
export const hookDeliveries = {
  /**
   * Lists the requests of the last seven days that were sent to the hooks of a project, a group or, without both, the instance, the
   * newest first, each with its latest response; also those that were blocked to end a loop.
   */
  listDeliveries: query({
    on: place,
    can: 'hook.manage',
    input: {
      ...pagingEntries,
      /** Id of the hook. Default: all hooks of the project or group, or all hooks. */
      hook: v.optional(Id),
      /**
       * Only requests whose response had one of these statuses: numbers, `successful` (200 to 299), `client_failure` (400 to 499) or
       * `server_failure` (500 to 599). Default: all.
       */
      status: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(statusPattern, 'is invalid'))), v.maxLength(20))),
    },
    async run(ctx, { hook, status, ...paging }, subject) {
      const owner = toPlaceKey(subject)
      if (hook !== undefined) await getHookRow(ctx, owner, hook)
      let rows = selectSent(ctx)
        .innerJoin('hook', 'hook.id', 'hookDelivery.hookId')
        .select('hook.shownUrl')
        .orderBy('hookDelivery.id', 'desc')
      if (hook !== undefined) rows = rows.where('hookDelivery.hookId', '=', hook)
      else if (subject.kind !== 'instance') rows = rows.where('hook.scope', '=', toScope(owner))
      return paginate(status?.length ? rows.where(hasStatus(status)) : rows, paging, toDelivery)
    },
  }),

  /**
   * Sends the body of an earlier request again, at once and with a new idempotency key, and records it as a new delivery. It can
   * overtake events that wait.
   *
   * @throws PlatformError `limited` if the hook has received as many requests as a minute allows
   */
  resend: command({
    on: place,
    can: 'hook.manage',
    input: {
      /** Id of the hook. */
      hook: Id,
      /** Id of a delivery, as in `hooks.listDeliveries`. */
      delivery: Id,
    },
    async run(ctx, { hook: hookId, delivery }, subject): Promise<Deferred<ResendResult>> {
      const hook = await getHookRow(ctx, toPlaceKey(subject), hookId)
      const sent = await selectSent(ctx)
        .where('hookId', '=', hook.id)
        .where('hookDelivery.id', '=', delivery)
        .executeTakeFirst()
      if (!sent) throw notFound()
      const { kind, chain, payload } = sent
      return sendNow(ctx, hook, { kind, chain, payload, isComplete: true }, (result) => ({
        responseStatus: formatStatus(result),
      }))
    },
  }),

  /**
   * Sends an event about the newest item of the project to a hook, at once, also if the hook does not receive events of this
   * kind. For a hook of a group, the item is one of the ten most recently active projects. System hooks receive the creation of the
   * newest project.
   *
   * @throws PlatformError `unprocessable` without such an item, and for a response that is not successful
   */
  test: command({
    on: place,
    can: 'hook.manage',
    input: {
      /** Id of the hook. */
      hook: Id,
      /** The kind of the event. Required for hooks of projects and groups; without effect for system hooks. */
      trigger: v.optional(v.picklist(testTriggers)),
    },
    rules: [triggerUnlessSystemHook],
    async run(ctx, { hook: hookId, trigger }, subject): Promise<Deferred<TestResult>> {
      const hook = await getHookRow(ctx, toPlaceKey(subject), hookId)
      const { kind, payload } = await readSample(ctx, ctx.call.siteUrl ?? hook.siteUrl ?? '', trigger, subject)
      const event = { kind, chain: randomUUID(), payload, isComplete: kind === 'system' }
      return sendNow(ctx, hook, event, (result) => {
        if (toOutcome(result) === 'accepted') return { responseStatus: formatStatus(result), requestData: payload }
        throw new PlatformError('unprocessable', `The hook answered: ${formatStatus(result)}`)
      })
    },
  }),
}
