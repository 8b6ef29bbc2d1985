import { hash, timingSafeEqual } from 'node:crypto'
import type { Identity } from '@forgelet/core'
import type { Parameters } from './parameters.ts'

export type Header = (name: string) => string | undefined

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** A token that nobody has: a credential we do not know how to read is refused like an unknown one. */
const unreadable = ''

/** The token of `Authorization: Bearer` (RFC 6750); undefined where the header is absent, empty or says something else. */
export const bearerOf = (header: Header): string | undefined => {
  const [scheme = '', token = ''] = (header('authorization') ?? '').split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

const digest = (text: string) => hash('sha256', text, 'buffer')

/** Whether a secret that was shown is the right one. How long it takes tells nothing of either. */
export const isSecret = (shown: string, secret: string): boolean => timingSafeEqual(digest(shown), digest(secret))

const tokenOf = (header: Header, sent: Parameters): string | undefined => {
  if (text(header('authorization')) !== undefined) return bearerOf(header) ?? unreadable
  // Clients that have no token send the header empty: that is nobody, not a bad token.
  return text(header('private-token')) ?? text(sent.private_token) ?? text(sent.access_token)
}

/**
 * The SCIM token of a request (RFC 6750): `Authorization: Bearer` alone, no other way to sign in counts. A request without
 * one is refused like one with an unknown token.
 */
export const scimIdentityOf = (header: Header): { readonly scim: string } => ({ scim: bearerOf(header) ?? unreadable })

const userReference = (value: string) => (/^[0-9]{1,15}$/.test(value) ? Number(value) : value)

/**
 * Who a request says it comes from: `Authorization: Bearer`, `PRIVATE-TOKEN`, or the parameters `private_token` and
 * `access_token`; `sudo` (header or parameter) to act as somebody else. Never the host itself.
 */
export function identityOf(header: Header, sent: Parameters): Identity {
  const token = tokenOf(header, sent)
  const sudo = text(header('sudo')) ?? (typeof sent.sudo === 'number' ? String(sent.sudo) : text(sent.sudo))
  if (token === undefined) return sudo === undefined ? null : { token: unreadable }
  return sudo === undefined ? { token } : { token, sudo: userReference(sudo) }
}
