/** Servers that listen on IPv6 and IPv4 receive the addresses of IPv4 clients in this form (RFC 4291, section 2.5.5.2). */
const ipv4Mapped = /^::ffff:(?<ipv4>\d+\.\d+\.\d+\.\d+)$/i

/**
 * The network of a client's IP address, for counts per client: an IPv4 address itself, and the first 64 bits of an IPv6
 * address, because one client usually has all addresses of such a network.
 */
export const getClientNetwork = (address: string): string => {
  if (!address.includes(':')) return address
  const ipv4 = ipv4Mapped.exec(address)?.groups?.ipv4
  if (ipv4 !== undefined) return ipv4
  const [plain = ''] = address.split('%', 1)
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const isComplete = tail === undefined
  const prefix = [...groups, ...(isComplete ? [] : ['0', '0', '0', '0'])].slice(0, 4)
  return `${prefix.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase()).join(':')}::/64`
}
