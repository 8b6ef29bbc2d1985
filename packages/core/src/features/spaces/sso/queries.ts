import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound, PlatformError } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import type { SamlIdentity, ScimIdentity, SsoProvider } from './identity.ts'

export const findProvider = (ctx: Context, groupId: number): Promise<SsoProvider | undefined> =>
  ctx.db
    .selectFrom('ssoProvider')
    .where('groupId', '=', groupId)
    .select(['id', 'groupId', 'name', 'enabled', 'createdAt'])
    .executeTakeFirst()

/** @throws PlatformError `not_found` if single sign-on was never enabled */
export const requireProvider = async (ctx: Context, groupId: number): Promise<SsoProvider> => {
  const provider = await findProvider(ctx, groupId)
  if (!provider) throw notFound('Single sign-on')
  return provider
}

export const selectIdentities = (ctx: Context, groupId: number) =>
  ctx.db
    .selectFrom('scimIdentity')
    .where('groupId', '=', groupId)
    .select([
      'id',
      'groupId',
      'userId',
      'externUid',
      'provisioned',
      'givenName',
      'familyName',
      'unlinkedAt',
      'createdAt',
    ])

/** A stored identity; `unlinkedAt` is null while the user is linked. */
export type IdentityRow = Awaited<ReturnType<ReturnType<typeof selectIdentities>['executeTakeFirstOrThrow']>>

export const toIdentity = ({
  groupId,
  userId,
  externUid,
  provisioned,
  unlinkedAt,
  createdAt,
}: IdentityRow): ScimIdentity => ({ groupId, userId, externUid, active: unlinkedAt === null, provisioned, createdAt })

/** Finds an identity by external UID, case-insensitive: the linked one, else the one unlinked last. */
export const findIdentityByUid = (ctx: Context, groupId: number, externUid: string): Promise<IdentityRow | undefined> =>
  selectIdentities(ctx, groupId)
    .where((eb) => eb(lower('externUid'), '=', lower(eb.val(externUid))))
    .orderBy((eb) => eb.case().when('unlinkedAt', 'is', null).then(0).else(1).end())
    .orderBy('unlinkedAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The identity of a user in a group, linked or unlinked. */
export const findIdentity = (ctx: Context, groupId: number, userId: number): Promise<IdentityRow | undefined> =>
  selectIdentities(ctx, groupId).where('userId', '=', userId).executeTakeFirst()

/** The linked identities of some users by user id; undefined for a group without a provider. */
export async function findSamlIdentities(
  ctx: Context,
  groupId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, SamlIdentity> | undefined> {
  const provider = await findProvider(ctx, groupId)
  if (!provider) return undefined
  if (!userIds.length) return new Map()
  const rows = await selectIdentities(ctx, groupId)
    .where('userId', 'in', userIds)
    .where('unlinkedAt', 'is', null)
    .execute()
  return new Map(
    rows.map(({ userId, externUid }) => [userId, { externUid, provider: provider.name, samlProviderId: provider.id }]),
  )
}

interface IdentityLink {
  readonly groupId: number
  readonly userId: number
  readonly externUid: string
  readonly provisioned?: boolean
  readonly givenName?: string | null
  readonly familyName?: string | null
}

/** @throws PlatformError `conflict` when another user of the group is linked with this external UID */
export async function assertUidAvailable(
  ctx: Context,
  { groupId, userId, externUid }: Pick<IdentityLink, 'groupId' | 'userId' | 'externUid'>,
): Promise<void> {
  const existing = await findIdentityByUid(ctx, groupId, externUid)
  if (existing?.unlinkedAt === null && existing.userId !== userId) {
    throw new PlatformError('conflict', 'External UID has already been taken')
  }
}

/**
 * Links a user to the provider of a group, for the first time or again. Linking again changes only the external UID.
 *
 * @throws PlatformError `conflict` when another user of the group is linked with this external UID
 */
export async function linkIdentity(
  ctx: Context,
  { groupId, userId, externUid, provisioned = false, givenName = null, familyName = null }: IdentityLink,
): Promise<IdentityRow> {
  await assertUidAvailable(ctx, { groupId, userId, externUid })
  await ctx.db
    .insertInto('scimIdentity')
    .values({
      groupId,
      userId,
      externUid,
      provisioned,
      givenName,
      familyName,
      unlinkedAt: null,
      createdAt: ctx.now,
    } satisfies CompleteRow<'scimIdentity'>)
    .onConflict((key) => key.columns(['groupId', 'userId']).doUpdateSet({ externUid, unlinkedAt: null }))
    .execute()
  return defined(await findIdentity(ctx, groupId, userId))
}

/** Unlinks an identity. The row stays, so that the same user can be linked again. */
export const unlinkIdentity = (ctx: Context, { id }: IdentityRow): Promise<unknown> =>
  ctx.db.updateTable('scimIdentity').set({ unlinkedAt: ctx.now }).where('id', '=', id).execute()
