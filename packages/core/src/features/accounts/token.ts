import type { Random } from '../../ports/random.ts'

/** A personal access token, without its secret. */
export interface Token {
  id: number
  userId: number
  name: string
  scopes: readonly string[]
  /** The first day on which the token is invalid, or null. */
  expiresAt: string | null
  revoked: boolean
  createdAt: string
}

/** Generates a secret of 160 random bits, with a prefix that secret scanners can find. */
export const generateTokenSecret = (random: Random): string =>
  `fgpat-${Buffer.from(random.bytes(20)).toString('base64url')}`
