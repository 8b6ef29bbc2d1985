import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { customAttributesFilter, matchCustomAttributes } from '../../../access/custom-attributes.ts'
import type { Database } from '../../../contract/database.ts'
import { lower, matchesSearch } from '../../../db/functions.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { allOrNone, Id, Instant, normalizeInstant, Sort } from '../../../kernel/inputs.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { isEmail } from '../../../shared/text.ts'
import { isMemberOfAnyProject } from './project-members.ts'
import type { selectUsers } from './queries.ts'
import { ghostEmail, type UserSummary } from './user.ts'
import type { UserDetail } from './user-detail.ts'

/** A user in a list: administrators receive all details. */
export type ListedUser = UserSummary & Partial<UserDetail>

export const userFilters = {
  /** Only users who are not blocked. Default: false. */
  active: v.optional(v.boolean(), false),
  /** Only blocked users. Default: false. */
  blocked: v.optional(v.boolean(), false),
  /** Only external users; ignored unless the current user is an administrator. Default: false. */
  external: v.optional(v.boolean(), false),
  /** Only users who are not external; ignored unless the current user is an administrator. Default: false. */
  excludeExternal: v.optional(v.boolean(), false),
  /** Only administrators; ignored unless the current user is an administrator. Default: false. */
  admins: v.optional(v.boolean(), false),
  /** Only users with (`enabled`) or without (`disabled`) two-factor authentication; ignored unless the current user is an administrator. */
  twoFactor: v.optional(v.picklist(['enabled', 'disabled'])),
  /** Only the user with this id at `provider`; ignored unless the current user is an administrator. */
  externUid: v.optional(v.string()),
  /** Identity provider of `externUid`. Required with it. */
  provider: v.optional(v.string()),
  /** Only users who do not act for access tokens of projects or groups. Default: false. */
  withoutProjectBots: v.optional(v.boolean(), false),
  /** Only users who are not active. Default: false. */
  excludeActive: v.optional(v.boolean(), false),
  /** Only people: without the bots of access tokens and without the account of removed users. Default: false. */
  humans: v.optional(v.boolean(), false),
  /** Only the bots of access tokens and the account of removed users. Default: false. */
  excludeHumans: v.optional(v.boolean(), false),
  /** Without the account of removed users. Default: false. */
  excludeInternal: v.optional(v.boolean(), false),
  /** Only users with this public e-mail address, regardless of case. Private profiles match only for administrators. */
  publicEmail: v.optional(v.string()),
  /** Only users without access to any project as a member; ignored unless the current user is an administrator. Default: false. */
  withoutProjects: v.optional(v.boolean(), false),
  /** Only users created at this time or later; ISO 8601, UTC without an offset. */
  createdAfter: v.optional(Instant),
  /** Only users created at this time or earlier; ISO 8601, UTC without an offset. */
  createdBefore: v.optional(Instant),
  /** Value to sort by; equal values are sorted by id. By id unless the current user is an administrator. Default: `id`. */
  orderBy: v.optional(v.picklist(['id', 'name', 'username', 'created_at', 'updated_at']), 'id'),
  /** Direction of the order. Default: `desc`. */
  sort: v.optional(Sort, 'desc'),
  /** Only users without an identity of an LDAP server (a provider that begins with `ldap`); for administrators. Default: false. */
  skipLdap: v.optional(v.boolean(), false),
  /** Only users with an identity at the SAML provider with this id; for administrators. */
  samlProviderId: v.optional(Id),
  /** Whether to include the custom attributes; for administrators. Default: false. */
  withCustomAttributes: v.optional(v.boolean(), false),
  ...customAttributesFilter,
}

const FiltersSchema = v.object(userFilters)
type Filters = Omit<v.InferOutput<typeof FiltersSchema>, 'sort' | 'orderBy'> & {
  readonly username?: string | undefined
  readonly search: string
}

export const userFilterRules = [
  allOrNone<{ externUid?: string | undefined; provider?: string | undefined }>('externUid', 'provider'),
]

type Rows = ReturnType<typeof selectUsers>

/** Filters that would reveal private data to other users. */
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
  if (filters.skipLdap) {
    filtered = filtered.where((eb) => {
      const identities = eb.selectFrom('userIdentity').whereRef('userIdentity.userId', '=', 'user.id')
      return eb.not(eb.exists(identities.where('provider', 'like', 'ldap%').select('userIdentity.id')))
    })
  }
  if (filters.samlProviderId !== undefined) {
    const identities = ctx.db
      .selectFrom('scimIdentity')
      .innerJoin('ssoProvider', 'ssoProvider.groupId', 'scimIdentity.groupId')
      .where('ssoProvider.id', '=', filters.samlProviderId)
      .where('scimIdentity.unlinkedAt', 'is', null)
    filtered = filtered.where('id', 'in', identities.select('scimIdentity.userId'))
  }
  filtered = filtered.where((eb) =>
    eb.and(matchCustomAttributes(ctx, 'userId', eb.ref('user.id'), filters.customAttributes)),
  )
  if (external) filtered = filtered.where('external', '=', true)
  if (excludeExternal) filtered = filtered.where('external', '=', false)
  if (admins) filtered = filtered.where('admin', '=', true)
  if (filters.withoutProjects) filtered = filtered.where((eb) => eb.not(isMemberOfAnyProject(ctx)(eb)))
  return filtered
}

const filterByKind = (rows: Rows, { humans, excludeHumans, excludeInternal }: Filters): Rows => {
  let filtered = rows
  if (humans) filtered = filtered.where('bot', '=', false).where(lower('email'), '!=', ghostEmail)
  if (excludeHumans)
    filtered = filtered.where((eb) => eb.or([eb('bot', '=', true), eb(lower('email'), '=', ghostEmail)]))
  if (excludeInternal) filtered = filtered.where(lower('email'), '!=', ghostEmail)
  return filtered
}

/** A complete e-mail address: the public one of a user, and for administrators any confirmed one. */
const emailMatches = (ctx: Context, search: string) => (eb: ExpressionBuilder<Database, 'user'>) => {
  const text = search.trim().toLowerCase()
  if (!isEmail(text)) return []
  const isPublic = eb(lower('publicEmail'), '=', text)
  if (!isAdministrator(ctx.actor)) return [eb.and([isPublic, eb('privateProfile', '=', false)])]
  const addresses = ctx.db
    .selectFrom('emailAddress')
    .where(lower('email'), '=', text)
    .where('confirmedAt', 'is not', null)
  return [isPublic, eb(lower('user.email'), '=', text), eb('id', 'in', addresses.select('userId'))]
}

const orderColumns = {
  id: 'id',
  name: 'name',
  username: 'username',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const

/** The users in the requested order. */
export const sortUsers = (
  ctx: Context,
  rows: Rows,
  { orderBy, sort }: { readonly orderBy: keyof typeof orderColumns; readonly sort: 'asc' | 'desc' },
): Rows => rows.orderBy(orderColumns[isAdministrator(ctx.actor) ? orderBy : 'id'], sort).orderBy('id', sort)

/** The users that match the filters. */
export const filterUsers = (ctx: Context, rows: Rows, filters: Filters): Rows => {
  const { username, search, active, blocked, withoutProjectBots, createdAfter, createdBefore } = filters
  let filtered = filterByKind(isAdministrator(ctx.actor) ? filterByRole(ctx, rows, filters) : rows, filters)
  if (username !== undefined) filtered = filtered.where(lower('username'), '=', username.toLowerCase())
  if (active) filtered = filtered.where('state', '=', 'active')
  if (filters.excludeActive) filtered = filtered.where('state', '!=', 'active')
  if (filters.publicEmail !== undefined) {
    filtered = filtered.where(lower('publicEmail'), '=', filters.publicEmail.toLowerCase())
    if (!isAdministrator(ctx.actor)) filtered = filtered.where('privateProfile', '=', false)
  }
  if (blocked) filtered = filtered.where('state', '=', 'blocked')
  if (withoutProjectBots) filtered = filtered.where('bot', '=', false)
  if (createdAfter !== undefined) filtered = filtered.where('createdAt', '>=', normalizeInstant(createdAfter))
  if (createdBefore !== undefined) filtered = filtered.where('createdAt', '<=', normalizeInstant(createdBefore))
  const matches = matchesSearch(ctx.dialect, ['name', 'username'], parseSearchText(search))
  return matches ? filtered.where((eb) => eb.or([matches, ...emailMatches(ctx, search)(eb)])) : filtered
}
