import type { Context } from '../../kernel/context.ts'
import { userColumns } from '../accounts/queries.ts'
import { toUserSummary } from '../accounts/user.ts'
import { getSettings } from '../settings/queries.ts'
import type { UserDetail, UserIdentity } from './user-detail.ts'

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
const findIdentities = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, UserIdentity[]>> => {
  const linked = await ctx.db
    .selectFrom('userIdentity')
    .where('userId', 'in', ids)
    .orderBy('id')
    .select(['userId', 'provider', 'externalUid as externUid'])
    .execute()
  const saml = await ctx.db
    .selectFrom('scimIdentity')
    .leftJoin('ssoProvider', 'ssoProvider.groupId', 'scimIdentity.groupId')
    .where('scimIdentity.userId', 'in', ids)
    .where('scimIdentity.unlinkedAt', 'is', null)
    .orderBy('scimIdentity.id')
    .select(['scimIdentity.userId', 'scimIdentity.externUid', 'ssoProvider.id as samlProviderId'])
    .execute()
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
  const rows = await ctx.db
    .selectFrom('user')
    .where('id', 'in', distinct)
    .select([...userColumns, ...detailColumns])
    .execute()
  const identities = await findIdentities(ctx, distinct)
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
