import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import { getUserId, isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound, PlatformError } from '../../kernel/errors.ts'
import { DateOnly, Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { listTokens, tokenListInput } from './token-filters.ts'
import { revokeToken, rotateToken, selectTokens, toToken } from './token-rows.ts'

/** The caller's personal tokens; those of all users for administrators. Without the tokens of administrators. */
const selectVisible = (ctx: Context) => {
  const rows = selectTokens(ctx).where('impersonation', '=', false)
  return isAdministrator(ctx.actor) ? rows : rows.where('userId', '=', getUserId(ctx.actor))
}

const getVisible = async (ctx: Context, id: number) => {
  const row = await selectVisible(ctx).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Token')
  return row
}

/** The id of the token that authenticates the call. */
const getCurrentId = ({ actor }: Context): number => {
  const id = actor.kind === 'user' ? actor.tokenId : undefined
  if (id === undefined) throw notFound('Token')
  return id
}

const tokenInput = {
  /** Id of the token. */
  token: Id,
}

const expiryInput = {
  /** First day on which the new token is invalid (UTC); null if it does not expire. Default: that of the replaced token. */
  expiresAt: v.optional(v.nullable(DateOnly)),
}

export const visibleTokens = {
  /**
   * Lists the caller's personal access tokens; those of all users for administrators.
   *
   * @throws PlatformError `unauthenticated` if `userId` is another user, except for administrators
   */
  listVisible: query({
    on: instance,
    can: 'token.manageOwn',
    input: {
      ...pagingEntries,
      /** Only tokens of the user with this id. Default: all that the caller can see. */
      userId: v.optional(Id),
      ...tokenListInput,
    },
    run(ctx, { userId, ...input }) {
      if (userId !== undefined && userId !== getUserId(ctx.actor) && !isAdministrator(ctx.actor)) {
        throw new PlatformError('unauthenticated', 'Only administrators can list the tokens of other users')
      }
      const visible = selectVisible(ctx)
      const rows = userId === undefined ? visible : visible.where('userId', '=', userId)
      return paginate(listTokens(ctx, rows, input), input, toToken(ctx))
    },
  }),

  /** Gets one of the caller's tokens, or any token for administrators. */
  getVisible: query({
    on: instance,
    can: 'token.manageOwn',
    input: tokenInput,
    run: async (ctx, { token }) => toToken(ctx)(await getVisible(ctx, token)),
  }),

  /** Gets the token that authenticates the call; `not_found` for a call without a token. */
  current: query({
    on: instance,
    can: 'token.manageOwn',
    scopes: ['read_user'],
    run: async (ctx) =>
      toToken(ctx)(await selectTokens(ctx).where('id', '=', getCurrentId(ctx)).executeTakeFirstOrThrow()),
  }),

  /** Revokes one of the caller's tokens, or any token for administrators. */
  revokeVisible: command({
    on: instance,
    can: 'token.manageOwn',
    input: tokenInput,
    async run(ctx, { token }) {
      await getVisible(ctx, token)
      return revokeToken(ctx, token)
    },
  }),

  /** Revokes the token that authenticates the call. */
  revokeCurrent: command({
    on: instance,
    can: 'token.manageOwn',
    run: (ctx) => revokeToken(ctx, getCurrentId(ctx)),
  }),

  /**
   * Replaces one of the caller's tokens, or any token for administrators, as `rotate`. A call for or with a token that was replaced
   * before revokes the token that replaced it.
   */
  rotateVisible: command({
    on: instance,
    can: 'token.manageOwn',
    endsTokenFamily: true,
    input: { ...tokenInput, ...expiryInput },
    async run(ctx, { token, expiresAt }) {
      await getVisible(ctx, token)
      return rotateToken(ctx, token, expiresAt)
    },
  }),

  /**
   * Replaces the token that authenticates the call, as `rotate`. A call with a token that was replaced before revokes the token that
   * replaced it.
   */
  rotateCurrent: command({
    on: instance,
    can: 'token.manageOwn',
    endsTokenFamily: true,
    input: expiryInput,
    run: (ctx, { expiresAt }) => rotateToken(ctx, getCurrentId(ctx), expiresAt),
  }),
}
