import type { Identity, Session } from '@forgelet/core'

/** Scopes that concern the identity of the user only. */
const identityScopes: readonly string[] = ['openid', 'profile', 'email', 'read_user']

/**
 * The first scope that exceeds the session of a user who has signed in with a token: an application must not receive more than
 * the token permits.
 */
export const findExcessScope = async (
  session: Session,
  identity: Identity,
  requested: readonly string[],
): Promise<string | undefined> => {
  if (identity === null || !('token' in identity)) return undefined
  const { scopes } = await session.tokens.get()
  if (scopes.includes('api')) return undefined
  return requested.find((scope) => !identityScopes.includes(scope) && !scopes.includes(scope))
}
