import * as v from 'valibot'
import { account } from '../../../access/subjects.ts'
import type { Signals } from '../../../contract/signals.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound, PlatformError } from '../../../kernel/errors.ts'
import { DateOnly } from '../../../kernel/inputs.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { type Scope, scopes } from '../../../kernel/scopes.ts'
import { findUserIfKnown, getAccountId } from '../users/queries.ts'
import { listTokens, tokenListInput } from './filters.ts'
import { assertOwnToken } from './own-token.ts'
import {
  assertGrantableScopes,
  insertToken,
  revokeToken,
  rotateToken,
  selectTokens,
  type TokenRow,
  toToken,
} from './rows.ts'
import type { Token } from './token.ts'
import { ownerInput, tokenHolder, tokenInput, tokenOwner } from './token-subject.ts'

/** Tokens of the current user with these scopes only expire at the end of the day, unless they have another date. */
const limitedScopes: ReadonlySet<Scope> = new Set(['k8s_proxy', 'self_rotate'])

type Kind = { readonly impersonation?: boolean | undefined }

/** The tokens that the current user can see: all for administrators, for others their own without those of administrators. */
const selectVisible = (ctx: Context, { impersonation }: Kind) => {
  const rows = selectTokens(ctx)
  const ofKind = impersonation === undefined ? rows : rows.where('impersonation', '=', impersonation)
  if (isAdministrator(ctx.actor)) return ofKind
  return ofKind.where('userId', '=', getUserId(ctx.actor)).where('impersonation', '=', false)
}

/** @throws PlatformError `not_found` for a token that the current user cannot see, or that the user of the subject does not have */
/** Domain events contain no secrets. */
const report = (
  ctx: Context,
  { secret: _, ...token }: Token & { readonly secret?: string },
  change: Signals['token.changed']['change'],
) => ctx.emit('token.changed', { token, change })

const getTokenRow = async (
  ctx: Context,
  { token, ...kind }: Kind & { readonly token?: number | undefined },
  subject: Subjects['user' | 'instance' | 'currentUser'],
): Promise<TokenRow> => {
  let rows = selectVisible(ctx, kind)
  if (subject.kind === 'user') rows = rows.where('userId', '=', await getAccountId(ctx, subject))
  // With `sudo`, the token that authenticates the call belongs to another user.
  if (subject.kind === 'currentUser') rows = selectTokens(ctx)
  const current = ctx.actor.kind === 'user' ? ctx.actor.tokenId : undefined
  const row = await rows.where('id', '=', token ?? current ?? 0).executeTakeFirst()
  if (!row) throw notFound('Token')
  return row
}

/**
 * The id of the user whose tokens are listed.
 *
 * @throws PlatformError `unauthenticated` for another user, except for administrators
 */
const getOwnerId = async (ctx: Context, user: number | string, { impersonation }: Kind): Promise<number> => {
  const owner = await findUserIfKnown(ctx, user)
  if (!isAdministrator(ctx.actor) && owner?.id !== getUserId(ctx.actor)) {
    throw new PlatformError('unauthenticated', 'Only administrators can list the tokens of other users')
  }
  // The route of personal tokens replies with an empty list for an unknown user.
  if (!owner && impersonation !== false) throw notFound('User', user)
  return owner?.id ?? 0
}

/** Personal access tokens, and those that administrators create to act as a user. */
export const tokens = {
  /**
   * Lists personal access tokens, with revoked and expired ones but without the secrets: those of a user or, without one, those
   * that the current user can see.
   *
   * @throws PlatformError `unauthenticated` if `user` is another user, except for administrators
   */
  list: query({
    on: tokenOwner,
    can: 'token.manage',
    input: { ...pagingEntries, ...ownerInput, ...tokenListInput },
    async run(ctx, { user, ...input }) {
      const visible = selectVisible(ctx, input)
      const rows = user === undefined ? visible : visible.where('userId', '=', await getOwnerId(ctx, user, input))
      return paginate(listTokens(ctx, rows, input), input, toToken(ctx))
    },
  }),

  /** Gets a token without its secret: one that the current user can see, one of a user, or the one that authenticates the call. */
  get: query({
    on: tokenHolder,
    can: 'token.manage',
    scopesByKind: { currentUser: ['read_user'] },
    input: tokenInput,
    run: async (ctx, input, subject) => toToken(ctx)(await getTokenRow(ctx, input, subject)),
  }),

  /**
   * Creates a personal access token for a user. Only a hash of the secret is stored, so only this result contains the secret.
   * Users create tokens for themselves with at most the scopes and the lifetime of the token that authenticates the call.
   *
   * @throws PlatformError `conflict` if another token has the secret, `insufficient_scope` if the current user's own token does not
   * have the scopes of the new one, `invalid` if the new one would expire later
   */
  create: command({
    on: account,
    can: 'token.manage',
    input: {
      /** Name for people; not necessarily unique. Default: `token`. */
      name: v.optional(v.string(), 'token'),
      /**
       * What the token permits: `api` all operations, `read_api` all that only read, `read_user` users, the version and the
       * events of users, `sudo` acting as another user (in addition to another scope), `create_runner` and `manage_runner` the
       * creation and the changes of runners, `self_rotate` the rotation of the token itself. The others permit nothing in the
       * platform. Default: `api`.
       */
      scopes: v.optional(v.array(v.picklist(scopes)), ['api']),
      /** Text about the token, at most 255 characters. Default: none. */
      description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(255))), null),
      /**
       * First day on which the token is invalid (`2026-11-21`, UTC); null if it does not expire. Default: null; tomorrow for a token
       * of the current user with no other scopes than `k8s_proxy` and `self_rotate`.
       */
      expiresAt: v.optional(v.nullable(DateOnly)),
      /** Whether the token is for administrators who act as the user, who cannot see it. Default: false. */
      impersonation: v.optional(v.boolean(), false),
      /**
       * The token itself, 1 to 255 printable ASCII characters without blanks, for tests. Default: 160 random bits, prefixed
       * with `fgpat-`.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { secret, ...input }, subject) {
      const isShortLived = subject.kind === 'currentUser' && input.scopes.every((scope) => limitedScopes.has(scope))
      const defaultExpiry = isShortLived ? addSeconds(ctx.now, 86_400).slice(0, 10) : null
      const token = { ...input, expiresAt: input.expiresAt === undefined ? defaultExpiry : input.expiresAt }
      assertGrantableScopes(ctx, token.scopes)
      if (subject.kind === 'currentUser') await assertOwnToken(ctx, token)
      const created = await insertToken(ctx, { ...token, userId: await getAccountId(ctx, subject) }, secret)
      await report(ctx, created, 'created')
      return created
    },
  }),

  /**
   * Replaces a token: revokes it and creates one of the same user with the same name and scopes. The result is the only place
   * that contains the new `secret`. The expiry date is that of the replaced token unless `expiresAt` is set.
   *
   * A call for or with a token that was replaced before revokes the token that replaced it.
   *
   * @throws PlatformError `conflict` for a revoked token, or an expired one without a new expiry date
   */
  rotate: command({
    on: tokenHolder,
    can: 'token.manage',
    scopesByKind: { currentUser: ['self_rotate'] },
    endsTokenFamily: true,
    input: {
      ...tokenInput,
      /** First day on which the new token is invalid (UTC); null if it does not expire. Default: that of the replaced token. */
      expiresAt: v.optional(v.nullable(DateOnly)),
    },
    async run(ctx, { expiresAt, ...input }, subject) {
      const { id } = await getTokenRow(ctx, input, subject)
      const rotated = await rotateToken(ctx, id, expiresAt)
      if ('secret' in rotated) await report(ctx, rotated, 'rotated')
      return rotated
    },
  }),

  /** Revokes a token: calls with it fail from now on. It remains in lists. */
  revoke: command({
    on: tokenHolder,
    can: 'token.manage',
    input: tokenInput,
    async run(ctx, input, subject) {
      const { id, revokedAt } = await getTokenRow(ctx, input, subject)
      const revoked = await revokeToken(ctx, id)
      if (revokedAt === null) await report(ctx, revoked, 'revoked')
      return revoked
    },
  }),
}
