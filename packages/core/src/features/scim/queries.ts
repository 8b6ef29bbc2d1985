import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import type { Group } from '../groups/group.ts'
import type { ScimFilter } from './filter.ts'
import type { ScimList, ScimUser } from './user.ts'

/** The most users of one list. */
export const maximumResults = 100

const usual = 20

/** The linked users of one group; nobody is reached without the group. */
const rows = (ctx: Context, group: Group) =>
  ctx.db
    .selectFrom('scimIdentity as identity')
    .innerJoin('user', 'user.id', 'identity.userId')
    .where('identity.groupId', '=', group.id)
    .where('identity.unlinkedAt', 'is', null)

const columns = ['identity.externUid', 'user.username', 'user.name', 'user.email'] as const

type Row = Pick<ScimUser, 'externUid' | 'username' | 'name' | 'email'>

const toScimUser = (row: Row, group: Group): ScimUser => ({ ...row, active: true, groupPath: group.fullPath })

const among = (ctx: Context, group: Group, filter: ScimFilter | undefined) => {
  const all = rows(ctx, group)
  if (!filter) return all
  const { attribute, value } = filter
  if (attribute !== 'userName') {
    return all.where((eb) => eb(lower('identity.externUid'), '=', lower(eb.val(value))))
  }
  // Providers mostly have the address as the name of the user.
  return all.where('identity.userId', 'in', (eb) =>
    eb
      .selectFrom('user as named')
      .where((one) =>
        one.or([
          one(lower('named.username'), '=', lower(one.val(value))),
          one(lower('named.email'), '=', lower(one.val(value))),
        ]),
      )
      .select('named.id'),
  )
}

/** The count that is used: at most 100; 20 for none and for what is no count. */
const effectiveCount = (count: number | undefined): number =>
  count === undefined || count <= 0 ? usual : Math.min(count, maximumResults)

/** A page of the users of a group, in the order in which they were linked. */
export async function scimUsers(
  ctx: Context,
  group: Group,
  filter: ScimFilter | undefined,
  page: { readonly startIndex?: number | undefined; readonly count?: number | undefined },
): Promise<ScimList> {
  const startIndex = Math.max(page.startIndex ?? 1, 1)
  const itemsPerPage = effectiveCount(page.count)
  const matching = among(ctx, group, filter)
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const totalResults = Number(total)
  const found =
    startIndex > totalResults
      ? []
      : await matching
          .select(columns)
          .orderBy('identity.id')
          .limit(itemsPerPage)
          .offset(startIndex - 1)
          .execute()
  return { totalResults, itemsPerPage, startIndex, users: found.map((row) => toScimUser(row, group)) }
}

const longestEcho = 255

/** A refusal, `not_found`; what was asked for is said again, cut to 255 characters. */
export const unknownResource = (kind: string, asked: string): PlatformError =>
  new PlatformError('not_found', `Resource ${asked.slice(0, longestEcho).toWellFormed()} not found`, { kind })

/** A user whom the group's provider does not know. */
export const unknownUser = (externalUid: string): PlatformError => unknownResource('User', externalUid)

/** A linked user of a group by external UID, without regard to case. */
export async function scimUser(ctx: Context, group: Group, externalUid: string): Promise<ScimUser> {
  const row = await among(ctx, group, { attribute: 'externalId', value: externalUid })
    .select(columns)
    .executeTakeFirst()
  if (!row) throw unknownUser(externalUid)
  return toScimUser(row, group)
}
