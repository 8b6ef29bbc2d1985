import type { Identity } from '@forgelet/core'
import { type GetHeader, readIdentity } from '../request/credentials.ts'

/** User name and password of `Authorization: Basic` (RFC 7617); undefined for other schemes. */
const readBasicCredentials = (header: GetHeader): { readonly username: string; readonly token: string } | undefined => {
  const [scheme = '', encoded = ''] = (header('authorization') ?? '').split(/ +/, 2)
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return { username: text.slice(0, Math.max(colon, 0)), token: text.slice(colon + 1) }
}

/**
 * The identity of a git client: an access token as the password of any user name, a deploy token as that of its own, or a token in
 * the headers of the API.
 */
export const readGitIdentity = (header: GetHeader): Identity => readBasicCredentials(header) ?? readIdentity(header, [])
