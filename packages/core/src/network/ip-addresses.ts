import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** The purpose of an IP address according to the IANA registries of special-purpose addresses. */
export type IpAddressKind =
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

type IpRange = readonly [kind: IpAddressKind, network: string, prefix: number]

/** Special-purpose ranges of the registries of RFC 6890 and its successors. The first matching range applies. */
const ipv4Ranges: readonly IpRange[] = [
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

const ipv6Ranges: readonly IpRange[] = [
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

/** IPv6 ranges with an embedded IPv4 address, and the index of its first 16-bit group. */
const embeddedIpv4Ranges: readonly (readonly [network: string, prefix: number, group: number])[] = [
  // IPv4-mapped, IPv4-translated, IPv4-compatible, NAT64, 6to4
  ['::ffff:0:0', 96, 6],
  ['::ffff:0:0:0', 96, 6],
  ['::', 96, 6],
  ['64:ff9b::', 96, 6],
  ['2002::', 16, 1],
]

const createBlockList = (network: string, prefix: number, family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  list.addSubnet(network, prefix, family)
  return list
}

const ipv4BlockLists = ipv4Ranges.map(([kind, network, prefix]) => ({
  kind,
  list: createBlockList(network, prefix, 'ipv4'),
}))
const ipv6BlockLists = ipv6Ranges.map(([kind, network, prefix]) => ({
  kind,
  list: createBlockList(network, prefix, 'ipv6'),
}))
const embeddedIpv4BlockLists = embeddedIpv4Ranges.map(([network, prefix, group]) => ({
  group,
  list: createBlockList(network, prefix, 'ipv6'),
}))

/** The eight groups of an IPv6 address in canonical form, which contains no dotted IPv4 address. */
const parseIpv6Groups = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return parse(head)
  const [before, after] = [parse(head), parse(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const extractEmbeddedIpv4 = (address: string, group: number): string => {
  const [high = 0, low = 0] = parseIpv6Groups(address).slice(group)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** Parses a host like browsers (WHATWG URL, 3.5): lower case, canonical IP addresses, names in ASCII. `undefined` when invalid. */
export const canonicalizeHost = (host: string): string | undefined => {
  const isBracketed = host.startsWith('[') && host.endsWith(']')
  // Rejects delimiters, which would make the URL parser treat a part of the text as port, path or credentials.
  if (/[/?#@\\\s]/.test(host) || (host.includes(':') && !isBracketed && !isIPv6(host))) return undefined
  const url = `http://${isIPv6(host) ? `[${host}]` : host}/`
  return host !== '' && URL.canParse(url) ? new URL(url).hostname : undefined
}

/**
 * Parses the host of a URL as an IP address in canonical form without brackets: `0x7f.1`, `2130706433` and `①27.0.0.1` all are
 * `127.0.0.1`. `undefined` for names and invalid hosts.
 */
export const parseHostAddress = (host: string): string | undefined => {
  const name = canonicalizeHost(host)?.replace(/^\[|\]$/g, '')
  return name !== undefined && isIP(name) ? name : undefined
}

/**
 * Classifies an IP address in any notation, including one with a zone (`fe80::1%eth0`). An IPv6 address with an embedded IPv4
 * address has the kind of the latter. Other text is `invalid`.
 */
export const classifyIpAddress = (address: string): IpAddressKind => {
  const zone = isIPv6(address) ? address.indexOf('%') : -1
  const plain = parseHostAddress(zone < 0 ? address : address.slice(0, zone))
  if (plain === undefined) return 'invalid'
  if (isIPv4(plain)) return ipv4BlockLists.find(({ list }) => list.check(plain, 'ipv4'))?.kind ?? 'public'
  const special = ipv6BlockLists.find(({ list }) => list.check(plain, 'ipv6'))?.kind
  if (special !== undefined) return special
  const embedding = embeddedIpv4BlockLists.find(({ list }) => list.check(plain, 'ipv6'))
  return embedding === undefined ? 'public' : classifyIpAddress(extractEmbeddedIpv4(plain, embedding.group))
}
