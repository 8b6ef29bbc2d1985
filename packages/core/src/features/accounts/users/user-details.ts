import { lower } from '../../../db/functions.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { toCommitEmail } from './commit-email.ts'
import { selectFollows, toFollows } from './follows.ts'
import { selectUsers, userSummaries } from './queries.ts'
import { toUserSummary, type UserSummary } from './user.ts'
import type { LinkedIdentity, PublicUser, ShownUser, UserDetail, UserProfile } from './user-detail.ts'

const detailColumns = [
  'bio',
  'location',
  'skype',
  'linkedin',
  'twitter',
  'discord',
  'github',
  'websiteUrl',
  'organization',
  'jobTitle',
  'pronouns',
  'note',
  'createdById',
  'lastSignInAt',
  'currentSignInAt',
  'lastSignInIp',
  'currentSignInIp',
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

/** Adds what only the details of users contain. */
export const withDetails = (rows: ReturnType<typeof selectUsers>) =>
  rows
    .select(detailColumns)
    .select((eb) =>
      eb.selectFrom('namespace').whereRef('namespace.ownerId', '=', 'user.id').select('namespace.id').as('namespaceId'),
    )

type DetailRow = Awaited<ReturnType<ReturnType<typeof withDetails>['executeTakeFirstOrThrow']>>

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

const toDetail =
  (settings: Settings, identities: ReadonlyMap<number, LinkedIdentity[]>) =>
  ({
    note: _note,
    createdById: _id,
    lastSignInIp: _last,
    currentSignInIp: _current,
    ...row
  }: DetailRow): UserDetail => ({
    ...row,
    ...toUserSummary(settings)(row),
    commitEmail: toCommitEmail(settings, row),
    confirmedAt: row.confirmedAt ?? row.createdAt,
    canCreateGroup: row.canCreateGroup && !row.external,
    canCreateProject: row.projectsLimit > 0 && !row.external,
    identities: (identities.get(row.id) ?? []).map(({ provider, externUid, samlProviderId }) => ({
      provider,
      externUid,
      samlProviderId,
    })),
  })

const administrativeFields = (row: DetailRow, creators: ReadonlyMap<number, UserSummary>) => ({
  note: row.note,
  currentSignInIp: row.currentSignInIp,
  lastSignInIp: row.lastSignInIp,
  createdBy: creators.get(row.createdById ?? 0) ?? null,
})

/** All details of users; with two or three statements for any number of users. */
export const toUserDetails = async (ctx: Context, rows: readonly DetailRow[]): Promise<UserDetail[]> => {
  if (!rows.length) return []
  const isAdmin = isAdministrator(ctx.actor)
  const ids = rows.map(({ id }) => id)
  const creatorIds = isAdmin ? rows.map(({ createdById }) => createdById) : []
  const [settings, identities, creators] = await awaitAll([
    getSettings(ctx),
    findIdentities(ctx, ids),
    userSummaries(ctx, creatorIds),
  ])
  const detail = toDetail(settings, identities)
  return rows.map((row) => ({ ...detail(row), ...(isAdmin && administrativeFields(row, creators)) }))
}

const selectDetails = (ctx: Context, ref: number | string) => {
  const rows = withDetails(selectUsers(ctx)).select(selectFollows(ctx))
  return typeof ref === 'number'
    ? rows.where('user.id', '=', ref)
    : rows.where(lower('user.username'), '=', ref.toLowerCase())
}

const findDetail = async (ctx: Context, ref: number | string): Promise<UserDetail | undefined> => {
  const row = await selectDetails(ctx, ref).executeTakeFirst()
  if (!row) return undefined
  const { ownFollows: _own, ...columns } = row
  const [detail] = await toUserDetails(ctx, [columns])
  return detail && { ...detail, ...toFollows(ctx, row) }
}

/** All details of the user with an id. */
export const findUserDetail = (ctx: Context, id: number): Promise<UserDetail | undefined> => findDetail(ctx, id)

const toPublicUser = ({ createdAt, followers, following, isFollowed, ...user }: UserDetail): PublicUser => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state,
  avatarUrl: user.avatarUrl,
  publicEmail: user.publicEmail,
  bio: user.bio,
  location: user.location,
  skype: user.skype,
  linkedin: user.linkedin,
  twitter: user.twitter,
  discord: user.discord,
  github: user.github,
  websiteUrl: user.websiteUrl,
  organization: user.organization,
  jobTitle: user.jobTitle,
  pronouns: user.pronouns,
  bot: user.bot,
  ...(!user.privateProfile && { createdAt, followers, following, isFollowed }),
})

/** The profiles of users by id, as the current user sees them; with one statement. */
export const userProfiles = async (
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, UserProfile>> => {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const [settings, rows] = await awaitAll([
    getSettings(ctx),
    withDetails(selectUsers(ctx)).select(selectFollows(ctx)).where('user.id', 'in', distinct).execute(),
  ])
  const detail = toDetail(settings, new Map())
  return new Map(
    rows.map(({ ownFollows, ...row }) => {
      const follows = toFollows(ctx, { ...row, ownFollows })
      const isShown = isAdministrator(ctx.actor) || row.id === getUserId(ctx.actor)
      const profile = toPublicUser({ ...detail(row), ...follows })
      return [row.id, isShown ? { ...profile, createdAt: row.createdAt, ...follows } : profile]
    }),
  )
}

/**
 * A user by id or username as the current user sees it: all details for administrators and the user, the profile for others.
 *
 * @throws PlatformError `not_found` for an unknown one
 */
export async function getShownUser(ctx: Context, ref: number | string): Promise<ShownUser> {
  const detail = await findDetail(ctx, ref)
  if (!detail) throw notFound('User', ref)
  return isAdministrator(ctx.actor) || detail.id === getUserId(ctx.actor) ? detail : toPublicUser(detail)
}
