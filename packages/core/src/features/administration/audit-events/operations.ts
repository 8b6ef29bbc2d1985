import * as v from 'valibot'
import { Access } from '../../../access/levels.ts'
import { place } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage, keysetEntries, listSortKeys, type Page, paginateByKeys } from '../../../kernel/paging.ts'
import { type AuditEvent, auditedTypes } from './audit-event.ts'

type Place = Subjects['project' | 'group' | 'instance']

/** A list of the whole instance covers at most 30 days. */
const maxPeriod = 30 * 24 * 60 * 60 * 1_000

const startOfPeriod = (end: string) => new Date(Date.parse(end) - maxPeriod).toISOString()

/** The audit events of a place; of the instance, all. */
const selectAuditEvents = ({ db }: Context, place: Place) => {
  const rows = db
    .selectFrom('auditEvent')
    .leftJoin('user', 'user.id', 'auditEvent.authorId')
    .select([
      'auditEvent.id',
      'auditEvent.authorId',
      'user.email as authorEmail',
      'auditEvent.entityType',
      'auditEvent.entityId',
      'auditEvent.eventName',
      'auditEvent.details',
      'auditEvent.createdAt',
    ])
  if (place.kind === 'instance') return rows
  const [type, id] =
    place.kind === 'project' ? (['Project', place.project.id] as const) : (['Group', place.group.id] as const)
  return rows.where('auditEvent.entityType', '=', type).where('auditEvent.entityId', '=', id)
}

/** Whether the current user sees the events of all authors: maintainers of a project, owners of a group. */
const seesAllAuthors = ({ actor }: Context, place: Place) =>
  place.kind === 'instance' ||
  isAdministrator(actor) ||
  place.access >= (place.kind === 'project' ? Access.maintainer : Access.owner)

type AuditRow = Awaited<ReturnType<ReturnType<typeof selectAuditEvents>['executeTakeFirstOrThrow']>>

const toAuditEvent = ({ authorEmail, details, ...row }: AuditRow): AuditEvent => ({
  ...row,
  details: { ...details, authorEmail },
})

const newestFirst = listSortKeys('auditEvent.createdAt', 'auditEvent.id', 'desc')

export const auditEvents = {
  /**
   * Lists who changed what, newest first: in a project, in a group itself, or, for administrators, anywhere on the instance, in the last
   * 30 days of the given period. Owners of a group and maintainers of a project see the changes of all users, developers and
   * maintainers of a group their own.
   */
  list: query({
    on: place,
    can: 'auditEvent.list',
    tier: 'paid',
    input: {
      ...keysetEntries,
      /** Only events at or after this time: ISO 8601, UTC without an offset. */
      createdAfter: v.optional(Instant),
      /** Only events at or before this time: ISO 8601, UTC without an offset. */
      createdBefore: v.optional(Instant),
      /** Only events about this kind of entity; for the instance. */
      entityType: v.optional(v.picklist(auditedTypes)),
      /** Only events about the entity with this id; requires `entityType`. */
      entityId: v.optional(Id),
    },
    rules: [
      cursorInsteadOfPage,
      ({ entityType, entityId }) =>
        entityId !== undefined && entityType === undefined
          ? { fields: ['entityId'], message: 'requires entityType' }
          : undefined,
    ],
    async run(
      ctx,
      { createdAfter, createdBefore, entityType, entityId, ...paging },
      subject,
    ): Promise<Page<AuditEvent>> {
      let rows = selectAuditEvents(ctx, subject)
      if (!seesAllAuthors(ctx, subject)) rows = rows.where('auditEvent.authorId', '=', getUserId(ctx.actor))
      const before = createdBefore === undefined ? undefined : normalizeInstant(createdBefore)
      const after = createdAfter === undefined ? undefined : normalizeInstant(createdAfter)
      const first = subject.kind === 'instance' ? startOfPeriod(before ?? ctx.now) : undefined
      const start = after === undefined || (first !== undefined && first > after) ? first : after
      if (start !== undefined) rows = rows.where('auditEvent.createdAt', '>=', start)
      if (before !== undefined) rows = rows.where('auditEvent.createdAt', '<=', before)
      if (entityType !== undefined) rows = rows.where('auditEvent.entityType', '=', entityType)
      if (entityId !== undefined) rows = rows.where('auditEvent.entityId', '=', entityId)
      return paginateByKeys(rows, newestFirst, paging, toAuditEvent)
    },
  }),

  /** Gets an audit event of a project, of a group, or, for administrators, of anything on the instance. */
  get: query({
    on: place,
    can: 'auditEvent.read',
    tier: 'paid',
    input: {
      /** Id of the audit event. */
      auditEvent: Id,
    },
    async run(ctx, { auditEvent }, subject): Promise<AuditEvent> {
      const row = await selectAuditEvents(ctx, subject).where('auditEvent.id', '=', auditEvent).executeTakeFirst()
      if (!row) throw notFound('Audit Event')
      return toAuditEvent(row)
    },
  }),
}
