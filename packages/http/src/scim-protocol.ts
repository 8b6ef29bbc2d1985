import { isPlatformError, type PlatformError } from '@forgelet/core'
import { scimIdentityOf } from './credentials.ts'
import type { Protocol } from './protocol.ts'
import { refusal } from './refusal.ts'
import type { Reply } from './reply.ts'

const schema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The error of RFC 7644 section 3.12: its status is text. */
const scimError = (status: number, detail: string, scimType?: string, headers?: Reply['headers']): Reply => ({
  status,
  body: { schemas: [schema], ...(scimType !== undefined && { scimType }), detail, status: String(status) },
  ...(headers && { headers }),
})

/** Keywords that features give as the reason of a malformed call. */
const keywords = new Set(['invalidFilter', 'invalidPath', 'invalidSyntax', 'invalidValue'])

const keywordOf = ({ code, reason }: PlatformError): string | undefined => {
  if (code === 'conflict') return 'uniqueness'
  if (code !== 'invalid_input' && code !== 'invalid') return undefined
  return reason !== undefined && keywords.has(reason) ? reason : 'invalidValue'
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="SCIM"' }

/** What an early refusal says, under whichever of the two names. */
const textOf = (body: unknown): string => {
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown }
  return String(error ?? message ?? '')
}

/** SCIM 2.0 (RFC 7644): bearer tokens of its own, and one form of errors for everything. */
export const scimProtocol: Protocol = {
  mediaType: 'application/scim+json',
  errorSchema: 'ScimError',
  security: ['bearer'],
  jsonOnly: true,
  admit: (platform, header) => platform.authenticate(scimIdentityOf(header)),
  identityOf: ({ header }) => scimIdentityOf(header),
  refusal(error, name) {
    if (!isPlatformError(error)) return undefined
    // The status of a code is the same everywhere; only the words differ.
    const { status, headers } = refusal(error, name) as Reply
    return scimError(status, error.message, keywordOf(error), error.code === 'unauthenticated' ? challenge : headers)
  },
  early: ({ status, body, headers }) =>
    scimError(status, textOf(body), status === 400 ? 'invalidSyntax' : undefined, headers),
  methodRefused: (method) =>
    // RFC 7644 section 3.12 has a status of its own for what a provider does not support, and replacing is of that kind.
    method === 'PUT' ? scimError(501, 'PUT is not supported; use PATCH') : scimError(405, '405 Not Allowed'),
}
