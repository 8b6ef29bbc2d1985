import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid, PlatformError } from '../../../kernel/errors.ts'
import type { Scope } from '../../../kernel/scopes.ts'

interface WantedToken {
  readonly scopes: readonly Scope[]
  readonly expiresAt: string | null
  readonly impersonation: boolean
}

/**
 * Checks a token that a user creates without an administrator: it must not permit more, or longer, than the token of the call. Calls
 * that the host authenticated have no such limit.
 */
export const assertOwnToken = async (
  { db, actor }: Context,
  { scopes, expiresAt, impersonation }: WantedToken,
): Promise<void> => {
  if (actor.kind !== 'user' || actor.bot || actor.job) throw forbidden('Only users can create tokens for themselves')
  if (impersonation) throw forbidden('Only administrators can create tokens to act as a user')
  const { scopes: own, tokenId } = actor
  if (!actor.admin && scopes.includes('sudo'))
    throw forbidden('Only administrators can create tokens with the scope sudo')
  // `assertGrantableScopes` has checked `sudo`, which `api` does not include.
  if (own === null || tokenId === undefined) return
  if (!own.includes('api'))
    throw new PlatformError('insufficient_scope', 'Your token cannot create tokens', { scopes: ['api'] })
  const row = await db
    .selectFrom('personalAccessToken')
    .where('id', '=', tokenId)
    .select('expiresAt')
    .executeTakeFirst()
  const end = row?.expiresAt ?? null
  if (end !== null && (expiresAt === null || expiresAt > end))
    throw invalid({ expiresAt: [`is later than ${end}, when your token expires`] })
}
