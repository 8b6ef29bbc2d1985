import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { lower } from '../../../db/functions.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { userColumns } from './queries.ts'
import { toUserSummary } from './user.ts'
import type { LinkedIdentity, UserDetail } from './user-detail.ts'

const detailColumns = [
  'bio',
  'location',
  'publicEmail',
  'skype',
  'linkedin',
  'twitter',
  'websiteUrl',
  'organization',
  'lastSignInAt',
  'currentSignInAt',
  'confirmedAt',
  'lastActivityOn',
  'themeId',
  'colorSchemeId',
  'projectsLimit',
  'canCreateGroup',
  'twoFactorEnabled',
  'sharedRunnersMinutesLimit',
  'extraSharedRunnersMinutesLimit',
] as const

type UserRows = SelectQueryBuilder<Database, 'user', object>

/** Linked identities of sign-in services first, then those of the groups' SAML providers. */
const findIdentities = async (ctx: Context, users: UserRows): Promise<ReadonlyMap<number, LinkedIdentity[]>> => {
  const ids = users.select('user.id')
  const linkedRows = ctx.db
    .selectFrom('userIdentity')
    .where('userId', 'in', ids)
    .orderBy('id')
    .select(['userId', 'provider', 'externalUid as externUid'])
  const samlRows = ctx.db
    .selectFrom('scimIdentity')
    .leftJoin('ssoProvider', 'ssoProvider.groupId', 'scimIdentity.groupId')
    .where('scimIdentity.userId', 'in', ids)
    .where('scimIdentity.unlinkedAt', 'is', null)
    .orderBy('scimIdentity.id')
    .select(['scimIdentity.userId', 'scimIdentity.externUid', 'ssoProvider.id as samlProviderId'])
  const [linked, saml] = await awaitAll([linkedRows.execute(), samlRows.execute()])
  const identities = [
    ...linked.map((identity) => ({ ...identity, samlProviderId: null })),
    ...saml.map((identity) => ({ ...identity, provider: 'group_saml' })),
  ]
  return Map.groupBy(identities, ({ userId }) => userId)
}

const readDetails = async (ctx: Context, users: UserRows): Promise<UserDetail[]> => {
  const [rows, identities] = await awaitAll([
    users.select([...userColumns, ...detailColumns]).execute(),
    findIdentities(ctx, users),
  ])
  const summary = toUserSummary(await getSettings(ctx))
  return rows.map((row) => ({
    ...row,
    ...summary(row),
    confirmedAt: row.confirmedAt ?? row.createdAt,
    canCreateGroup: row.canCreateGroup && !row.external,
    canCreateProject: row.projectsLimit > 0 && !row.external,
    identities: identities.get(row.id) ?? [],
  }))
}

/** All details of the user with an id. */
export const findUserDetail = async (ctx: Context, id: number): Promise<UserDetail | undefined> =>
  (await readDetails(ctx, ctx.db.selectFrom('user').where('user.id', '=', id)))[0]

/** All details of a user by id or username. @throws PlatformError `not_found` for an unknown one */
export async function getUserDetail(ctx: Context, ref: number | string): Promise<UserDetail> {
  const users = ctx.db.selectFrom('user')
  const [detail] = await readDetails(
    ctx,
    typeof ref === 'number'
      ? users.where('user.id', '=', ref)
      : users.where(lower('user.username'), '=', ref.toLowerCase()),
  )
  if (!detail) throw notFound('User', ref)
  return detail
}
