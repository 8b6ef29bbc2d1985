import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../../contract/database.ts'
import type { Context } from '../../../kernel/context.ts'
import { Sort } from '../../../kernel/inputs.ts'
import { keysetEntries, listSortKeys, type Page, paginateByKeys } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { type Event, eventActions } from './event.ts'
import { completeEvents, type EventRow, eventColumns, selectFromEvents } from './queries.ts'

/** Parses an existing date such as `2016-12-1` or `2016-12-01`; undefined for other text. */
const parseDay = (text: string): Date | undefined => {
  const [, year, month, day] = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date : undefined
}

const Day = v.pipe(
  v.string(),
  v.check((text) => parseDay(text) !== undefined, 'is invalid'),
)

/** Input of all feeds: specification 1, "Activity events". */
export const feedInput = {
  ...keysetEntries,
  /** Only events with this action. Joining, leaving and the expiry of a membership are `joined`, `left` and `expired`. */
  action: v.optional(v.picklist(eventActions)),
  /** Only events with this kind of target. `project` includes pushes and memberships; `snippet` and `user` match no event. */
  targetType: v.optional(v.picklist(['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user'])),
  /** Only events before this day (`2026-11-21`, UTC), which is excluded. */
  before: v.optional(Day),
  /** Only events after this day (`2026-11-21`, UTC), which is excluded. */
  after: v.optional(Day),
  /** Order by time, then by id. Default: `desc`, newest first. */
  sort: v.optional(Sort, 'desc'),
}

export type FeedInput = v.InferOutput<v.ObjectSchema<typeof feedInput, undefined>>

/** Selects events without a permission check; `listFeed` adds it. */
export const selectEvents = (db: Kysely<Database>) => selectFromEvents(db).select(eventColumns)

type EventQuery = ReturnType<typeof selectEvents>

const targetKinds = {
  issue: ['issue'],
  milestone: ['milestone'],
  merge_request: ['mergeRequest'],
  note: ['note'],
  snippet: [],
  user: [],
} as const

const filterByTargetType = (rows: EventQuery, type: NonNullable<FeedInput['targetType']>): EventQuery => {
  // The target of an event without a target, such as a push, is the project.
  if (type === 'project') {
    return rows.where((eb) => eb.or([eb('event.targetKind', '=', 'project'), eb('event.targetKind', 'is', null)]))
  }
  const [kind] = targetKinds[type]
  return kind === undefined ? rows.where((eb) => eb.lit(false)) : rows.where('event.targetKind', '=', kind)
}

const addOneDay = (day: Date) => new Date(day.getTime() + 86_400_000)

const applyFilters = (query: EventQuery, { action, targetType, before, after }: FeedInput): EventQuery => {
  let rows = query
  if (action !== undefined) rows = rows.where('event.action', '=', action)
  if (targetType !== undefined) rows = filterByTargetType(rows, targetType)
  if (before !== undefined) rows = rows.where('event.createdAt', '<', defined(parseDay(before)).toISOString())
  if (after !== undefined) rows = rows.where('event.createdAt', '>=', addOneDay(defined(parseDay(after))).toISOString())
  return rows
}

type ReadableCondition = (eb: ExpressionBuilder<Database, 'event' | 'project'>) => Expression<SqlBool>

/** Returns a page of the events that satisfy `readable`, the current user's read permission. The total counts only these. */
export async function listFeed(
  ctx: Context,
  readable: ReadableCondition,
  query: EventQuery,
  input: FeedInput,
): Promise<Page<Event>> {
  const rows = applyFilters(query, input).where(readable)
  const keys = listSortKeys('event.createdAt', 'event.id', input.sort)
  const page = await paginateByKeys(rows, keys, input, (row): EventRow => row)
  return { ...page, items: await completeEvents(ctx, page.items) }
}
