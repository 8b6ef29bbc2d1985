import * as v from 'valibot'
import { group } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { isPlainText } from '../../kernel/text.ts'
import { findUser } from '../accounts/queries.ts'
import { newSecret, tokenDigest } from '../accounts/token.ts'
import type { ScimIdentity, ScimToken, SsoProvider } from './identity.ts'
import { identityOf, linkIdentity, providerOf, toIdentity, unlinkIdentity } from './queries.ts'

const longestUid = 255

const cleanUid = (externalUid: string): string => {
  const plain = externalUid.trim()
  if (plain === '') throw invalid({ externalUid: ["can't be blank"] })
  if (plain.length > longestUid || !isPlainText(plain)) throw invalid({ externalUid: ['is invalid'] })
  return plain
}

const requireProvider = async (ctx: Context, groupId: number): Promise<SsoProvider> => {
  const provider = await providerOf(ctx, groupId)
  if (!provider) throw notFound('Single sign-on')
  return provider
}

const setEnabled = async (ctx: Context, groupId: number, enabled: boolean): Promise<SsoProvider> => {
  const provider = await requireProvider(ctx, groupId)
  await ctx.db.updateTable('ssoProvider').set({ enabled }).where('id', '=', provider.id).execute()
  return { ...provider, enabled }
}

/** Single sign-on of groups: what SCIM needs to be set up. For administrators and the host. */
export const sso = {
  /** Where the people of a group sign in. */
  get: query({
    on: group,
    can: 'sso.manage',
    run: (ctx, _input, { group }) => requireProvider(ctx, group.id),
  }),

  /** Switches single sign-on on for a group. `provider` is what the identities of its members are said to come from. */
  enable: command({
    on: group,
    can: 'sso.manage',
    input: { provider: v.optional(v.string()) },
    async run(ctx, { provider: name }, { group }) {
      if (name !== undefined && (name.trim() === '' || name.length > 255)) throw invalid({ provider: ['is invalid'] })
      const known = await providerOf(ctx, group.id)
      if (known) {
        const kept = name ?? known.name
        await ctx.db.updateTable('ssoProvider').set({ enabled: true, name: kept }).where('id', '=', known.id).execute()
      } else {
        await ctx.db
          .insertInto('ssoProvider')
          .values({ groupId: group.id, name: name ?? 'group_saml', enabled: true, createdAt: ctx.now })
          .execute()
      }
      return requireProvider(ctx, group.id)
    },
  }),

  /** Switches it off: SCIM tokens of the group open nothing until it is on again. Identities stay. */
  disable: command({
    on: group,
    can: 'sso.manage',
    run: (ctx, _input, { group }) => setEnabled(ctx, group.id, false),
  }),

  /** The SCIM tokens of a group, without their secrets. */
  listTokens: query({
    on: group,
    can: 'sso.manage',
    input: paging,
    run: (ctx, at, { group }) =>
      paginate(
        ctx.db
          .selectFrom('scimToken')
          .where('groupId', '=', group.id)
          .select(['id', 'groupId', 'createdAt'])
          .orderBy('id'),
        at,
        (row): ScimToken => row,
      ),
  }),

  /**
   * Issues a SCIM token for a group, which opens nothing but the users of that group. `secret` in the answer is shown this
   * once: only its hash is kept. A `secret` may be given, so that test worlds have tokens that are known beforehand.
   */
  createToken: command({
    on: group,
    can: 'sso.manage',
    input: { secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))) },
    async run(ctx, { secret = newSecret(ctx.ports.random) }, { group }) {
      await requireProvider(ctx, group.id)
      if (!/^[\x21-\x7e]+$/.test(secret)) throw invalid({ secret: ['can hold only printable ASCII without blanks'] })
      const digest = tokenDigest(secret)
      const taken = await ctx.db.selectFrom('scimToken').where('digest', '=', digest).select('id').executeTakeFirst()
      if (taken) throw conflict('This secret belongs to another token')
      const [row] = await ctx.db
        .insertInto('scimToken')
        .values({ groupId: group.id, digest, createdAt: ctx.now })
        .returning(['id', 'groupId', 'createdAt'])
        .execute()
      return { ...(row as ScimToken), secret }
    },
  }),

  /** Ends a SCIM token at once. */
  revokeToken: command({
    on: group,
    can: 'sso.manage',
    input: { token: Id },
    async run(ctx, { token }, { group }) {
      const gone = await ctx.db
        .deleteFrom('scimToken')
        .where('id', '=', token)
        .where('groupId', '=', group.id)
        .returning('id')
        .execute()
      if (!gone.length) throw notFound()
    },
  }),

  /**
   * Links a user who exists already to the provider of a group. The provider may end that link and the membership, but
   * keeps the profile only of users who are `provisioned` by the group.
   */
  linkIdentity: command({
    on: group,
    can: 'sso.manage',
    input: { user: Reference, externalUid: v.string(), provisioned: v.optional(v.boolean(), false) },
    async run(ctx, { user, externalUid, provisioned }, { group }): Promise<ScimIdentity> {
      await requireProvider(ctx, group.id)
      const { id: userId } = await findUser(ctx, user)
      return toIdentity(
        await linkIdentity(ctx, { groupId: group.id, userId, externUid: cleanUid(externalUid), provisioned }),
      )
    },
  }),

  /** Ends the link of a user; the membership stays. */
  unlinkIdentity: command({
    on: group,
    can: 'sso.manage',
    input: { user: Reference },
    async run(ctx, { user }, { group }) {
      const { id: userId } = await findUser(ctx, user)
      const known = await identityOf(ctx, group.id, userId)
      if (!known || known.unlinkedAt !== null) throw notFound()
      await unlinkIdentity(ctx, known)
    },
  }),
}
