import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import { hashToken } from '../../access/token-digest.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound, PlatformError } from '../../kernel/errors.ts'
import { DateOnly, Id, IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { type Scope, scopes } from '../../kernel/scopes.ts'
import { findUser } from './queries.ts'
import { generateTokenSecret, type Token } from './token.ts'

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

export const tokens = {
  /** Lists a user's personal access tokens, without their secrets. */
  list: query({
    on: instance,
    can: 'token.manage',
    input: { user: IdOrName, ...pagingEntries },
    async run(ctx, { user, ...paging }) {
      const { id } = await findUser(ctx, user)
      return paginate(selectTokens(ctx).where('userId', '=', id).orderBy('id'), paging, toToken)
    },
  }),

  /**
   * Creates a personal access token. Only the hash of the secret is stored, so the result is the only place that contains
   * `secret`. Tests can pass a fixed `secret`.
   */
  create: command({
    on: instance,
    can: 'token.manage',
    input: {
      user: IdOrName,
      name: v.optional(v.string(), 'token'),
      scopes: v.optional(v.array(v.picklist(scopes)), ['api']),
      expiresAt: v.optional(v.nullable(DateOnly), null),
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { user, secret = generateTokenSecret(ctx.ports.random), ...token }) {
      assertGrantableScopes(ctx, token.scopes)
      const { id: userId } = await findUser(ctx, user)
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
        .values({
          ...token,
          userId,
          digest,
          revokedAt: null,
          createdAt: ctx.now,
        } satisfies CompleteRow<'personalAccessToken'>)
        .returning(['id', 'userId', 'name', 'scopes', 'expiresAt', 'revokedAt', 'createdAt'])
        .execute()
      return { ...toToken(row as TokenRow), secret }
    },
  }),

  /** Revokes a token immediately. */
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
