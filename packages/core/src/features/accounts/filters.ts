import * as v from 'valibot'
import { lower, matchesSearch } from '../../db/functions.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { allOrNone, Instant, normalizeInstant, Sort } from '../../kernel/inputs.ts'
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
  /** Only users with (`enabled`) or without (`disabled`) two-factor authentication; ignored unless the caller is an administrator. */
  twoFactor: v.optional(v.picklist(['enabled', 'disabled'])),
  /** Only the user with this id at `provider`; ignored unless the caller is an administrator. */
  externUid: v.optional(v.string()),
  /** Identity provider of `externUid`. Required with it. */
  provider: v.optional(v.string()),
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

export const userFilterRules = [
  allOrNone<{ externUid?: string | undefined; provider?: string | undefined }>('externUid', 'provider'),
]

type Rows = ReturnType<typeof selectUsers>

/** Filters that would reveal private data to other callers. */
const filterByRole = (ctx: Context, rows: Rows, filters: Filters): Rows => {
  const { external, excludeExternal, admins, twoFactor, externUid, provider } = filters
  let filtered = rows
  if (twoFactor !== undefined) filtered = filtered.where('twoFactorEnabled', '=', twoFactor === 'enabled')
  if (externUid !== undefined && provider !== undefined) {
    const identities = ctx.db
      .selectFrom('userIdentity')
      .where('provider', '=', provider)
      .where('externalUid', '=', externUid)
    filtered = filtered.where('id', 'in', identities.select('userId'))
  }
  if (external) filtered = filtered.where('external', '=', true)
  if (excludeExternal) filtered = filtered.where('external', '=', false)
  if (admins) filtered = filtered.where('admin', '=', true)
  return filtered
}

/** The users that match the filters. */
export const filterUsers = (ctx: Context, rows: Rows, filters: Filters): Rows => {
  const { username, search, active, blocked, withoutProjectBots, createdAfter, createdBefore } = filters
  let filtered = isAdministrator(ctx.actor) ? filterByRole(ctx, rows, filters) : rows
  if (username !== undefined) filtered = filtered.where(lower('username'), '=', username.toLowerCase())
  if (active) filtered = filtered.where('state', '=', 'active')
  if (blocked) filtered = filtered.where('state', '=', 'blocked')
  if (withoutProjectBots) filtered = filtered.where('bot', '=', false)
  if (createdAfter !== undefined) filtered = filtered.where('createdAt', '>=', normalizeInstant(createdAfter))
  if (createdBefore !== undefined) filtered = filtered.where('createdAt', '<=', normalizeInstant(createdBefore))
  const matches = matchesSearch(ctx.dialect, ['name', 'username'], parseSearchText(search))
  return matches ? filtered.where(matches) : filtered
}
