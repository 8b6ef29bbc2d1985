import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { findUser } from './queries.ts'
import type { User } from './user.ts'

/** A user's identity at an external provider. */
export interface UserIdentity {
  /** A name that the host chooses, such as `crm` or `google`. */
  provider: string
  /** The user's id at the provider; case-sensitive. */
  externalUid: string
  /** ISO 8601. */
  createdAt: string
}

const maxLength = 255

const identityInput = { provider: v.string(), externalUid: v.string() }

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
  /** Finds the user with an external UID. */
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
    input: { user: IdOrName },
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
    input: { user: IdOrName, ...identityInput },
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

  /** Removes the link: sessions with that UID are no longer authenticated. */
  unlink: command({
    on: instance,
    can: 'user.manage',
    input: { user: IdOrName, provider: v.string() },
    async run(ctx, { user, provider }): Promise<void> {
      const { id } = await findUser(ctx, user)
      const removed = await ctx.db
        .deleteFrom('userIdentity')
        .where('userId', '=', id)
        .where('provider', '=', provider)
        .returning('id')
        .execute()
      if (!removed.length) throw notFound()
    },
  }),
}
