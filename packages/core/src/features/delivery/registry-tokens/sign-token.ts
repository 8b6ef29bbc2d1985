import { PlatformError } from '../../../kernel/errors.ts'
import type { SigningKey } from './issuer.ts'
import type { RegistryAccess } from './scope.ts'

/** `issuer` in the configuration of the registry. */
const issuer = 'gitlab-issuer'

/** Seconds by which the clock of a registry may be behind. */
const clockDifference = 5

interface TokenContent {
  /** The service of the registry that the token is for. */
  readonly service: string
  readonly subject: string
  readonly access: readonly RegistryAccess[]
  readonly id: string
  /** Seconds since 1970. */
  readonly issuedAt: number
  /** Seconds. */
  readonly lifetime: number
}

/** Loaded with the first token, because few platforms have the package. */
const loadLibrary = async () => {
  try {
    return await import('jose')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new PlatformError('unprocessable', 'Tokens of the registry require the package jose beside @forgelet/core')
  }
}

/** Signs a token with the claims that the registry checks (Docker registry token specification, "Token format"). */
export const signToken = async (
  { privateKey, certificate }: SigningKey,
  { service, subject, access, id, issuedAt, lifetime }: TokenContent,
): Promise<string> => {
  const { SignJWT } = await loadLibrary()
  return new SignJWT({ access })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256', x5c: [certificate] })
    .setIssuer(issuer)
    .setAudience(service)
    .setSubject(subject)
    .setJti(id)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt - clockDifference)
    .setExpirationTime(issuedAt + lifetime)
    .sign(privateKey)
}
