import * as v from 'valibot'
import { instance, userEntries } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { findUser } from '../users/queries.ts'
import type { User } from '../users/user.ts'

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

const providerInput = {
  /** Name that the host chooses for the provider, such as `crm` or `google`: 1 to 255 characters, case-sensitive. */
  provider: v.string(),
}

const identityInput = {
  ...providerInput,
  /** The user's id at the provider: 1 to 255 characters, case-sensitive. */
  externalUid: v.string(),
}

const assertValidIdentity = (identity: { readonly provider: string; readonly externalUid: string }) => {
  const problems = Object.fromEntries(
    Object.entries(identity).flatMap(([field, text]) => {
      if (text.trim() === '') return [[field, ["can't be blank"]]]
      return text.length > maxLength ? [[field, [`is too long (maximum is ${maxLength} characters)`]]] : []
    }),
  )
  if (Object.keys(problems).length) throw invalid(problems)
}

const findIdentity = (ctx: Context, provider: string, externalUid: string) =>
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
 * External identities of users: in the host's own user table, or at a sign-in service. `platform.as({ provider, externalUid })`
 * opens a session of the linked user. Single sign-on of a single group is `sso`.
 */
export const identities = {
  /** Gets the user who is linked to an external UID. */
  find: query({
    on: instance,
    can: 'user.manage',
    input: identityInput,
    async run(ctx, { provider, externalUid }): Promise<User> {
      const identity = await findIdentity(ctx, provider, externalUid)
      if (!identity) throw notFound('User')
      return findUser(ctx, identity.userId)
    },
  }),

  /** Lists the identities of a user, ordered by provider. */
  list: query({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    async run(ctx, { user }): Promise<readonly UserIdentity[]> {
      const { id } = await findUser(ctx, user)
      return ctx.db
        .selectFrom('userIdentity')
        .where('userId', '=', id)
        .orderBy('provider')
        .select(['provider', 'externalUid', 'createdAt'])
        .execute()
    },
  }),

  /**
   * Links a user to an external UID, at most one per provider. Linking the same UID again changes nothing.
   *
   * @throws PlatformError `conflict` when another user has that UID, or this user has another UID there: unlink it first
   */
  link: command({
    on: instance,
    can: 'user.manage',
    input: { ...userEntries, ...identityInput },
    async run(ctx, { user, provider, externalUid }): Promise<UserIdentity> {
      assertValidIdentity({ provider, externalUid })
      const { id } = await findUser(ctx, user)
      const existing = await findIdentity(ctx, provider, externalUid)
      if (existing && existing.userId !== id) throw conflict('External UID has already been taken')
      if (existing) return toIdentity(existing)
      const other = await ctx.db
        .selectFrom('userIdentity')
        .where('userId', '=', id)
        .where('provider', '=', provider)
        .select('id')
        .executeTakeFirst()
      if (other) throw conflict('User already has another UID at this provider')
      const identity = { provider, externalUid, createdAt: ctx.now }
      await ctx.db
        .insertInto('userIdentity')
        .values({ ...identity, userId: id } satisfies CompleteRow<'userIdentity'>)
        .execute()
      return identity
    },
  }),

  /** Removes the link of a user to a provider: sessions with that UID are no longer authenticated. */
  unlink: command({
    on: instance,
    can: 'user.manage',
    input: { ...userEntries, ...providerInput },
    async run(ctx, { user, provider }): Promise<void> {
      const { id } = await findUser(ctx, user)
      const removed = await ctx.db
        .deleteFrom('userIdentity')
        .where('userId', '=', id)
        .where('provider', '=', provider)
        .returning('createdAt')
        .execute()
      if (!removed[0]) throw notFound()
      assertUnmodified(ctx, removed[0].createdAt)
    },
  }),
}
