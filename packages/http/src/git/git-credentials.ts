import type { Identity } from '@forgelet/core'
import { type GetHeader, readIdentity } from '../request/credentials.ts'

/** The password of `Authorization: Basic` (RFC 7617); undefined for other schemes. Any user name is accepted. */
const readBasicPassword = (header: GetHeader): string | undefined => {
  const [scheme = '', encoded = ''] = (header('authorization') ?? '').split(/ +/, 2)
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

/** The identity of a git client: a token as the password of any user, or in the headers of the API. */
export const readGitIdentity = (header: GetHeader, identifyHost: () => Identity | undefined): Identity => {
  const identity = identifyHost()
  if (identity !== undefined) return identity
  const password = readBasicPassword(header)
  return password === undefined ? readIdentity(header, []) : { token: password }
}
