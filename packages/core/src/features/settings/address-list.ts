import { BlockList, isIP, isIPv6 } from 'node:net'
import { canonicalHost, hostAddress } from '../../access/addresses.ts'

/** Hosts and addresses that somebody has listed. */
export interface AddressList {
  /** A host of a URL, by exactly its name or by the address that it spells. */
  hasHost(host: string): boolean
  hasAddress(address: string): boolean
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

const nameOf = (host: string) => canonicalHost(host.trim())?.replace(/\.$/, '')

/** `10.1.0.0/16`; undefined for anything else. */
const rangeOf = (entry: string): { readonly network: string; readonly prefix: number } | undefined => {
  const [network = '', length = '', more] = entry.trim().split('/')
  if (more !== undefined || isIP(network) === 0 || !/^[0-9]{1,3}$/.test(length)) return undefined
  const prefix = Number(length)
  return prefix <= (isIPv6(network) ? 128 : 32) ? { network, prefix } : undefined
}

/** Reads names, addresses in any spelling and address ranges (RFC 4632, section 3.1). What is none of these lists nothing. */
export const addressList = (entries: readonly string[]): AddressList => {
  const names = new Set<string>()
  const addresses = new BlockList()
  for (const entry of entries) {
    const range = rangeOf(entry)
    const address = hostAddress(entry.trim())
    const name = nameOf(entry)
    if (range) addresses.addSubnet(range.network, range.prefix, family(range.network))
    else if (address !== undefined) addresses.addAddress(address, family(address))
    else if (name !== undefined) names.add(name)
  }
  const hasAddress = (given: string) => {
    const address = hostAddress(given)
    return address !== undefined && addresses.check(address, family(address))
  }
  return { hasAddress, hasHost: (host) => names.has(nameOf(host) ?? '') || hasAddress(host) }
}
