import { type AddressKind, addressKind, canonicalHost, hostAddress } from './addresses.ts'

/** Resolves a host name to all of its addresses, IPv4 and IPv6; rejects or answers none when there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>

/** Where a host leads: to these addresses, to a place that requests must not reach, or nowhere as far as is known. */
export type HostCheck =
  | { readonly status: 'allowed'; readonly addresses: readonly string[] }
  | { readonly status: 'refused'; readonly complaint: string }
  | { readonly status: 'unresolved' }

const toLocalhost = 'Requests to localhost are not allowed'
const toLocalNetwork = 'Requests to the local network are not allowed'
const noHost = 'Hostname or IP address invalid'

const complaints: Readonly<Partial<Record<AddressKind, string>>> = {
  unspecified: toLocalhost,
  loopback: 'Requests to loopback addresses are not allowed',
  'link-local': 'Requests to the link local network are not allowed',
  private: toLocalNetwork,
  shared: toLocalNetwork,
  'unique-local': toLocalNetwork,
  'site-local': toLocalNetwork,
  multicast: 'Requests to multicast addresses are not allowed',
  broadcast: 'Requests to the broadcast address are not allowed',
  reserved: 'Requests to reserved addresses are not allowed',
  invalid: noHost,
}

/** Names of the machine itself (RFC 6761 section 6.3, and what systems write into their tables of hosts). */
const localNames: ReadonlySet<string> = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback'])

/** Why the platform must not connect to an address on behalf of a user; `undefined` when it may. To be asked again once connected. */
export const addressComplaint = (address: string): string | undefined => complaints[addressKind(address)]

/** The same for the host of a URL as far as it can be told without asking a name server. */
export const hostComplaint = (host: string): string | undefined => {
  const name = canonicalHost(host)?.replace(/\.$/, '')
  if (name === undefined || name === '') return noHost
  if (localNames.has(name) || name.endsWith('.localhost')) return toLocalhost
  const address = hostAddress(name)
  return address === undefined ? undefined : addressComplaint(address)
}

/** What judges hosts and addresses: without settings `hostComplaint` and `addressComplaint`, with them what they except. */
export interface HostRules {
  hostComplaint(host: string): string | undefined
  addressComplaint(address: string): string | undefined
}

/**
 * Resolves a host and judges every address it has: one forbidden address refuses the host, because nobody knows which one will be
 * used. Connect to the addresses of the answer, not to the name, or ask `addressComplaint` about the connected address: a name
 * server may answer differently the next time.
 */
export const checkHost = async (
  host: string,
  resolve: Lookup,
  rules: HostRules = { hostComplaint, addressComplaint },
): Promise<HostCheck> => {
  const complaint = rules.hostComplaint(host)
  if (complaint !== undefined) return { status: 'refused', complaint }
  const literal = hostAddress(host)
  if (literal !== undefined) return { status: 'allowed', addresses: [literal] }
  const addresses = await resolve(canonicalHost(host) ?? host).catch(() => [])
  if (addresses.length === 0) return { status: 'unresolved' }
  const [refusal] = addresses.flatMap((address) => rules.addressComplaint(address) ?? [])
  return refusal === undefined ? { status: 'allowed', addresses } : { status: 'refused', complaint: refusal }
}
