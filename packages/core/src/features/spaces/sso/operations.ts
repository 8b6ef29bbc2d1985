import * as v from 'valibot'
import { group } from '../../../access/subjects.ts'
import { hashToken } from '../../../access/token-digest.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { isStorableText } from '../../../shared/text.ts'
import { generateTokenSecret } from '../../accounts/tokens/token.ts'
import { findUser } from '../../accounts/users/queries.ts'
import type { CreatedScimToken, ScimIdentity, ScimToken, SsoProvider } from './identity.ts'
import { findIdentity, findProvider, linkIdentity, toIdentity, unlinkIdentity } from './queries.ts'

const maxUidLength = 255

const parseExternalUid = (externalUid: string): string => {
  const plain = externalUid.trim()
  if (plain === '') throw invalid({ externalUid: ["can't be blank"] })
  if (plain.length > maxUidLength || !isStorableText(plain)) throw invalid({ externalUid: ['is invalid'] })
  return plain
}

const requireProvider = async (ctx: Context, groupId: number): Promise<SsoProvider> => {
  const provider = await findProvider(ctx, groupId)
  if (!provider) throw notFound('Single sign-on')
  return provider
}

const setEnabled = async (ctx: Context, groupId: number, enabled: boolean): Promise<SsoProvider> => {
  const provider = await requireProvider(ctx, groupId)
  await ctx.db.updateTable('ssoProvider').set({ enabled }).where('id', '=', provider.id).execute()
  return { ...provider, enabled }
}

/** Single sign-on of groups: the configuration that SCIM requires. For administrators and the host application. */
export const sso = {
  /** Gets the identity provider of a group. Fails with `not_found` if single sign-on was never enabled. */
  get: query({
    on: group,
    can: 'sso.manage',
    run: (ctx, _input, { group }) => requireProvider(ctx, group.id),
  }),

  /** Enables single sign-on for a group. */
  enable: command({
    on: group,
    can: 'sso.manage',
    input: {
      /**
       * Name of the provider in the identities of members, 1 to 255 characters. Default: `group_saml`, or the present
       * name.
       */
      provider: v.optional(v.string()),
    },
    async run(ctx, { provider: name }, { group }) {
      if (name !== undefined && (name.trim() === '' || name.length > 255)) throw invalid({ provider: ['is invalid'] })
      const existing = await findProvider(ctx, group.id)
      if (existing) {
        const change = { enabled: true, name: name ?? existing.name }
        await ctx.db.updateTable('ssoProvider').set(change).where('id', '=', existing.id).execute()
      } else {
        await ctx.db
          .insertInto('ssoProvider')
          .values({
            groupId: group.id,
            name: name ?? 'group_saml',
            enabled: true,
            createdAt: ctx.now,
          } satisfies CompleteRow<'ssoProvider'>)
          .execute()
      }
      return requireProvider(ctx, group.id)
    },
  }),

  /** Disables single sign-on: SCIM tokens of the group are rejected until it is enabled again. Identities stay. */
  disable: command({
    on: group,
    can: 'sso.manage',
    run: (ctx, _input, { group }) => setEnabled(ctx, group.id, false),
  }),

  /** Lists the SCIM tokens of a group by id, without their secrets. */
  listTokens: query({
    on: group,
    can: 'sso.manage',
    input: pagingEntries,
    run: (ctx, paging, { group }) =>
      paginate(
        ctx.db
          .selectFrom('scimToken')
          .where('groupId', '=', group.id)
          .select(['id', 'groupId', 'createdAt'])
          .orderBy('id'),
        paging,
        (row): ScimToken => row,
      ),
  }),

  /**
   * Creates a SCIM token, which can only access the users of the group. Only this response contains the `secret`; the
   * platform stores its hash. Fails with `conflict` if another token has the secret.
   */
  createToken: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: {
      /**
       * A fixed value for seed data of tests: 1 to 255 printable ASCII characters without spaces. Default: a random
       * one.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { secret = generateTokenSecret(ctx.ports.random) }, { group }): Promise<CreatedScimToken> {
      await requireProvider(ctx, group.id)
      if (!/^[\x21-\x7e]+$/.test(secret))
        throw invalid({ secret: ['can contain only printable ASCII characters without spaces'] })
      const digest = hashToken(secret)
      const existing = await ctx.db.selectFrom('scimToken').where('digest', '=', digest).select('id').executeTakeFirst()
      if (existing) throw conflict('The secret is already used by another token')
      const [row] = await ctx.db
        .insertInto('scimToken')
        .values({ groupId: group.id, digest, createdAt: ctx.now } satisfies CompleteRow<'scimToken'>)
        .returning(['id', 'groupId', 'createdAt'])
        .execute()
      return { ...defined(row), secret }
    },
  }),

  /** Revokes a SCIM token immediately. */
  revokeToken: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: {
      /** Id of the token. */
      token: Id,
    },
    async run(ctx, { token }, { group }) {
      const removed = await ctx.db
        .deleteFrom('scimToken')
        .where('id', '=', token)
        .where('groupId', '=', group.id)
        .returning('id')
        .execute()
      if (!removed.length) throw notFound()
    },
  }),

  /**
   * Links an existing user to the provider of a group. The provider can end the link and the membership, but manages
   * the profile only of `provisioned` users.
   */
  linkIdentity: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: {
      /** Id or username of the user. */
      user: IdOrName,
      /** The provider's id of the user, 1 to 255 characters; unique in the group, ignoring case. */
      externalUid: v.string(),
      /** Whether the provider manages the profile of the user. Ignored when the user is linked again. */
      provisioned: v.optional(v.boolean(), false),
    },
    async run(ctx, { user, externalUid, provisioned }, { group }): Promise<ScimIdentity> {
      await requireProvider(ctx, group.id)
      const { id: userId } = await findUser(ctx, user)
      return toIdentity(
        await linkIdentity(ctx, { groupId: group.id, userId, externUid: parseExternalUid(externalUid), provisioned }),
      )
    },
  }),

  /** Unlinks a user; the membership stays. Fails with `not_found` if the user is not linked. */
  unlinkIdentity: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: {
      /** Id or username of the user. */
      user: IdOrName,
    },
    async run(ctx, { user }, { group }) {
      const { id: userId } = await findUser(ctx, user)
      const identity = await findIdentity(ctx, group.id, userId)
      if (identity?.unlinkedAt !== null) throw notFound()
      await unlinkIdentity(ctx, identity)
    },
  }),
}
