import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList } from 'node:net'
import type { Ask } from '../app.ts'
import type { Reply } from '../reply.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

const isLoopback = (address: string) => loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')

/** The name of `localhost:8080`, `127.0.0.1` or `[::1]:8080`. */
const nameOf = (host: string) => {
  try {
    return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
  } catch {
    return ''
  }
}

const isOwnName = (host: string) => {
  const name = nameOf(host)
  return name === 'localhost' || (name !== '' && /^[\d.:a-f]+$/i.test(name) && isLoopback(name))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const refused = (status: number, message: string): Reply => ({ status, body: { message } })

const tokenOf = ({ header, method, target }: Ask) => {
  const [scheme, token] = (header('authorization') ?? '').split(' ', 2)
  if (scheme?.toLowerCase() === 'bearer') return token
  // An event stream of a browser cannot send headers.
  return header('x-forgelet-control-token') ?? (method === 'GET' ? asked(target) : undefined)
}

const asked = (target: string) => {
  const at = target.indexOf('?')
  return at < 0 ? undefined : (new URLSearchParams(target.slice(at)).get('control_token') ?? undefined)
}

/**
 * Who may use the control plane: with a token whoever shows it, else this machine only. Pages of other sites in a browser of
 * this machine are turned away, by the name that they ask for and by their origin, and so is whatever a proxy hands on.
 *
 * @returns what is said to others; undefined when the door is open
 */
export const turnedAway = (ask: Ask, token: string | undefined): Reply | undefined => {
  if (token !== undefined) {
    const shown = tokenOf(ask)
    if (shown !== undefined && timingSafeEqual(digest(shown), digest(token))) return undefined
    return refused(401, '401 Unauthorized: the control plane wants its token')
  }
  // A call without an address came from inside this process.
  const { address, header } = ask
  if (address === undefined) return undefined
  const host = header('host') ?? ''
  if (!isLoopback(address) || header('forwarded') !== undefined || header('x-forwarded-for') !== undefined) {
    return refused(403, '403 Forbidden: the control plane is for this machine only, unless it is given a token')
  }
  const origin = header('origin')
  if (!isOwnName(host) || (origin !== undefined && origin !== `http://${host}`)) {
    return refused(403, '403 Forbidden: the control plane is not for pages of other sites')
  }
  return undefined
}
