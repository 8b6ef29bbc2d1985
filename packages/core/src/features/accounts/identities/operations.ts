import * as v from 'valibot'
import { instance, userEntries } from '../../../access/subjects.ts'
import { notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { findUser } from '../users/queries.ts'
import type { User } from '../users/user.ts'
import { findIdentity, linkIdentity, type UserIdentity } from './link.ts'

const providerInput = {
  /** Name that the host chooses for the provider, such as `crm` or `google`: 1 to 255 characters, case-sensitive. */
  provider: v.string(),
}

const identityInput = {
  ...providerInput,
  /** The user's id at the provider: 1 to 255 characters, case-sensitive. */
  externalUid: v.string(),
}

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
      const { id } = await findUser(ctx, user)
      return linkIdentity(ctx, id, { provider, externalUid })
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
