import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { ByteStream, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { readEvents, storeEvent } from './collection.ts'
import { errorClient } from './subject.ts'
import { type ErrorTrackingClientKey, errorStatuses, type TrackedError } from './tracked-error.ts'

/** Requests of all applications of a project. */
const requestsPerMinute = 300

const keyBytes = 16

const selectKeys = ({ db }: Context, projectId: number) =>
  db
    .selectFrom('errorTrackingClientKey')
    .where('projectId', '=', projectId)
    .orderBy('id')
    .select(['id', 'projectId', 'active', 'publicKey'])

const selectErrors = ({ db }: Context, projectId: number) =>
  db
    .selectFrom('trackedError')
    .where('projectId', '=', projectId)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .select(['id', 'name', 'message', 'culprit', 'status', 'eventsCount', 'firstSeenAt', 'lastSeenAt', 'lastEvent'])

/** The part of `errorTracking` that collects errors of applications. */
export const errorCollector = {
  /** Lists the keys with which applications send errors of a project. */
  listClientKeys: query({
    on: project,
    can: 'errorTracking.manage',
    input: pagingEntries,
    run: (ctx, paging, { project: { id } }) =>
      paginate(selectKeys(ctx, id), paging, (row): ErrorTrackingClientKey => row),
  }),

  /** Creates a key with which applications send errors of a project. */
  createClientKey: command({
    on: project,
    can: 'errorTracking.manage',
    serializes: 'project',
    input: {
      /** The key itself, for tests: 1 to 255 letters, digits and `_`. Default: 128 random bits, prefixed with `glet_`. */
      publicKey: v.optional(v.pipe(v.string(), v.maxLength(255), v.regex(/^\w+$/, 'is invalid'))),
    },
    async run(ctx, input, { project: { id: projectId } }): Promise<ErrorTrackingClientKey> {
      const publicKey = input.publicKey ?? `glet_${Buffer.from(ctx.ports.random.bytes(keyBytes)).toString('hex')}`
      const keys = selectKeys(ctx, projectId).where('publicKey', '=', publicKey)
      if (await keys.executeTakeFirst()) throw conflict('The client key exists')
      const values = { projectId, active: true, publicKey }
      const { id } = await ctx.db
        .insertInto('errorTrackingClientKey')
        .values({ ...values, createdAt: ctx.now } satisfies CompleteRow<'errorTrackingClientKey'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, ...values }
    },
  }),

  /** Removes a client key. Applications that use it can send no more errors. */
  removeClientKey: command({
    on: project,
    can: 'errorTracking.manage',
    serializes: 'project',
    input: {
      /** Id of the key. */
      clientKey: Id,
    },
    async run(ctx, { clientKey }, { project: { id } }) {
      const keys = ctx.db.selectFrom('errorTrackingClientKey').where('projectId', '=', id).where('id', '=', clientKey)
      const key = await keys.select('createdAt').executeTakeFirst()
      if (!key) throw notFound('Client Key')
      assertUnmodified(ctx, key.createdAt)
      await ctx.db.deleteFrom('errorTrackingClientKey').where('id', '=', clientKey).execute()
    },
  }),

  /** Lists the errors that applications of a project have sent, the last ones first. Those of 90 days are kept, at most 1,000. */
  listErrors: query({
    on: project,
    can: 'errorTracking.read',
    input: {
      ...pagingEntries,
      /** Only errors in this state. Default: all. */
      status: v.optional(v.picklist(errorStatuses)),
    },
    run(ctx, { status, ...paging }, { project: { id } }) {
      const errors = selectErrors(ctx, id)
      return paginate(status ? errors.where('status', '=', status) : errors, paging, (row): TrackedError => row)
    },
  }),

  /** Resolves or ignores an error, or opens it again. */
  updateError: command({
    on: project,
    can: 'errorTracking.update',
    serializes: 'project',
    input: {
      /** Id of the error. */
      error: Id,
      /** The new state. */
      status: v.picklist(errorStatuses),
    },
    async run(ctx, { error, status }, { project: { id } }): Promise<TrackedError> {
      const found = await selectErrors(ctx, id).where('id', '=', error).executeTakeFirst()
      if (!found) throw notFound('Error')
      await ctx.db.updateTable('trackedError').set({ status }).where('id', '=', error).execute()
      return { ...found, status }
    },
  }),

  /**
   * Collects errors of an application with a client key: the protocol of Sentry's clients. Other items, such as sessions and
   * transactions, are ignored.
   *
   * @throws PlatformError `unauthenticated` for an unknown key, and without active integrated error tracking
   */
  collect: command({
    on: errorClient,
    can: 'errorTracking.collect',
    serializes: 'project',
    input: {
      /** What the client sends, at most 1 MiB; gzip is decompressed. */
      content: ByteStream,
      /** `envelope` (default), or `store` for one event. */
      format: v.optional(v.picklist(['envelope', 'store']), 'envelope'),
    },
    limit: {
      name: 'error_tracking',
      getLimit: () => requestsPerMinute,
      getKey: (_ctx, _input, { project: { id } }) => `project:${id}`,
      message: 'Too many errors have been sent. Try again later.',
    },
    run: async (_ctx, { content, format }, { project: { id } }) =>
      afterTransaction(async (runner) => {
        const events = await readEvents(content, format === 'envelope')
        if (events.length)
          await runner.write(async (ctx) => {
            for (const event of events) await storeEvent(ctx, id, event)
          })
        return {
          /** Id of the first event; null without one. */
          id: events[0]?.event.eventId ?? null,
        }
      }),
  }),
}
