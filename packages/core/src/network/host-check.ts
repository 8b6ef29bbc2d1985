import { withTimeout } from '../shared/with-timeout.ts'
import { canonicalizeHost, classifyIpAddress, type IpAddressKind, parseHostAddress } from './ip-addresses.ts'

/** Resolves a host name to all its IPv4 and IPv6 addresses. Rejects or returns an empty list when there are none. */
export type HostResolver = (host: string) => Promise<readonly string[]>

/** Whether the platform may send requests to a host. */
export type HostCheck =
  | { readonly status: 'allowed'; readonly addresses: readonly string[] }
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'unresolved' }

const localhostMessage = 'Requests to localhost are not allowed'
const localNetworkMessage = 'Requests to the local network are not allowed'
const invalidHostMessage = 'Hostname or IP address invalid'

const messageByKind: Readonly<Partial<Record<IpAddressKind, string>>> = {
  unspecified: localhostMessage,
  loopback: 'Requests to loopback addresses are not allowed',
  'link-local': 'Requests to the link local network are not allowed',
  private: localNetworkMessage,
  shared: localNetworkMessage,
  'unique-local': localNetworkMessage,
  'site-local': localNetworkMessage,
  multicast: 'Requests to multicast addresses are not allowed',
  broadcast: 'Requests to the broadcast address are not allowed',
  reserved: 'Requests to reserved addresses are not allowed',
  invalid: invalidHostMessage,
}

/** Names of the local machine (RFC 6761, section 6.3, and the usual entries of hosts files). */
const loopbackNames: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
])

/** Returns the reason why a user request must not connect to an IP address, or `undefined`. Check the connected address again. */
export const getAddressError = (address: string): string | undefined => messageByKind[classifyIpAddress(address)]

/** Checks the host of a URL without resolving its name. */
export const getHostError = (host: string): string | undefined => {
  const name = canonicalizeHost(host)?.replace(/\.$/, '')
  if (name === undefined || name === '') return invalidHostMessage
  if (loopbackNames.has(name) || name.endsWith('.localhost')) return localhostMessage
  const address = parseHostAddress(name)
  return address === undefined ? undefined : getAddressError(address)
}

/** A resolver that does not respond must not block its caller. */
const resolverTimeoutMs = 20_000

/** Checks for hosts and addresses: the functions above, or variants with exceptions from the settings. */
export interface HostRules {
  getHostError(host: string): string | undefined
  getAddressError(address: string): string | undefined
}

/**
 * Resolves a host and checks all its addresses. One forbidden address is enough to refuse the host, because a client may connect
 * to any of them. Connect to the returned addresses instead of the name, or check the connected address with `getAddressError`:
 * the next DNS lookup may return other addresses.
 */
export const checkHost = async (
  host: string,
  resolve: HostResolver,
  rules: HostRules = { getHostError, getAddressError },
): Promise<HostCheck> => {
  const hostError = rules.getHostError(host)
  if (hostError !== undefined) return { status: 'refused', reason: hostError }
  const literal = parseHostAddress(host)
  if (literal !== undefined) return { status: 'allowed', addresses: [literal] }
  const lookup = resolve(canonicalizeHost(host) ?? host).catch(() => [])
  const addresses = await withTimeout(lookup, resolverTimeoutMs, [])
  if (addresses.length === 0) return { status: 'unresolved' }
  const [addressError] = addresses.flatMap((address) => rules.getAddressError(address) ?? [])
  return addressError === undefined ? { status: 'allowed', addresses } : { status: 'refused', reason: addressError }
}
