import type { Group } from '../../../contract/namespace.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import type { ScimFilter } from './filter.ts'
import type { ScimList, ScimUser } from './user.ts'

/** Maximum number of users in one list response. */
export const maximumResults = 100

const defaultCount = 20

/** The linked users of one group. All queries start here, so a provider reaches only users of its group. */
const selectLinkedUsers = (ctx: Context, group: Group) =>
  ctx.db
    .selectFrom('scimIdentity as identity')
    .innerJoin('user', 'user.id', 'identity.userId')
    .where('identity.groupId', '=', group.id)
    .where('identity.unlinkedAt', 'is', null)

const columns = ['identity.externUid', 'user.username', 'user.name', 'user.email'] as const

type Row = Pick<ScimUser, 'externUid' | 'username' | 'name' | 'email'>

const toScimUser = (row: Row, group: Group): ScimUser => ({ ...row, active: true, groupPath: group.fullPath })

const filterUsers = (ctx: Context, group: Group, filter: ScimFilter | undefined) => {
  const all = selectLinkedUsers(ctx, group)
  if (!filter) return all
  const { attribute, value } = filter
  if (attribute === 'id' || attribute === 'externalId') {
    return all.where((eb) => eb(lower('identity.externUid'), '=', lower(eb.val(value))))
  }
  return all.where('identity.userId', 'in', (eb) =>
    eb
      .selectFrom('user as named')
      .where((inner) => {
        const hasEmail = inner(lower('named.email'), '=', lower(inner.val(value)))
        // Most providers use the e-mail address as the `userName`.
        return attribute === 'emails.value'
          ? hasEmail
          : inner.or([inner(lower('named.username'), '=', lower(inner.val(value))), hasEmail])
      })
      .select('named.id'),
  )
}

/** A page of the linked users of a group, ordered by the time of their first link. */
export async function listScimUsers(
  ctx: Context,
  group: Group,
  filter: ScimFilter | undefined,
  page: { readonly startIndex?: number | undefined; readonly count?: number | undefined },
): Promise<ScimList> {
  const startIndex = Math.max(page.startIndex ?? 1, 1)
  // RFC 7644 section 3.4.2.4: a negative count means 0, which returns only the total.
  const limit = Math.min(Math.max(page.count ?? defaultCount, 0), maximumResults)
  const matching = filterUsers(ctx, group, filter)
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const totalResults = Number(total)
  const rows =
    startIndex > totalResults || limit === 0
      ? []
      : await matching
          .select(columns)
          .orderBy('identity.id')
          .limit(limit)
          .offset(startIndex - 1)
          .execute()
  return { totalResults, itemsPerPage: rows.length, startIndex, users: rows.map((row) => toScimUser(row, group)) }
}

const maxEchoLength = 255

/** A `not_found` error; the message contains the requested id, cut to 255 characters. */
export const unknownResourceError = (kind: string, id: string): PlatformError =>
  new PlatformError('not_found', `Resource ${id.slice(0, maxEchoLength).toWellFormed()} not found`, { kind })

export const unknownUserError = (externalUid: string): PlatformError => unknownResourceError('User', externalUid)

/** A linked user of a group by external UID, case-insensitive. */
export async function getScimUser(ctx: Context, group: Group, externalUid: string): Promise<ScimUser> {
  const row = await filterUsers(ctx, group, { attribute: 'externalId', value: externalUid })
    .select(columns)
    .executeTakeFirst()
  if (!row) throw unknownUserError(externalUid)
  return toScimUser(row, group)
}
