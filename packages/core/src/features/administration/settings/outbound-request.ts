import type { OutboundRequest, OutboundResponse } from '../../../ports/http-client.ts'
import type { Ports } from '../../../ports/ports.ts'
import { resolveDestination } from './outbound-destination.ts'
import type { OutboundRules } from './outbound-rules.ts'

/**
 * Sends a request to an address that the rules permit, which is checked at the time of the request.
 *
 * @throws Error if the address is not permitted, or no response arrives; its message contains no secrets
 */
export const sendOutbound = async (
  ports: Pick<Ports, 'dns' | 'http'>,
  rules: OutboundRules,
  request: Omit<OutboundRequest, 'method' | 'ipAddress'>,
): Promise<OutboundResponse> => {
  const destination = await resolveDestination(ports, rules, request.url, request.signal)
  if (destination.status === 'refused') throw new Error(`The URL is blocked: ${destination.reason}`)
  if (destination.status === 'unresolved' && ports.http.usesDns !== false)
    throw new Error('The host name cannot be resolved')
  const ipAddress = destination.status === 'open' ? destination.ipAddress : undefined
  return ports.http.send({ ...request, method: 'POST', ...(ipAddress !== undefined && { ipAddress }) })
}
