import { hash } from 'node:crypto'
import type { Random } from '../../ports/random.ts'

/** A personal access token, without its secret. */
export interface Token {
  id: number
  userId: number
  name: string
  scopes: readonly string[]
  /** The first day on which it no longer works, or null. */
  expiresAt: string | null
  revoked: boolean
  createdAt: string
}

/** What is stored of a token. A plain hash is enough for a secret of 160 random bits. */
export const tokenDigest = (secret: string): string => hash('sha256', secret, 'hex')

/** A new secret: 160 random bits behind a prefix that secret scanners can find. */
export const newSecret = (random: Random): string => `fgpat-${Buffer.from(random.bytes(20)).toString('base64url')}`
