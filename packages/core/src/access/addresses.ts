import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** What an IP address is for. `public` ones belong to somebody, `documentation` ones to nobody; the others are near or special. */
export type AddressKind =
  | 'public'
  | 'documentation'
  | 'unspecified'
  | 'loopback'
  | 'link-local'
  | 'private'
  | 'shared'
  | 'unique-local'
  | 'site-local'
  | 'multicast'
  | 'broadcast'
  | 'reserved'
  | 'invalid'

type Range = readonly [kind: AddressKind, network: string, prefix: number]

/** Special ranges of the registries of RFC 6890 and their successors; the first range that fits decides. */
const ranges4: readonly Range[] = [
  ['broadcast', '255.255.255.255', 32],
  ['unspecified', '0.0.0.0', 32],
  ['reserved', '0.0.0.0', 8],
  ['private', '10.0.0.0', 8],
  ['shared', '100.64.0.0', 10],
  ['loopback', '127.0.0.0', 8],
  ['link-local', '169.254.0.0', 16],
  ['private', '172.16.0.0', 12],
  ['reserved', '192.0.0.0', 24],
  ['documentation', '192.0.2.0', 24],
  ['reserved', '192.88.99.0', 24],
  ['private', '192.168.0.0', 16],
  ['reserved', '198.18.0.0', 15],
  ['documentation', '198.51.100.0', 24],
  ['documentation', '203.0.113.0', 24],
  ['multicast', '224.0.0.0', 4],
  ['reserved', '240.0.0.0', 4],
]

const ranges6: readonly Range[] = [
  ['unspecified', '::', 128],
  ['loopback', '::1', 128],
  ['reserved', '64:ff9b:1::', 48],
  ['reserved', '100::', 64],
  ['reserved', '2001::', 23],
  ['documentation', '2001:db8::', 32],
  ['documentation', '3fff::', 20],
  ['reserved', '5f00::', 16],
  ['unique-local', 'fc00::', 7],
  ['link-local', 'fe80::', 10],
  ['site-local', 'fec0::', 10],
  ['multicast', 'ff00::', 8],
]

/** Ranges of IPv6 that carry an IPv4 address, and the group of 16 bits where it begins. */
const carriers: readonly (readonly [network: string, prefix: number, group: number])[] = [
  // Mapped, translated and compatible forms, NAT64, 6to4.
  ['::ffff:0:0', 96, 6],
  ['::ffff:0:0:0', 96, 6],
  ['::', 96, 6],
  ['64:ff9b::', 96, 6],
  ['2002::', 16, 1],
]

const listOf = (network: string, prefix: number, family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  list.addSubnet(network, prefix, family)
  return list
}

const lists4 = ranges4.map(([kind, network, prefix]) => ({ kind, list: listOf(network, prefix, 'ipv4') }))
const lists6 = ranges6.map(([kind, network, prefix]) => ({ kind, list: listOf(network, prefix, 'ipv6') }))
const carrierLists = carriers.map(([network, prefix, group]) => ({ group, list: listOf(network, prefix, 'ipv6') }))

/** The eight groups of an IPv6 address in its canonical form, which has no dotted end. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return parse(head)
  const [before, after] = [parse(head), parse(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const embedded = (address: string, group: number): string => {
  const [high = 0, low = 0] = groupsOf(address).slice(group)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** A host as browsers read it: lower case, addresses in one spelling, names in ASCII. `undefined` when it is none (WHATWG URL, 3.5). */
export const canonicalHost = (host: string): string | undefined => {
  const bracketed = host.startsWith('[') && host.endsWith(']')
  // Nothing may end the host, so that the rest of the text does not move elsewhere unseen.
  if (/[/?#@\\\s]/.test(host) || (host.includes(':') && !bracketed && !isIPv6(host))) return undefined
  const url = `http://${isIPv6(host) ? `[${host}]` : host}/`
  return host !== '' && URL.canParse(url) ? new URL(url).hostname : undefined
}

/**
 * The address that a host of a URL spells, in canonical form without brackets: `0x7f.1`, `2130706433` and `①27.0.0.1` are all
 * `127.0.0.1`. `undefined` for names, and for text that is no host.
 */
export const hostAddress = (host: string): string | undefined => {
  const name = canonicalHost(host)?.replace(/^\[|\]$/g, '')
  return name !== undefined && isIP(name) ? name : undefined
}

/**
 * What an IP address is for. Every spelling is understood, also one with a zone (`fe80::1%eth0`); an IPv6 address that only carries
 * an IPv4 address is judged by the latter. Anything else is `invalid`.
 */
export const addressKind = (address: string): AddressKind => {
  const zone = isIPv6(address) ? address.indexOf('%') : -1
  const plain = hostAddress(zone < 0 ? address : address.slice(0, zone))
  if (plain === undefined) return 'invalid'
  if (isIPv4(plain)) return lists4.find(({ list }) => list.check(plain, 'ipv4'))?.kind ?? 'public'
  const special = lists6.find(({ list }) => list.check(plain, 'ipv6'))?.kind
  if (special !== undefined) return special
  const carrier = carrierLists.find(({ list }) => list.check(plain, 'ipv6'))
  return carrier === undefined ? 'public' : addressKind(embedded(plain, carrier.group))
}
