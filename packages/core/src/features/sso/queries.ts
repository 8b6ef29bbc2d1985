import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import type { SamlIdentity, ScimIdentity, SsoProvider } from './identity.ts'

/** Where the people of a group sign in, if anywhere. */
export const providerOf = (ctx: Context, groupId: number): Promise<SsoProvider | undefined> =>
  ctx.db
    .selectFrom('ssoProvider')
    .where('groupId', '=', groupId)
    .select(['id', 'groupId', 'name', 'enabled', 'createdAt'])
    .executeTakeFirst()

const rows = (ctx: Context, groupId: number) =>
  ctx.db
    .selectFrom('scimIdentity')
    .where('groupId', '=', groupId)
    .select(['id', 'groupId', 'userId', 'externUid', 'provisioned', 'unlinkedAt', 'createdAt'])

/** An identity as it is stored; `unlinkedAt` is null while it counts. */
export type IdentityRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

export const toIdentity = ({ groupId, userId, externUid, provisioned, createdAt }: IdentityRow): ScimIdentity => ({
  groupId,
  userId,
  externUid,
  provisioned,
  createdAt,
})

/** The identity that has an external UID in a group, without regard to case: a linked one before those remembered. */
export const identityByUid = (ctx: Context, groupId: number, externUid: string): Promise<IdentityRow | undefined> =>
  rows(ctx, groupId)
    .where((eb) => eb(lower('externUid'), '=', lower(eb.val(externUid))))
    .orderBy((eb) => eb.case().when('unlinkedAt', 'is', null).then(0).else(1).end())
    .orderBy('unlinkedAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The identity of a user in a group, linked or only remembered. */
export const identityOf = (ctx: Context, groupId: number, userId: number): Promise<IdentityRow | undefined> =>
  rows(ctx, groupId).where('userId', '=', userId).executeTakeFirst()

/** What members of a group with a provider are known as there, by user id; undefined for a group that has none. */
export async function samlIdentities(
  ctx: Context,
  groupId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, SamlIdentity> | undefined> {
  const provider = await providerOf(ctx, groupId)
  if (!provider) return undefined
  if (!userIds.length) return new Map()
  const found = await rows(ctx, groupId).where('userId', 'in', userIds).where('unlinkedAt', 'is', null).execute()
  return new Map(
    found.map(({ userId, externUid }) => [userId, { externUid, provider: provider.name, samlProviderId: provider.id }]),
  )
}

interface Link {
  readonly groupId: number
  readonly userId: number
  readonly externUid: string
  readonly provisioned?: boolean
}

/** @throws PlatformError `conflict` when somebody else of the group is linked under that external UID */
export async function refuseTakenUid(
  ctx: Context,
  { groupId, userId, externUid }: Pick<Link, 'groupId' | 'userId' | 'externUid'>,
): Promise<void> {
  const known = await identityByUid(ctx, groupId, externUid)
  if (known && known.unlinkedAt === null && known.userId !== userId) {
    throw new PlatformError('conflict', 'External UID has already been taken')
  }
}

/**
 * Links a user to the provider of a group, anew or again. Whose profile the provider keeps does not change with that.
 *
 * @throws PlatformError `conflict` when somebody else of the group is linked under that external UID
 */
export async function linkIdentity(
  ctx: Context,
  { groupId, userId, externUid, provisioned = false }: Link,
): Promise<IdentityRow> {
  await refuseTakenUid(ctx, { groupId, userId, externUid })
  await ctx.db
    .insertInto('scimIdentity')
    .values({ groupId, userId, externUid, provisioned, unlinkedAt: null, createdAt: ctx.now })
    .onConflict((key) => key.columns(['groupId', 'userId']).doUpdateSet({ externUid, unlinkedAt: null }))
    .execute()
  return (await identityOf(ctx, groupId, userId)) as IdentityRow
}

/** Ends a link. The row remembers who it was, so that the same person can be linked again. */
export const unlinkIdentity = (ctx: Context, { id }: IdentityRow): Promise<unknown> =>
  ctx.db.updateTable('scimIdentity').set({ unlinkedAt: ctx.now }).where('id', '=', id).execute()
