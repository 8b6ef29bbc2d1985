import { hash, timingSafeEqual } from 'node:crypto'
import type { Identity } from '@forgelet/core'
import type { Parameters } from './parameters.ts'

export type GetHeader = (name: string) => string | undefined

const toNonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** No user has this token. It represents an unreadable credential, which is rejected like an unknown one. */
const invalidToken = ''

/** The token of `Authorization: Bearer` (RFC 6750); undefined for other schemes and if the header is absent or empty. */
export const readBearerToken = (header: GetHeader): string | undefined => {
  const [scheme = '', token = ''] = (header('authorization') ?? '').split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

const digest = (text: string) => hash('sha256', text, 'buffer')

/** Compares in constant time. */
export const matchesSecret = (input: string, secret: string): boolean => timingSafeEqual(digest(input), digest(secret))

const readToken = (header: GetHeader, sent: Parameters): string | undefined => {
  if (toNonEmptyText(header('authorization')) !== undefined) return readBearerToken(header) ?? invalidToken
  // Clients without a token send an empty header: the request is anonymous, the token is not invalid.
  return (
    toNonEmptyText(header('private-token')) ?? toNonEmptyText(sent.private_token) ?? toNonEmptyText(sent.access_token)
  )
}

/**
 * The SCIM token of a request (RFC 6750). Only `Authorization: Bearer` is accepted. A request without a token is rejected
 * like one with an unknown token.
 */
export const readScimIdentity = (header: GetHeader): { readonly scim: string } => ({
  scim: readBearerToken(header) ?? invalidToken,
})

const parseUserReference = (value: string) => (/^[0-9]{1,15}$/.test(value) ? Number(value) : value)

/**
 * The identity of a request: a token from `Authorization: Bearer`, `PRIVATE-TOKEN`, or the parameters `private_token` and
 * `access_token`; `sudo` (header or parameter) acts as another user. Never the host identity.
 */
export function readIdentity(header: GetHeader, sent: Parameters): Identity {
  const token = readToken(header, sent)
  const sudo =
    toNonEmptyText(header('sudo')) ?? (typeof sent.sudo === 'number' ? String(sent.sudo) : toNonEmptyText(sent.sudo))
  if (token === undefined) return sudo === undefined ? null : { token: invalidToken }
  return sudo === undefined ? { token } : { token, sudo: parseUserReference(sudo) }
}
