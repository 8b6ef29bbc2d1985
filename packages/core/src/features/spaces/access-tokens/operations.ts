import * as v from 'valibot'
import { Access } from '../../../access/levels.ts'
import { container } from '../../../access/subjects.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { DateOnly, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { filterTokens, tokenFilters } from '../../accounts/tokens/filters.ts'
import { accessTokenScopes } from './access-token.ts'
import { createAccessToken, revokeAccessToken, rotateAccessToken } from './mutations.ts'
import { getAccessTokenRow, selectAccessTokens, toAccessToken, withLevel } from './queries.ts'

const tokenInput = {
  /** Id of the token, as in `accessTokens.list`. */
  token: Id,
}

/**
 * Tokens of projects and groups. Each has a bot user, who is a member of the project or group, and calls with the token act
 * as that user.
 */
export const accessTokens = {
  /** Lists the tokens of a project or a group, by id, with those that rotation has revoked. */
  list: query({
    on: container,
    can: 'accessToken.manage',
    input: { ...pagingEntries, ...tokenFilters },
    run: (ctx, { state, ...paging }, subject) =>
      paginate(
        withLevel(filterTokens(ctx, selectAccessTokens(ctx, subject), { state }), subject).orderBy('id'),
        paging,
        toAccessToken(ctx),
      ),
  }),

  /** Gets a token of a project or a group, without its secret. */
  get: query({
    on: container,
    can: 'accessToken.manage',
    input: tokenInput,
    run: async (ctx, { token }, subject) => toAccessToken(ctx)(await getAccessTokenRow(ctx, subject, token)),
  }),

  /**
   * Creates a token and its bot user, who becomes a member. Only a hash of the secret is stored, so only this result contains
   * the secret.
   *
   * @throws PlatformError `invalid` for a level that the current user cannot grant
   */
  create: command({
    on: container,
    can: 'accessToken.create',
    serializes: 'instance',
    input: {
      /** Name for people, also of the bot user; not necessarily unique. */
      name: v.pipe(v.string(), v.maxLength(255)),
      /**
       * What the token permits: `api` all that the access level permits, `read_api` all of it that only reads,
       * `read_repository` and `write_repository` git over HTTP, `create_runner` and `manage_runner` the creation and the changes
       * of runners, `self_rotate` the rotation of the token itself. The others permit nothing in the platform.
       */
      scopes: v.pipe(v.array(v.picklist(accessTokenScopes)), v.minLength(1)),
      /**
       * Level of the bot user: 10 guest, 20 reporter, 30 developer, 40 maintainer (default), 50 owner (groups only). At most the
       * current user's own level.
       */
      accessLevel: v.optional(Id, Access.maintainer),
      /** Text about the token, at most 255 characters. Default: none. */
      description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(255))), null),
      /** First day on which the token is invalid (`2026-11-21`, UTC); null, the default, if it does not expire. */
      expiresAt: v.optional(v.nullable(DateOnly), null),
      /**
       * The token itself, 1 to 255 printable ASCII characters without blanks, for tests. Default: 160 random bits, prefixed
       * with `fgpat-`.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    run: (ctx, input, subject) => createAccessToken(ctx, subject, input),
  }),

  /**
   * Replaces a token: revokes it and creates one of the same bot user with the same name and scopes. The result is the only place
   * that contains the new `secret`.
   *
   * A bot rotates only its own token, whatever its level, and not beyond its expiry. The rotation of a replaced token revokes the token that replaced it.
   *
   * @throws PlatformError `conflict` for a revoked token, or an expired one without a new expiry date
   */
  rotate: command({
    on: container,
    can: 'accessToken.rotate',
    scopes: ['self_rotate'],
    serializes: 'instance',
    endsTokenFamily: true,
    input: {
      /** Id of the token, as in `accessTokens.list`. Default: the token that authenticates the call. */
      token: v.optional(Id),
      /** First day on which the new token is invalid (UTC); null if it does not expire. Default: that of the replaced token. */
      expiresAt: v.optional(v.nullable(DateOnly)),
    },
    run(ctx, { token, expiresAt }, subject) {
      const { actor } = ctx
      const isLimited = actor.kind === 'user' && actor.scopes !== null && !actor.scopes.includes('api')
      if (token !== undefined && isLimited)
        throw new PlatformError('insufficient_scope', 'This token can rotate only itself', { scopes: ['api'] })
      const own = actor.kind === 'user' ? actor.tokenId : undefined
      return rotateAccessToken(ctx, subject, token ?? own ?? 0, expiresAt)
    },
  }),

  /**
   * Revokes a token: calls with it fail from now on. A bot revokes only its own. The bot user is removed in a job, as `users.remove` does; its contributions
   * remain.
   */
  revoke: command({
    on: container,
    can: 'accessToken.manage',
    serializes: 'instance',
    input: tokenInput,
    run: (ctx, { token }, subject) => revokeAccessToken(ctx, subject, token),
  }),
}
