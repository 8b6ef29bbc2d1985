import { hash, timingSafeEqual } from 'node:crypto'
import type { Identity } from '@forgelet/core'
import { type Parameters, RepeatedValue } from './parameters.ts'

export type GetHeader = (name: string) => string | undefined

const toNonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** No user has this token. It represents an unreadable credential, which is rejected like an unknown one. */
const invalidToken = ''

/** The token of `Authorization: Bearer` (RFC 6750); undefined for other schemes and if the header is omitted or empty. */
export const readBearerToken = (header: GetHeader): string | undefined => {
  const [scheme = '', token = ''] = (header('authorization') ?? '').split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

const digest = (text: string) => hash('sha256', text, 'buffer')

/** Compares in constant time. */
export const matchesSecret = (input: string, secret: string): boolean => timingSafeEqual(digest(input), digest(secret))

/** All headers accept access tokens and deploy tokens: the stored token determines what the request may do. */
const tokenHeaders = ['private-token', 'job-token', 'deploy-token'] as const

/** Parameters that authenticate a request. */
export const tokenParameters = ['private_token', 'access_token', 'job_token'] as const

/** The values of a parameter, which can be sent several times. */
const listValues = (value: unknown): readonly unknown[] => (value instanceof RepeatedValue ? value.values : [value])

/** Clients without a token send an empty value: the request is anonymous, the token is not invalid. */
const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** All tokens of a request, each once. A value that is not text is a token that no user has. */
const collectTokens = (header: GetHeader, sources: readonly Parameters[]): ReadonlySet<string> => {
  const tokens = new Set<string>()
  if (!isEmpty(header('authorization'))) tokens.add(readBearerToken(header) ?? invalidToken)
  for (const name of tokenHeaders) {
    const value = header(name)
    if (!isEmpty(value)) tokens.add(value)
  }
  for (const parameters of sources) {
    for (const name of tokenParameters) {
      for (const value of listValues(parameters[name])) {
        if (!isEmpty(value)) tokens.add(toNonEmptyText(value) ?? invalidToken)
      }
    }
  }
  return tokens
}

/** Like every scalar parameter, the last value counts. */
const readSudo = (header: GetHeader, sources: readonly Parameters[]): string | undefined => {
  const values = sources.map(({ sudo }) => listValues(sudo).at(-1)).reverse()
  const value = toNonEmptyText(header('sudo')) ?? values.find((sudo) => !isEmpty(sudo))
  return typeof value === 'number' ? String(value) : toNonEmptyText(value)
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
 * The identity of a request: its token, from `Authorization: Bearer`, a header such as `PRIVATE-TOKEN`, or a parameter such
 * as `private_token`. None of them takes precedence: a request with different tokens is rejected like one with an unknown
 * token. `sudo` (header or parameter) acts as another user. Never the host identity.
 *
 * @param sources the parameters of the query, then those of the body
 */
export function readIdentity(header: GetHeader, sources: readonly Parameters[]): Identity {
  const [token, ...others] = collectTokens(header, sources)
  const sudo = readSudo(header, sources)
  if (others.length) return { token: invalidToken }
  if (token === undefined) return sudo === undefined ? null : { token: invalidToken }
  return sudo === undefined ? { token } : { token, sudo: parseUserReference(sudo) }
}

/** User name and password of `Authorization: Basic` (RFC 7617); undefined for other schemes. */
export const readBasicCredentials = (
  header: GetHeader,
): { readonly username: string; readonly token: string } | undefined => {
  const [scheme = '', encoded = ''] = (header('authorization') ?? '').split(/ +/, 2)
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return { username: text.slice(0, Math.max(colon, 0)), token: text.slice(colon + 1) }
}

/**
 * The identity of git and of programs that read files: an access token as the password of any user name, a deploy token as that
 * of its own, or a token in the headers of the API or the given parameters.
 */
export const readProgramIdentity = (header: GetHeader, sources: readonly Parameters[] = []): Identity =>
  readBasicCredentials(header) ?? readIdentity(header, sources)
