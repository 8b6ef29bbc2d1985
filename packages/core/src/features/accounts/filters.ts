import * as v from 'valibot'
import { lower, matchesSearch } from '../../db/functions.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { Instant, normalizeInstant, Sort } from '../../kernel/inputs.ts'
import { parseSearchText } from '../../shared/search-text.ts'
import type { selectUsers } from './queries.ts'
import type { User, UserSummary } from './user.ts'

/** A user in a list: administrators receive all fields. */
export type ListedUser = UserSummary & Partial<User>

export const userFilters = {
  /** Only users who are not blocked. Default: false. */
  active: v.optional(v.boolean(), false),
  /** Only blocked users. Default: false. */
  blocked: v.optional(v.boolean(), false),
  /** Only external users; ignored unless the caller is an administrator. Default: false. */
  external: v.optional(v.boolean(), false),
  /** Only users who are not external; ignored unless the caller is an administrator. Default: false. */
  excludeExternal: v.optional(v.boolean(), false),
  /** Only administrators; ignored unless the caller is an administrator. Default: false. */
  admins: v.optional(v.boolean(), false),
  /** Only users who do not act for access tokens of projects or groups. Default: false. */
  withoutProjectBots: v.optional(v.boolean(), false),
  /** Only users created at this time or later; ISO 8601, UTC without an offset. */
  createdAfter: v.optional(Instant),
  /** Only users created at this time or earlier; ISO 8601, UTC without an offset. */
  createdBefore: v.optional(Instant),
  /** Direction of the order by id. Default: `asc`. */
  sort: v.optional(Sort, 'asc'),
}

const FiltersSchema = v.object(userFilters)
type Filters = Omit<v.InferOutput<typeof FiltersSchema>, 'sort'> & {
  readonly username?: string | undefined
  readonly search: string
}

type Rows = ReturnType<typeof selectUsers>

/** Filters that would reveal private data to other callers. */
const filterByRole = (rows: Rows, { external, excludeExternal, admins }: Filters): Rows => {
  let filtered = rows
  if (external) filtered = filtered.where('external', '=', true)
  if (excludeExternal) filtered = filtered.where('external', '=', false)
  if (admins) filtered = filtered.where('admin', '=', true)
  return filtered
}

/** The users that match the filters. */
export const filterUsers = (ctx: Context, rows: Rows, filters: Filters): Rows => {
  const { username, search, active, blocked, withoutProjectBots, createdAfter, createdBefore } = filters
  let filtered = isAdministrator(ctx.actor) ? filterByRole(rows, filters) : rows
  if (username !== undefined) filtered = filtered.where(lower('username'), '=', username.toLowerCase())
  if (active) filtered = filtered.where('state', '=', 'active')
  if (blocked) filtered = filtered.where('state', '=', 'blocked')
  if (withoutProjectBots) filtered = filtered.where('bot', '=', false)
  if (createdAfter !== undefined) filtered = filtered.where('createdAt', '>=', normalizeInstant(createdAfter))
  if (createdBefore !== undefined) filtered = filtered.where('createdAt', '<=', normalizeInstant(createdBefore))
  const matches = matchesSearch(ctx.dialect, ['name', 'username'], parseSearchText(search))
  return matches ? filtered.where(matches) : filtered
}
