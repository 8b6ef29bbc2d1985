import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'

/** A user's identity at an external provider. */
export interface UserIdentity {
  /** Name that the host chose, such as `crm` or `google`. */
  provider: string
  /** The user's id at the provider; case-sensitive. */
  externalUid: string
  /** Time of the link; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}

const maxLength = 255

const assertValidIdentity = (identity: { readonly provider: string; readonly externalUid: string }) => {
  const problems = Object.fromEntries(
    Object.entries(identity).flatMap(([field, text]) => {
      if (text.trim() === '') return [[field, ["can't be blank"]]]
      return text.length > maxLength ? [[field, [`is too long (maximum is ${maxLength} characters)`]]] : []
    }),
  )
  if (Object.keys(problems).length) throw invalid(problems)
}

/** The identity with a UID at a provider. */
export const findIdentity = (ctx: Context, provider: string, externalUid: string) =>
  ctx.db
    .selectFrom('userIdentity')
    .where('provider', '=', provider)
    .where('externalUid', '=', externalUid)
    .select(['userId', 'provider', 'externalUid', 'createdAt'])
    .executeTakeFirst()

const toIdentity = ({ provider, externalUid, createdAt }: UserIdentity): UserIdentity => ({
  provider,
  externalUid,
  createdAt,
})

/**
 * Links a user to an external UID, unless that is linked already.
 *
 * @param replaces whether the user's other UID at the provider, if any, is replaced
 * @throws PlatformError `invalid` for an invalid identity, `conflict` for the UID of another user or a second one at the provider
 */
export const linkIdentity = async (
  ctx: Context,
  userId: number,
  { provider, externalUid }: { readonly provider: string; readonly externalUid: string },
  { replaces = false }: { readonly replaces?: boolean } = {},
): Promise<UserIdentity> => {
  assertValidIdentity({ provider, externalUid })
  const existing = await findIdentity(ctx, provider, externalUid)
  if (existing && existing.userId !== userId) throw conflict('External UID has already been taken')
  if (existing) return toIdentity(existing)
  const own = ctx.db.selectFrom('userIdentity').where('userId', '=', userId).where('provider', '=', provider)
  const other = await own.select('id').executeTakeFirst()
  if (other && !replaces) throw conflict('User already has another UID at this provider')
  if (other) await ctx.db.deleteFrom('userIdentity').where('id', '=', other.id).execute()
  const identity = { provider, externalUid, createdAt: ctx.now }
  await ctx.db
    .insertInto('userIdentity')
    .values({ ...identity, userId } satisfies CompleteRow<'userIdentity'>)
    .execute()
  return identity
}
