import { isPlatformError, type PlatformError } from '@forgelet/core'
import { defined, scimReasons } from '@forgelet/core/operations'
import { createErrorReply, messageWithoutHints } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import { readScimIdentity } from '../request/credentials.ts'
import { toCamelCase } from '../wire-names.ts'
import type { Protocol } from './protocol.ts'
import { selectAttributes } from './scim-attributes.ts'

const errorSchemaUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** RFC 7644, section 3.12: `status` is a string. */
const createScimError = (status: number, detail: string, scimType?: string, headers?: Reply['headers']): Reply => ({
  status,
  body: { schemas: [errorSchemaUrn], ...(scimType !== undefined && { scimType }), detail, status: String(status) },
  ...(headers && { headers }),
})

/** Values of `PlatformError.reason` that are SCIM error types, in snake case. */
const invalidRequestTypes: ReadonlySet<string> = new Set(scimReasons)

const getScimType = ({ code, reason }: PlatformError): string | undefined => {
  if (code === 'conflict') return 'uniqueness'
  if (code !== 'invalid_input' && code !== 'invalid') return undefined
  return reason !== undefined && invalidRequestTypes.has(reason) ? toCamelCase(reason) : 'invalidValue'
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="SCIM"' }

/** The text of an error reply of the main API, from either of its properties. */
const readErrorText = (body: unknown): string => {
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown }
  return String(error ?? message ?? '')
}

/** SCIM 2.0 (RFC 7644): separate bearer tokens, and one format for all errors. */
export const scimProtocol: Protocol = {
  mediaType: 'application/scim+json',
  errorSchema: 'ScimError',
  security: ['bearer'],
  jsonOnly: true,
  authenticate: (platform, header) => platform.authenticate(readScimIdentity(header)),
  readIdentity: readScimIdentity,
  createErrorReply(error, toWireName) {
    if (!isPlatformError(error)) return undefined
    // Same status as in the main API, other body.
    const { status, headers } = defined(createErrorReply(error, toWireName))
    return createScimError(
      status,
      messageWithoutHints(error),
      getScimType(error),
      error.code === 'unauthenticated' ? challenge : headers,
    )
  },
  convertErrorReply: ({ status, body, headers }) =>
    createScimError(status, readErrorText(body), status === 400 ? 'invalidSyntax' : undefined, headers),
  finishReply: selectAttributes,
  createMethodNotAllowedReply: () => createScimError(405, '405 Not Allowed'),
}
