import { awaitAll } from '../../kernel/await-all.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { getSettings } from '../settings/queries.ts'
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

/** Linked identities of sign-in services first, then those of the groups' SAML providers. */
const findIdentities = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, LinkedIdentity[]>> => {
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

/** All details of the users with these ids. */
export async function userDetails(
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, UserDetail>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const users = ctx.db.selectFrom('user').where('id', 'in', distinct)
  const [rows, identities] = await awaitAll([
    users.select([...userColumns, ...detailColumns]).execute(),
    findIdentities(ctx, distinct),
  ])
  const summary = toUserSummary(await getSettings(ctx))
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        ...summary(row),
        confirmedAt: row.confirmedAt ?? row.createdAt,
        canCreateGroup: row.canCreateGroup && !row.external,
        canCreateProject: row.projectsLimit > 0 && !row.external,
        identities: identities.get(row.id) ?? [],
      },
    ]),
  )
}

/** All details of a user. @throws PlatformError `not_found` for an unknown one */
export async function getUserDetail(ctx: Context, id: number): Promise<UserDetail> {
  const detail = (await userDetails(ctx, [id])).get(id)
  if (!detail) throw notFound('User', id)
  return detail
}
