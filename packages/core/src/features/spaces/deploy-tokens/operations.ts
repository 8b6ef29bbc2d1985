import * as v from 'valibot'
import { container, place } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { deployTokenScopes } from '../../../kernel/scopes.ts'
import { digestNewSecret } from '../../accounts/tokens/rows.ts'
import { generateTokenSecret } from '../../accounts/tokens/token.ts'
import type { Container } from '../members/membership-rows.ts'
import { containerKey } from '../members/queries.ts'
import type { NewDeployToken } from './deploy-token.ts'
import { getDeployTokenRow, selectActiveTokens, selectTokensOf, toDeployToken } from './queries.ts'

const tokenInput = {
  /** Id of the token, as in `deployTokens.list`. */
  token: Id,
}

interface NewDeployTokenInput {
  readonly name: string
  readonly username?: string | undefined
  readonly scopes: readonly (typeof deployTokenScopes)[number][]
  readonly expiresAt: string | null
  readonly secret?: string | undefined
}

/** A token that a bot creates ends with the bot's own token at the latest. */
const limitExpiry = async ({ db, actor }: Context, expiresAt: string | null): Promise<string | null> => {
  if (actor.kind !== 'user' || !actor.bot || actor.tokenId === undefined) return expiresAt
  const tokens = db.selectFrom('personalAccessToken').where('id', '=', actor.tokenId)
  const own = (await tokens.select('expiresAt').executeTakeFirst())?.expiresAt
  if (own === undefined || own === null) return expiresAt
  const latest = normalizeInstant(`${own}T00:00:00Z`)
  if (expiresAt !== null && normalizeInstant(expiresAt) > latest)
    throw invalid({ expiresAt: [`is later than ${own}, when your token expires`] })
  return expiresAt ?? latest
}

const createDeployToken = async (
  ctx: Context,
  subject: Container,
  { username, expiresAt, secret = generateTokenSecret(ctx.ports.random, 'fgdt'), ...fields }: NewDeployTokenInput,
): Promise<NewDeployToken> => {
  const digest = await digestNewSecret(ctx, secret)
  const expiry = await limitExpiry(ctx, expiresAt)
  const values = {
    ...containerKey(subject),
    ...fields,
    username: username ?? '',
    digest,
    expiresAt: expiry === null ? null : normalizeInstant(expiry),
    createdAt: ctx.now,
  } satisfies CompleteRow<'deployToken'>
  const { id } = await ctx.db.insertInto('deployToken').values(values).returning('id').executeTakeFirstOrThrow()
  const name = username ?? `gitlab+deploy-token-${id}`
  if (username === undefined) {
    await ctx.db.updateTable('deployToken').set({ username: name }).where('id', '=', id).execute()
  }
  return { ...toDeployToken(ctx)({ ...values, id, username: name }), secret }
}

/** Tokens for programs that deploy: they read a repository, images or packages, and belong to no user. */
export const deployTokens = {
  /** Lists the deploy tokens of a project, of a group or, without both, of all projects and groups, by id. */
  list: query({
    on: place,
    can: 'deployToken.read',
    input: {
      ...pagingEntries,
      /** Whether to leave out expired tokens. Default: false. */
      active: v.optional(v.boolean(), false),
    },
    run(ctx, { active, ...paging }, subject) {
      const tokens = selectActiveTokens(ctx, active)
      const rows = subject.kind === 'instance' ? tokens : selectTokensOf(tokens, containerKey(subject))
      return paginate(rows.orderBy('id'), paging, toDeployToken(ctx))
    },
  }),

  /** Gets a deploy token of a project or a group, without its secret. */
  get: query({
    on: container,
    can: 'deployToken.read',
    input: tokenInput,
    run: async (ctx, { token }, subject) => toDeployToken(ctx)(await getDeployTokenRow(ctx, subject, token)),
  }),

  /**
   * Creates a deploy token. Only a hash of the secret is stored, so only this result contains the secret.
   *
   * @throws PlatformError `conflict` if another token has the secret
   */
  create: command({
    on: container,
    can: 'deployToken.manage',
    input: {
      /** Name for people; not necessarily unique. */
      name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
      /**
       * What the token permits: `read_repository` clones and fetches with git; the others images and packages, which the
       * platform does not store.
       */
      scopes: v.pipe(v.array(v.picklist(deployTokenScopes)), v.minLength(1)),
      /**
       * Time from which the token is invalid; ISO 8601, UTC without an offset. Null, the default, if it does not expire. Tokens that a
       * bot creates end with its own token at the latest.
       */
      expiresAt: v.optional(v.nullable(Instant), null),
      /** User name of clients: letters, digits, `.`, `+`, `_` and `-`. Default: `gitlab+deploy-token-` and the id. */
      username: v.optional(v.pipe(v.string(), v.maxLength(255), v.regex(/^[A-Za-z0-9.+_-]+$/, 'is invalid'))),
      /**
       * The token itself, 1 to 255 printable ASCII characters without blanks, for tests. Default: 160 random bits, prefixed
       * with `fgdt-`.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    run: (ctx, input, subject) => createDeployToken(ctx, subject, input),
  }),

  /** Removes a deploy token: requests with it fail from now on. */
  remove: command({
    on: container,
    can: 'deployToken.manage',
    input: tokenInput,
    async run(ctx, { token }, subject) {
      const { id } = await getDeployTokenRow(ctx, subject, token)
      await assertRowUnmodified(ctx, 'deployToken', id)
      await ctx.db.deleteFrom('deployToken').where('id', '=', id).execute()
    },
  }),
}
