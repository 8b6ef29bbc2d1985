import type { Random } from '../../../ports/random.ts'

/** A personal access token, without its secret. */
export interface Token {
  /** Unique among personal access tokens. */
  id: number
  /** Id of the user who is authenticated by the token. */
  userId: number
  /** Name for people; not necessarily unique. */
  name: string
  /** Text about the token, at most 255 characters; null without one. */
  description: string | null
  /** What the token permits: `api` everything, `read_api` all reads. See `tokens.create`. */
  scopes: readonly string[]
  /** First day on which the token is invalid (`2026-11-21`, UTC); null if it does not expire. */
  expiresAt: string | null
  /** Whether an administrator created the token to act as the user. The user cannot see it. */
  impersonation: boolean
  /** Whether calls with the token succeed: it is neither revoked nor expired. */
  active: boolean
  /** Whether the token was revoked. An expired token is not revoked. */
  revoked: boolean
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the first call on the last day (UTC) on which a call with the token succeeded; null if there was none. */
  lastUsedAt: string | null
}

/** A token with its secret, which only the result of its creation contains. */
export interface NewToken extends Token {
  /** The token to send with requests, such as in the header `PRIVATE-TOKEN`. */
  secret: string
}

/** Generates a secret of 160 random bits, with a prefix that secret scanners can find. */
export const generateTokenSecret = (
  random: Random,
  prefix: 'fgpat' | 'fgdt' | 'fgtt' | 'fgffct' | 'glcbt' | 'glrt' = 'fgpat',
): string => `${prefix}-${Buffer.from(random.bytes(20)).toString('base64url')}`
