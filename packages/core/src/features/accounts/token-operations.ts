import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import { hashToken } from '../../access/token-digest.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound, PlatformError } from '../../kernel/errors.ts'
import { DateOnly, Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { type Scope, scopes } from '../../kernel/scopes.ts'
import { findUser } from './queries.ts'
import { generateTokenSecret, type NewToken, type Token } from './token.ts'

const selectTokens = (ctx: Context) =>
  ctx.db
    .selectFrom('personalAccessToken')
    .select(['id', 'userId', 'name', 'scopes', 'expiresAt', 'revokedAt', 'createdAt'])

type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>['executeTakeFirstOrThrow']>>

const toToken = ({ revokedAt, ...row }: TokenRow): Token => ({ ...row, revoked: revokedAt !== null })

/** The scope `api` permits creating tokens with all scopes except `sudo`, which it does not include. */
const assertGrantableScopes = ({ actor }: Context, granted: readonly Scope[]) => {
  const isLimited = actor.kind === 'user' && actor.scopes !== null && !actor.scopes.includes('sudo')
  if (!isLimited || !granted.includes('sudo')) return
  throw new PlatformError('insufficient_scope', "The token's scopes do not permit sudo", { scopes: ['sudo'] })
}

type TokenValues = Pick<TokenRow, 'userId' | 'name' | 'scopes' | 'expiresAt'>

/** @throws PlatformError `invalid` for a secret that no header can hold, `conflict` for one that another token has */
const insertToken = async (
  ctx: Context,
  token: TokenValues,
  secret = generateTokenSecret(ctx.ports.random),
): Promise<NewToken> => {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw invalid({ secret: ['can hold only printable ASCII without blanks'] })
  const digest = hashToken(secret)
  const taken = await ctx.db
    .selectFrom('personalAccessToken')
    .where('digest', '=', digest)
    .select('id')
    .executeTakeFirst()
  if (taken) throw conflict('This secret belongs to another token')
  const [row] = await ctx.db
    .insertInto('personalAccessToken')
    .values({ ...token, digest, revokedAt: null, createdAt: ctx.now } satisfies CompleteRow<'personalAccessToken'>)
    .returning(['id', 'userId', 'name', 'scopes', 'expiresAt', 'revokedAt', 'createdAt'])
    .execute()
  return { ...toToken(row as TokenRow), secret }
}

export const tokens = {
  /** Lists a user's personal access tokens, ordered by id, with revoked and expired ones but without the secrets. */
  list: query({
    on: instance,
    can: 'token.manage',
    input: { ...userEntries, ...pagingEntries },
    async run(ctx, { user, ...paging }) {
      const { id } = await findUser(ctx, user)
      return paginate(selectTokens(ctx).where('userId', '=', id).orderBy('id'), paging, toToken)
    },
  }),

  /**
   * Creates a personal access token for a user. Only a hash of the secret is stored, so only this result contains the secret.
   *
   * @throws PlatformError `conflict` if another token has the secret, `insufficient_scope` if the caller's own token does not
   * have the scope `sudo` and the new one would
   */
  create: command({
    on: instance,
    can: 'token.manage',
    input: {
      ...userEntries,
      /** Name for people; not necessarily unique. Default: `token`. */
      name: v.optional(v.string(), 'token'),
      /**
       * What the token permits: `api` all operations, `read_api` all that only read, `read_user` users, the version and the
       * events of users, `sudo` acting as another user (in addition to another scope). The others permit nothing in the
       * platform. Default: `api`.
       */
      scopes: v.optional(v.array(v.picklist(scopes)), ['api']),
      /** First day on which the token is invalid (`2026-11-21`, UTC); null, the default, if it does not expire. */
      expiresAt: v.optional(v.nullable(DateOnly), null),
      /**
       * The token itself, 1 to 255 printable ASCII characters without blanks, for tests. Default: 160 random bits, prefixed
       * with `fgpat-`.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { user, secret, ...token }) {
      assertGrantableScopes(ctx, token.scopes)
      const { id: userId } = await findUser(ctx, user)
      return insertToken(ctx, { ...token, userId }, secret)
    },
  }),

  /**
   * Replaces a token: revokes it and creates one of the same user with the same name and scopes. The result is the only place
   * that contains the new `secret`. The expiry date is that of the replaced token unless `expiresAt` is set.
   *
   * @throws PlatformError `conflict` for a revoked token, or an expired one without a new expiry date
   */
  rotate: command({
    on: instance,
    can: 'token.manage',
    input: {
      /** Id of the token, as `tokens.list` returns it. */
      token: Id,
      /** First day on which the new token is invalid (UTC); null if it does not expire. Default: that of the replaced token. */
      expiresAt: v.optional(v.nullable(DateOnly)),
    },
    async run(ctx, { token: id, expiresAt }) {
      const token = await selectTokens(ctx).where('id', '=', id).executeTakeFirst()
      if (!token) throw notFound('Token')
      if (token.revokedAt !== null) throw conflict('Token is revoked: create a new one')
      const { userId, name, scopes: granted } = token
      assertGrantableScopes(ctx, granted)
      const expiry = expiresAt === undefined ? token.expiresAt : expiresAt
      if (expiry !== null && expiry <= ctx.now.slice(0, 10)) throw conflict('Token has expired: set a new expiry date')
      await ctx.db.updateTable('personalAccessToken').set({ revokedAt: ctx.now }).where('id', '=', id).execute()
      return insertToken(ctx, { userId, name, scopes: granted, expiresAt: expiry })
    },
  }),

  /** Revokes a token: calls with it fail from now on. It remains in lists. */
  revoke: command({
    on: instance,
    can: 'token.manage',
    input: {
      /** Id of the token, as `tokens.list` returns it. */
      token: Id,
    },
    async run(ctx, { token }) {
      const [row] = await ctx.db
        .updateTable('personalAccessToken')
        .set({ revokedAt: ctx.now })
        .where('id', '=', token)
        .returning(['id', 'userId', 'name', 'scopes', 'expiresAt', 'revokedAt', 'createdAt'])
        .execute()
      if (!row) throw notFound()
      return toToken(row)
    },
  }),
}
