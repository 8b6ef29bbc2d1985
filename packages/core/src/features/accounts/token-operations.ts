import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { DateOnly, Id, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { scopes } from '../../kernel/scopes.ts'
import { findUser } from './queries.ts'
import { newSecret, type Token, tokenDigest } from './token.ts'

const rows = (ctx: Context) =>
  ctx.db
    .selectFrom('personalAccessToken')
    .select(['id', 'userId', 'name', 'scopes', 'expiresAt', 'revokedAt', 'createdAt'])

type TokenRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const toToken = ({ revokedAt, ...row }: TokenRow): Token => ({ ...row, revoked: revokedAt !== null })

export const tokens = {
  /** A user's personal access tokens, without their secrets. */
  list: query({
    on: instance,
    can: 'token.manage',
    input: { user: Reference, ...paging },
    async run(ctx, { user, ...at }) {
      const { id } = await findUser(ctx, user)
      return paginate(rows(ctx).where('userId', '=', id).orderBy('id'), at, toToken)
    },
  }),

  /**
   * Issues a personal access token. `secret` in the answer is shown this once: only its hash is kept.
   * A `secret` may be given, so that test worlds have tokens that are known beforehand.
   */
  create: command({
    on: instance,
    can: 'token.manage',
    input: {
      user: Reference,
      name: v.optional(v.string(), 'token'),
      scopes: v.optional(v.array(v.picklist(scopes)), ['api']),
      expiresAt: v.optional(v.nullable(DateOnly), null),
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { user, secret = newSecret(ctx.ports.random), ...given }) {
      const { id: userId } = await findUser(ctx, user)
      if (!/^[\x21-\x7e]+$/.test(secret)) throw invalid({ secret: ['can hold only printable ASCII without blanks'] })
      const digest = tokenDigest(secret)
      const taken = await ctx.db
        .selectFrom('personalAccessToken')
        .where('digest', '=', digest)
        .select('id')
        .executeTakeFirst()
      if (taken) throw conflict('This secret belongs to another token')
      const [row] = await ctx.db
        .insertInto('personalAccessToken')
        .values({ ...given, userId, digest, revokedAt: null, createdAt: ctx.now })
        .returning(['id', 'userId', 'name', 'scopes', 'expiresAt', 'revokedAt', 'createdAt'])
        .execute()
      return { ...toToken(row as TokenRow), secret }
    },
  }),

  /** Ends a token at once. */
  revoke: command({
    on: instance,
    can: 'token.manage',
    input: { token: Id },
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
