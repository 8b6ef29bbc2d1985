import type { Reply } from '../reply/reply.ts'
import { matchesSecret, readBearerToken } from '../request/credentials.ts'
import { isForwarded, isLoopback } from '../request/forwarding.ts'
import { isLocalHost } from '../request/host-name.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { splitTarget } from '../request/target.ts'

const createDenial = (status: number, message: string): Reply => ({ status, body: { message } })

// The query parameter is for event streams of browsers, which cannot send headers.
const readControlToken = ({ header, method, target }: IncomingRequest) =>
  readBearerToken(header) ??
  header('x-forgelet-control-token') ??
  (method === 'GET' ? readQueryToken(target) : undefined)

const readQueryToken = (target: string) =>
  new URLSearchParams(splitTarget(target).query).get('control_token') ?? undefined

/**
 * Restricts access to the control plane: to clients with the token, or without a token to this machine. In the latter case it
 * also rejects forwarded requests, and requests of other sites' pages in a local browser, by their `Host` and `Origin`.
 *
 * @returns the error reply; undefined if access is allowed
 */
export const denyAccess = (request: IncomingRequest, token: string | undefined): Reply | undefined => {
  if (token !== undefined) {
    const input = readControlToken(request)
    if (input !== undefined && matchesSecret(input, token)) return undefined
    return createDenial(401, '401 Unauthorized: the control plane requires its token')
  }
  const { ipAddress, header } = request
  // Only requests from inside this process have no IP address.
  if (ipAddress === undefined) return undefined
  const host = header('host') ?? ''
  if (!isLoopback(ipAddress) || isForwarded(header)) {
    return createDenial(
      403,
      '403 Forbidden: without a token, the control plane accepts requests from this machine only',
    )
  }
  const origin = header('origin')
  if (!isLocalHost(host) || (origin !== undefined && origin !== `http://${host}`)) {
    return createDenial(403, '403 Forbidden: the control plane rejects requests from pages of other sites')
  }
  return undefined
}
