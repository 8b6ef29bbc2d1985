import type { Subjects } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { Milestone } from '../../planning/milestones/milestone.ts'
import { milestonesById } from '../../planning/milestones/queries.ts'
import type {
  EventLabel,
  LabelEvent,
  MilestoneEvent,
  ResourceEvent,
  ResourceEventKind,
  ResourceState,
  StateEvent,
  WeightEvent,
} from './resource-event.ts'

/** An item with changes. */
export type Resource = Subjects['issue'] | Subjects['mergeRequest'] | Subjects['epic']

const keys = ['issueId', 'mergeRequestId', 'epicId'] as const
const columns = ['id', ...keys, 'userId', 'action', 'labelId', 'milestoneId', 'weight', 'state', 'createdAt'] as const

const selectEvents = ({ db }: Context, resource: Resource, kind: ResourceEventKind) => {
  const events = db.selectFrom('resourceEvent').where('kind', '=', kind).select(columns)
  switch (resource.kind) {
    case 'issue':
      return events.where('issueId', '=', resource.issue.id)
    case 'mergeRequest':
      return events.where('mergeRequestId', '=', resource.mergeRequest.id)
    case 'epic':
      return events.where('epicId', '=', resource.epic.id)
  }
}

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['executeTakeFirstOrThrow']>>

const resourceTypes = { issueId: 'Issue', mergeRequestId: 'MergeRequest', epicId: 'Epic' } as const

const toResource = (row: EventRow): Pick<ResourceEvent, 'resourceType' | 'resourceId'> => {
  const key = keys.find((name) => row[name] !== null) ?? 'issueId'
  return { resourceType: resourceTypes[key], resourceId: defined(row[key]) }
}

const findLabels = async ({ db }: Context, rows: readonly EventRow[]): Promise<ReadonlyMap<number, EventLabel>> => {
  const ids = [...new Set(rows.flatMap(({ labelId }) => labelId ?? []))]
  if (!ids.length) return new Map()
  const labels = await db
    .selectFrom('label')
    .where('id', 'in', ids)
    .select(['id', 'name', 'color', 'description'])
    .execute()
  return new Map(labels.map((label) => [label.id, label]))
}

/** The fields that depend on the kind of the change. */
interface Details {
  readonly labels: ReadonlyMap<number, EventLabel>
  readonly milestones: ReadonlyMap<number, Milestone>
}

const toLabelEvent = (event: ResourceEvent, row: EventRow, { labels }: Details): LabelEvent => ({
  ...event,
  label: labels.get(row.labelId ?? 0) ?? null,
  action: row.action as LabelEvent['action'],
})

const toMilestoneEvent = (event: ResourceEvent, row: EventRow, { milestones }: Details): MilestoneEvent => ({
  ...event,
  milestone: defined(milestones.get(row.milestoneId ?? 0)),
  action: row.action as MilestoneEvent['action'],
  state: row.state,
})

const toStateEvent = (event: ResourceEvent, row: EventRow): StateEvent => ({
  ...event,
  state: row.action as ResourceState,
})

const toWeightEvent = (event: ResourceEvent, row: EventRow): WeightEvent => ({ ...event, weight: row.weight })

type ToEvent<T> = (event: ResourceEvent, row: EventRow, details: Details) => T

const completeEvents = async <T>(ctx: Context, rows: readonly EventRow[], toEvent: ToEvent<T>): Promise<T[]> => {
  const [users, labels, milestones] = await awaitAll([
    userSummaries(
      ctx,
      rows.map(({ userId }) => userId),
    ),
    findLabels(ctx, rows),
    milestonesById(
      ctx,
      rows.map(({ milestoneId }) => milestoneId),
    ),
  ])
  return rows.map((row) => {
    const event: ResourceEvent = {
      id: row.id,
      user: row.userId === null ? null : (users.get(row.userId) ?? null),
      createdAt: row.createdAt,
      ...toResource(row),
    }
    return toEvent(event, row, { labels, milestones })
  })
}

/** Reads one kind of changes of an item. */
export interface EventReader<T> {
  /** Changes of an item, oldest first. */
  list(ctx: Context, resource: Resource, paging: PagingInput): Promise<Page<T>>
  /** @throws PlatformError `not_found` for a change of another item or kind */
  get(ctx: Context, resource: Resource, id: number): Promise<T>
}

const createReader = <T>(kind: ResourceEventKind, toEvent: ToEvent<T>): EventReader<T> => ({
  async list(ctx, resource, paging) {
    const page = await paginate(selectEvents(ctx, resource, kind).orderBy('id'), paging, (row) => row)
    return { ...page, items: await completeEvents(ctx, page.items, toEvent) }
  },

  async get(ctx, resource, id) {
    const row = await selectEvents(ctx, resource, kind).where('id', '=', id).executeTakeFirst()
    if (!row) throw notFound()
    return defined((await completeEvents(ctx, [row], toEvent))[0])
  },
})

export const labelEvents = createReader('label', toLabelEvent)
export const milestoneEvents = createReader('milestone', toMilestoneEvent)
export const stateEvents = createReader('state', toStateEvent)
export const weightEvents = createReader('weight', toWeightEvent)
