import * as v from 'valibot'
import { matchesSearch } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { DateOnly, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import type { selectTokens } from './rows.ts'

export const tokenFilters = {
  /** Only tokens that calls can use (`active`), or only revoked and expired ones (`inactive`). Default: `all`. */
  state: v.optional(v.picklist(['all', 'active', 'inactive']), 'all'),
}

const orders = {
  created_asc: ['createdAt', 'asc'],
  created_desc: ['createdAt', 'desc'],
  expires_asc: ['expiresAt', 'asc'],
  expires_desc: ['expiresAt', 'desc'],
  last_used_asc: ['lastUsedAt', 'asc'],
  last_used_desc: ['lastUsedAt', 'desc'],
  name_asc: ['name', 'asc'],
  name_desc: ['name', 'desc'],
} as const

type Order = keyof typeof orders

/** Filters of lists of tokens of several users. */
export const tokenListInput = {
  ...tokenFilters,
  /** Only revoked tokens (true), or only others (false). Default: both. */
  revoked: v.optional(v.boolean()),
  /** Only tokens created after this time; ISO 8601, UTC without an offset. */
  createdAfter: v.optional(Instant),
  /** Only tokens created before this time; ISO 8601, UTC without an offset. */
  createdBefore: v.optional(Instant),
  /** Only tokens that were last used after this time; ISO 8601, UTC without an offset. */
  lastUsedAfter: v.optional(Instant),
  /** Only tokens that were last used before this time; ISO 8601, UTC without an offset. */
  lastUsedBefore: v.optional(Instant),
  /** Only tokens whose first invalid day is after this date. */
  expiresAfter: v.optional(DateOnly),
  /** Only tokens whose first invalid day is before this date. */
  expiresBefore: v.optional(DateOnly),
  /**
   * Words of at least 3 characters and quoted phrases that the name must contain: at most 1,024 characters and 64 words.
   */
  search: v.optional(v.string(), ''),
  /**
   * Order, with the direction after the field. Tokens that do not expire and tokens that were never used are first in
   * ascending order. Default: by id.
   */
  sort: v.optional(v.picklist(Object.keys(orders) as [Order, ...Order[]])),
}

const ListSchema = v.object(tokenListInput)
type ListInput = v.InferOutput<typeof ListSchema>

type Rows = ReturnType<typeof selectTokens>

/** The tokens in a state. */
export const filterTokens = (
  { now }: Context,
  rows: Rows,
  { state }: { state: 'all' | 'active' | 'inactive' },
): Rows => {
  if (state === 'all') return rows
  const today = now.slice(0, 10)
  return rows.where((eb) => {
    const active = eb.and([
      eb('revokedAt', 'is', null),
      eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', today)]),
    ])
    return state === 'active' ? active : eb.not(active)
  })
}

const filterByTime = (rows: Rows, filters: ListInput): Rows => {
  const { createdAfter, createdBefore, lastUsedAfter, lastUsedBefore, expiresAfter, expiresBefore } = filters
  let filtered = rows
  if (expiresAfter !== undefined) filtered = filtered.where('expiresAt', '>', expiresAfter)
  if (expiresBefore !== undefined) filtered = filtered.where('expiresAt', '<', expiresBefore)
  if (createdAfter !== undefined) filtered = filtered.where('createdAt', '>', normalizeInstant(createdAfter))
  if (createdBefore !== undefined) filtered = filtered.where('createdAt', '<', normalizeInstant(createdBefore))
  if (lastUsedAfter !== undefined) filtered = filtered.where('lastUsedAt', '>', normalizeInstant(lastUsedAfter))
  if (lastUsedBefore !== undefined) filtered = filtered.where('lastUsedAt', '<', normalizeInstant(lastUsedBefore))
  return filtered
}

/** Both databases sort missing values first in ascending order, as the indexes do. */
const sortTokens = (rows: Rows, sort: Order | undefined): Rows => {
  if (sort === undefined) return rows.orderBy('id')
  const [column, direction] = orders[sort]
  const sorted = rows.orderBy(column, (order) =>
    direction === 'asc' ? order.asc().nullsFirst() : order.desc().nullsLast(),
  )
  return sorted.orderBy('id', direction)
}

/** The tokens that match the filters, in their order. */
export const listTokens = (ctx: Context, rows: Rows, filters: ListInput): Rows => {
  const { revoked, search, sort } = filters
  let filtered = filterByTime(filterTokens(ctx, rows, filters), filters)
  if (revoked !== undefined) filtered = filtered.where('revokedAt', revoked ? 'is not' : 'is', null)
  const matches = matchesSearch(ctx.dialect, ['name'], parseSearchText(search))
  return sortTokens(matches ? filtered.where(matches) : filtered, sort)
}
