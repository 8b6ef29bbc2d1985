import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../database.ts'
import type { Context } from '../../kernel/context.ts'
import { Sort } from '../../kernel/inputs.ts'
import { type Page, paginate, paging } from '../../kernel/paging.ts'
import { type Event, eventActions } from './event.ts'
import { completeEvents, type EventRow, eventColumns, eventRows } from './queries.ts'

/** `2016-12-1` or `2016-12-01`, a day that exists; undefined for anything else. */
const dayOf = (text: string): Date | undefined => {
  const [, year, month, day] = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date : undefined
}

const Day = v.pipe(
  v.string(),
  v.check((text) => dayOf(text) !== undefined, 'is invalid'),
)

/** What every feed can be asked for: specification 1, "Activity events". */
export const feedInput = {
  ...paging,
  action: v.optional(v.picklist(eventActions)),
  targetType: v.optional(v.picklist(['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user'])),
  /** A day (UTC), itself excluded. */
  before: v.optional(Day),
  /** A day (UTC), itself excluded. */
  after: v.optional(Day),
  /** By id, which is the order in which things happened. */
  sort: v.optional(Sort, 'desc'),
}

export type FeedInput = v.InferOutput<v.ObjectSchema<typeof feedInput, undefined>>

/** Everything that was ever done; `feed` leaves out what may not be seen. */
export const allEvents = (listing: Kysely<Database>) => eventRows(listing).select(eventColumns)

type Rows = ReturnType<typeof allEvents>

const kinds = {
  issue: ['issue'],
  milestone: ['milestone'],
  merge_request: ['mergeRequest'],
  note: ['note'],
  snippet: [],
  user: [],
} as const

const ofType = (rows: Rows, type: NonNullable<FeedInput['targetType']>): Rows => {
  // What is done to nothing in a project is done to the project.
  if (type === 'project') {
    return rows.where((eb) => eb.or([eb('event.targetKind', '=', 'project'), eb('event.targetKind', 'is', null)]))
  }
  const [kind] = kinds[type]
  return kind === undefined ? rows.where((eb) => eb.lit(false)) : rows.where('event.targetKind', '=', kind)
}

const nextDay = (day: Date) => new Date(day.getTime() + 86_400_000)

const filtered = (all: Rows, { action, targetType, before, after }: FeedInput): Rows => {
  let rows = all
  if (action !== undefined) rows = rows.where('event.action', '=', action)
  if (targetType !== undefined) rows = ofType(rows, targetType)
  if (before !== undefined) rows = rows.where('event.createdAt', '<', (dayOf(before) as Date).toISOString())
  if (after !== undefined) rows = rows.where('event.createdAt', '>=', nextDay(dayOf(after) as Date).toISOString())
  return rows
}

type Readable = (eb: ExpressionBuilder<Database, 'event' | 'project'>) => Expression<SqlBool>

/** One page of the events of a feed that the caller may see, as `readable` says; the total counts no others. */
export async function feed(ctx: Context, readable: Readable, all: Rows, input: FeedInput): Promise<Page<Event>> {
  const rows = filtered(all, input).where(readable).orderBy('event.id', input.sort)
  const page = await paginate(rows, input, (row): EventRow => row)
  return { ...page, items: await completeEvents(ctx, page.items) }
}
