import { isPlatformError, type PlatformError } from '@forgelet/core'
import { messageWithoutHints } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'

/** An error in the format of the registry's API, which clients show to their user (OCI distribution specification, "Error codes"). */
export const registryErrorReply = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({ status, body: { errors: [{ code, message }] }, headers: { 'Cache-Control': 'no-store', ...headers } })

export const unauthorizedReply = registryErrorReply(401, 'UNAUTHORIZED', 'HTTP Basic: Access denied', {
  'WWW-Authenticate': 'Basic realm="Forgelet"',
})

export const deniedReply = registryErrorReply(403, 'DENIED', 'access forbidden')

const toRetryHeaders = ({ retryAfter }: PlatformError) =>
  retryAfter === undefined ? undefined : { 'Retry-After': String(Math.ceil(retryAfter)) }

/** The reply for a platform error; undefined for any other error. */
export const toRegistryErrorReply = (error: unknown): Reply | undefined => {
  if (!isPlatformError(error)) return undefined
  switch (error.code) {
    case 'unauthenticated':
      return unauthorizedReply
    case 'insufficient_scope':
      return deniedReply
    case 'forbidden':
      return registryErrorReply(403, 'DENIED', error.message)
    case 'invalid_input':
      return registryErrorReply(400, 'UNSUPPORTED', messageWithoutHints(error))
    case 'limited':
      return registryErrorReply(429, 'TOOMANYREQUESTS', error.message, toRetryHeaders(error))
    default:
      return registryErrorReply(503, 'UNAVAILABLE', error.message, toRetryHeaders(error))
  }
}
