import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import { DateOnly, Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { scopes } from '../../kernel/scopes.ts'
import { findUser } from './queries.ts'
import { filterTokens, tokenFilters } from './token-filters.ts'
import {
  assertGrantableScopes,
  getTokenOf,
  insertToken,
  revokeToken,
  rotateToken,
  selectTokens,
  toToken,
} from './token-rows.ts'

export const tokens = {
  /** Lists a user's personal access tokens, ordered by id, with revoked and expired ones but without the secrets. */
  list: query({
    on: instance,
    can: 'token.manage',
    input: {
      ...userEntries,
      ...pagingEntries,
      /** Only tokens that administrators created to act as the user (true), or only others. Default: both. */
      impersonation: v.optional(v.boolean()),
      ...tokenFilters,
    },
    async run(ctx, { user, impersonation, state, ...paging }) {
      const { id } = await findUser(ctx, user)
      const rows = filterTokens(ctx, selectTokens(ctx).where('userId', '=', id).orderBy('id'), { state })
      return paginate(
        impersonation === undefined ? rows : rows.where('impersonation', '=', impersonation),
        paging,
        toToken(ctx),
      )
    },
  }),

  /** Gets a token of a user, without its secret. */
  get: query({
    on: instance,
    can: 'token.manage',
    input: {
      ...userEntries,
      /** Id of the token, as `tokens.list` returns it. */
      token: Id,
    },
    async run(ctx, { user, token }) {
      const { id } = await findUser(ctx, user)
      return toToken(ctx)(await getTokenOf(ctx, id, token))
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
      /** Whether the token is for administrators who act as the user, who cannot see it. Default: false. */
      impersonation: v.optional(v.boolean(), false),
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
   * The rotation of a replaced token revokes the token that replaced it.
   *
   * @throws PlatformError `conflict` for a revoked token, or an expired one without a new expiry date
   */
  rotate: command({
    on: instance,
    can: 'token.manage',
    endsTokenFamily: true,
    input: {
      /** Id of the token, as `tokens.list` returns it. */
      token: Id,
      /** First day on which the new token is invalid (UTC); null if it does not expire. Default: that of the replaced token. */
      expiresAt: v.optional(v.nullable(DateOnly)),
    },
    run: (ctx, { token, expiresAt }) => rotateToken(ctx, token, expiresAt),
  }),

  /** Revokes a token of a user: calls with it fail from now on. It remains in lists. */
  revokeOfUser: command({
    on: instance,
    can: 'token.manage',
    input: {
      ...userEntries,
      /** Id of the token, as `tokens.list` returns it. */
      token: Id,
    },
    async run(ctx, { user, token }) {
      const { id } = await findUser(ctx, user)
      await getTokenOf(ctx, id, token)
      return revokeToken(ctx, token)
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
    run: (ctx, { token }) => revokeToken(ctx, token),
  }),
}
