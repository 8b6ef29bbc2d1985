import { hashToken } from '../../../access/token-digest.ts'
import { revokeFamily } from '../../../access/token-family.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { conflict, invalid, notFound, PlatformError } from '../../../kernel/errors.ts'
import type { Scope } from '../../../kernel/scopes.ts'
import { defined } from '../../../shared/defined.ts'
import { limitLifetime } from './lifetime.ts'
import { generateTokenSecret, type NewToken, type Token } from './token.ts'

const tokenColumns = [
  'id',
  'userId',
  'name',
  'description',
  'scopes',
  'impersonation',
  'expiresAt',
  'revokedAt',
  'createdAt',
  'lastUsedAt',
] as const

/** Personal access tokens without their secrets. */
export const selectTokens = (ctx: Context) => ctx.db.selectFrom('personalAccessToken').select(tokenColumns)

export type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>['executeTakeFirstOrThrow']>>

export const toToken =
  ({ now }: Pick<Context, 'now'>) =>
  ({ revokedAt, ...row }: TokenRow): Token => ({
    ...row,
    active: revokedAt === null && (row.expiresAt === null || row.expiresAt > now.slice(0, 10)),
    revoked: revokedAt !== null,
  })

/** The scope `api` permits creating tokens with all scopes except `sudo`, which it does not include. */
export const assertGrantableScopes = ({ actor }: Context, granted: readonly Scope[]) => {
  const isLimited = actor.kind === 'user' && actor.scopes !== null && !actor.scopes.includes('sudo')
  if (!isLimited || !granted.includes('sudo')) return
  throw new PlatformError('insufficient_scope', "The token's scopes do not permit sudo", { scopes: ['sudo'] })
}

interface TokenValues
  extends Pick<TokenRow, 'userId' | 'name' | 'description' | 'scopes' | 'impersonation' | 'expiresAt'> {
  /** The project or group of an access token; none for a token of a user. */
  readonly projectId?: number | null
  readonly groupId?: number | null
  /** The first token of the family, for one that replaces another. */
  readonly familyId?: number
}

/**
 * The stored form of a new secret.
 *
 * @throws PlatformError `invalid` for a secret that no header can hold, `conflict` for one that another token has
 */
export const digestNewSecret = async ({ db }: Context, secret: string): Promise<string> => {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw invalid({ secret: ['can hold only printable ASCII without blanks'] })
  const digest = hashToken(secret)
  for (const table of ['personalAccessToken', 'deployToken', 'pipelineTrigger', 'jobToken', 'runner'] as const) {
    const taken = await db.selectFrom(table).where('digest', '=', digest).select('id').executeTakeFirst()
    if (taken) throw conflict('This secret belongs to another token')
  }
  return digest
}

/** @throws PlatformError as `digestNewSecret` */
export const insertToken = async (
  ctx: Context,
  token: TokenValues,
  secret = generateTokenSecret(ctx.ports.random),
): Promise<NewToken> => {
  const digest = await digestNewSecret(ctx, secret)
  const expiresAt = await limitLifetime(ctx, token.expiresAt)
  const { projectId = null, groupId = null, familyId = null, ...values } = token
  const [row] = await ctx.db
    .insertInto('personalAccessToken')
    .values({
      ...values,
      expiresAt,
      projectId,
      groupId,
      familyId,
      digest,
      revokedAt: null,
      createdAt: ctx.now,
      lastUsedAt: null,
    } satisfies CompleteRow<'personalAccessToken'>)
    .returning(tokenColumns)
    .execute()
  return { ...toToken(ctx)(defined(row)), secret }
}

const failRevoked = async (): Promise<never> => {
  throw conflict('Token is revoked: create a new one')
}

/** A bot ends with its token, so it cannot extend it. */
const assertNotExtended = ({ actor }: Context, before: string | null, after: string | null) => {
  if (actor.kind !== 'user' || !actor.bot || before === null) return
  if (after === null || after > before)
    throw invalid({ expiresAt: [`is later than ${before}, when your token expires`] })
}

/**
 * Replaces a token. Revokes the one that replaced it, if the token is revoked.
 *
 * @throws PlatformError `not_found` for a missing token, `conflict` for one that is revoked or expired, `invalid` if a bot extends it
 */
export const rotateToken = async (
  ctx: Context,
  id: number,
  expiresAt: string | null | undefined,
): Promise<NewToken | Deferred<NewToken>> => {
  const columns = ['projectId', 'groupId', 'familyId'] as const
  const token = await selectTokens(ctx).where('id', '=', id).select(columns).executeTakeFirst()
  if (!token) throw notFound('Token')
  if (token.revokedAt !== null) {
    await revokeFamily(ctx, { id })
    return afterTransaction(failRevoked)
  }
  const { userId, name, description, scopes: granted, impersonation, projectId, groupId } = token
  assertGrantableScopes(ctx, granted)
  const expiry = expiresAt === undefined ? token.expiresAt : expiresAt
  assertNotExtended(ctx, token.expiresAt, expiry)
  if (expiry !== null && expiry <= ctx.now.slice(0, 10)) throw conflict('Token has expired: set a new expiry date')
  await ctx.db.updateTable('personalAccessToken').set({ revokedAt: ctx.now }).where('id', '=', id).execute()
  // The bot of an access token is a member as long as the token is valid.
  if (projectId !== null || groupId !== null) {
    await ctx.db.updateTable('member').set({ expiresAt: expiry }).where('userId', '=', userId).execute()
  }
  const familyId = token.familyId ?? id
  const values = { userId, name, description, scopes: granted, impersonation, projectId, groupId, familyId }
  return insertToken(ctx, { ...values, expiresAt: expiry })
}

/** @throws PlatformError `not_found` for a missing token */
export const revokeToken = async (ctx: Context, id: number): Promise<Token> => {
  await assertRowUnmodified(ctx, 'personalAccessToken', id)
  const [row] = await ctx.db
    .updateTable('personalAccessToken')
    .set({ revokedAt: ctx.now })
    .where('id', '=', id)
    .returning(tokenColumns)
    .execute()
  if (!row) throw notFound()
  return toToken(ctx)(row)
}
