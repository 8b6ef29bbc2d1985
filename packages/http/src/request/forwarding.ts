import { BlockList, isIP } from 'node:net'
import { defined } from '@forgelet/core/operations'
import type { GetHeader } from './credentials.ts'

/** The client of a request behind reverse proxies. */
export interface ClientOrigin {
  /** The IP address. */
  readonly address: string | undefined
  /** Whether a trusted proxy reported the IP address. */
  readonly isTrusted: boolean
  /** The URL that the client requested from the proxy: `https://forge.example`. */
  readonly site?: string
}

/** `::ffff:192.0.2.1` → `192.0.2.1`. */
const unmapIpv4 = (address: string): string =>
  address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address

/** Parses an IP address as proxies write it: with brackets or a port, if any. */
const parseProxyAddress = (text: string): string => {
  const address = text.trim()
  if (address.startsWith('[')) return address.slice(1, address.indexOf(']'))
  const port = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(address)
  return port ? defined(port[1]) : unmapIpv4(address)
}

/**
 * Parses IP addresses and CIDR ranges: `127.0.0.1`, `10.0.0.0/8`, `::1`, and the name `loopback`.
 *
 * @throws RangeError for anything else
 */
export const parseNetworks = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    if (network === 'loopback') {
      list.addSubnet('127.0.0.0', 8, 'ipv4')
      list.addAddress('::1', 'ipv6')
      continue
    }
    const [address = '', prefix] = network.split('/')
    const family = isIP(address)
    const maxBits = family === 4 ? 32 : 128
    const bits = prefix === undefined ? maxBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (family === 0 || !(bits <= maxBits)) throw new RangeError(`'${network}' is not a valid IP address or CIDR range`)
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

const containsAddress = (list: BlockList, address: string) => {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const loopbackNetworks = parseNetworks(['loopback'])

/** Whether an IP address is a loopback address, including IPv4-mapped IPv6 addresses. */
export const isLoopback = (address: string): boolean => containsAddress(loopbackNetworks, address)

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** Whether a proxy forwarded the request, so that the client can be anywhere. */
export const isForwarded = (header: GetHeader): boolean => proxyHeaders.some((name) => header(name) !== undefined)

const hostPattern = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\])(?::\d{1,5})?$/i

const readSite = (header: GetHeader): { readonly site?: string } => {
  // Each proxy appends a value; the first one is what the client requested.
  const [scheme = ''] = (header('x-forwarded-proto') ?? '').split(',', 1)
  const [name = ''] = (header('x-forwarded-host') ?? header('host') ?? '').split(',', 1)
  const protocol = scheme.trim().toLowerCase()
  if ((protocol !== 'http' && protocol !== 'https') || !hostPattern.test(name.trim())) return {}
  return { site: `${protocol}://${name.trim()}` }
}

/**
 * Evaluates `X-Forwarded-For`, `-Proto` and `-Host` of trusted proxies only. Starting from the connection, the first IP
 * address that is not a trusted proxy is the client.
 */
export const resolveOrigin = (
  connection: string | undefined,
  header: GetHeader,
  trusted: BlockList | undefined,
): ClientOrigin => {
  const peer = connection === undefined ? undefined : unmapIpv4(connection)
  if (peer === undefined || !trusted || !containsAddress(trusted, peer)) return { address: peer, isTrusted: false }
  const forwardedFor = header('x-forwarded-for')
  if (forwardedFor === undefined) return { address: peer, isTrusted: false }
  const chain = forwardedFor.split(',').map(parseProxyAddress)
  let address = peer
  for (const next of chain.reverse()) {
    if (isIP(next) === 0) break
    address = next
    if (!containsAddress(trusted, next)) break
  }
  return { address, isTrusted: true, ...readSite(header) }
}
