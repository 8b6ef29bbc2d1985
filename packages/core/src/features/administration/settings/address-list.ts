import { BlockList, isIP, isIPv6 } from 'node:net'
import { canonicalizeHost, parseHostAddress } from '../../../network/ip-addresses.ts'

/** An allow list of host names, IP addresses and CIDR ranges. */
export interface AddressList {
  /** Whether the host of a URL is listed: by its exact name, or by IP address when it is one. */
  hasHost(host: string): boolean
  hasIpAddress(address: string): boolean
}

const ipFamily = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

const canonicalName = (host: string) => canonicalizeHost(host.trim())?.replace(/\.$/, '')

/** Parses a CIDR range such as `10.1.0.0/16`. */
const parseRange = (entry: string): { readonly network: string; readonly prefix: number } | undefined => {
  const [network = '', length = '', more] = entry.trim().split('/')
  if (more !== undefined || isIP(network) === 0 || !/^[0-9]{1,3}$/.test(length)) return undefined
  const prefix = Number(length)
  return prefix <= (isIPv6(network) ? 128 : 32) ? { network, prefix } : undefined
}

/** Entries are host names, IP addresses in any notation and CIDR ranges (RFC 4632, section 3.1); others are ignored. */
export const createAddressList = (entries: readonly string[]): AddressList => {
  const names = new Set<string>()
  const addresses = new BlockList()
  for (const entry of entries) {
    const range = parseRange(entry)
    const address = parseHostAddress(entry.trim())
    const name = canonicalName(entry)
    if (range) addresses.addSubnet(range.network, range.prefix, ipFamily(range.network))
    else if (address !== undefined) addresses.addAddress(address, ipFamily(address))
    else if (name !== undefined) names.add(name)
  }
  const hasIpAddress = (text: string) => {
    const address = parseHostAddress(text)
    return address !== undefined && addresses.check(address, ipFamily(address))
  }
  return { hasIpAddress, hasHost: (host) => names.has(canonicalName(host) ?? '') || hasIpAddress(host) }
}
