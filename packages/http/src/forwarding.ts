import { BlockList, isIP } from 'node:net'
import type { Header } from './credentials.ts'

/** Who a request comes from, with the proxies in between taken out. */
export interface Origin {
  readonly address: string | undefined
  /** Whether a trusted proxy said so, or no proxy can have been in between. */
  readonly vouched: boolean
  /** `https://forge.example`, as the proxy was asked. */
  readonly site?: string
}

/** `::ffff:192.0.2.1` is `192.0.2.1`. */
const unmapped = (address: string): string =>
  address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address

/** An address as a proxy writes it, which may be with a port. */
const plainAddress = (text: string): string => {
  const address = text.trim()
  if (address.startsWith('[')) return address.slice(1, address.indexOf(']'))
  const port = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(address)
  return port ? (port[1] as string) : unmapped(address)
}

/**
 * Networks by their addresses: `127.0.0.1`, `10.0.0.0/8`, `::1`, and the word `loopback`.
 *
 * @throws RangeError when one of them is no address and no network
 */
export const networks = (given: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of given) {
    if (network === 'loopback') {
      list.addSubnet('127.0.0.0', 8, 'ipv4')
      list.addAddress('::1', 'ipv6')
      continue
    }
    const [address = '', prefix] = network.split('/')
    const family = isIP(address)
    const longest = family === 4 ? 32 : 128
    const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (family === 0 || !(bits <= longest)) throw new RangeError(`'${network}' is no address and no network`)
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

const holds = (list: BlockList, address: string) => {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const loopback = networks(['loopback'])

/** Whether an address is this machine's own, also where IPv6 writes one of IPv4. */
export const isLoopback = (address: string): boolean => holds(loopback, address)

const traces = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** Whether a proxy has handed the request on: whoever asked it may be anywhere. */
export const isForwarded = (header: Header): boolean => traces.some((name) => header(name) !== undefined)

const host = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\])(?::\d{1,5})?$/i

const siteOf = (header: Header): { readonly site?: string } => {
  // Of several proxies each adds its own: the first is what the client asked.
  const [scheme = ''] = (header('x-forwarded-proto') ?? '').split(',', 1)
  const [name = ''] = (header('x-forwarded-host') ?? header('host') ?? '').split(',', 1)
  const protocol = scheme.trim().toLowerCase()
  if ((protocol !== 'http' && protocol !== 'https') || !host.test(name.trim())) return {}
  return { site: `${protocol}://${name.trim()}` }
}

/**
 * Believes `X-Forwarded-For`, `-Proto` and `-Host` of trusted proxies and of nobody else: from the connection on back, the
 * first address that is no trusted proxy is the client.
 */
export const originOf = (connection: string | undefined, header: Header, trusted: BlockList | undefined): Origin => {
  const peer = connection === undefined ? undefined : unmapped(connection)
  if (peer === undefined || !trusted || !holds(trusted, peer)) return { address: peer, vouched: false }
  const told = header('x-forwarded-for')
  if (told === undefined) return { address: peer, vouched: false }
  const chain = told.split(',').map(plainAddress)
  let address = peer
  for (const next of chain.reverse()) {
    if (isIP(next) === 0) break
    address = next
    if (!holds(trusted, next)) break
  }
  return { address, vouched: true, ...siteOf(header) }
}
