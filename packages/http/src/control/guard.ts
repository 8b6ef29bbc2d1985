import type { Ask } from '../app.ts'
import { bearerOf, isSecret } from '../credentials.ts'
import { isForwarded, isLoopback } from '../forwarding.ts'
import type { Reply } from '../reply.ts'

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
  return name === 'localhost' || isLoopback(name)
}

const refused = (status: number, message: string): Reply => ({ status, body: { message } })

// An event stream of a browser cannot send headers.
const tokenOf = ({ header, method, target }: Ask) =>
  bearerOf(header) ?? header('x-forgelet-control-token') ?? (method === 'GET' ? asked(target) : undefined)

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
    if (shown !== undefined && isSecret(shown, token)) return undefined
    return refused(401, '401 Unauthorized: the control plane wants its token')
  }
  // A call without an address came from inside this process.
  const { address, header } = ask
  if (address === undefined) return undefined
  const host = header('host') ?? ''
  if (!isLoopback(address) || isForwarded(header)) {
    return refused(403, '403 Forbidden: the control plane is for this machine only, unless it is given a token')
  }
  const origin = header('origin')
  if (!isOwnName(host) || (origin !== undefined && origin !== `http://${host}`)) {
    return refused(403, '403 Forbidden: the control plane is not for pages of other sites')
  }
  return undefined
}
