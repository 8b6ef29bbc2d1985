import { isIP } from 'node:net'
import { isLoopback } from './forwarding.ts'

/** The host name of a `Host` header, without port and brackets, in lower case; empty if invalid. */
const parseHostname = (host: string): string => URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''

/** Whether a `Host` header names this machine. */
export const isLocalHost = (host: string): boolean => {
  const name = parseHostname(host)
  return name === 'localhost' || isLoopback(name)
}

/**
 * Whether a `Host` header can be a name of this server: the host of its base URL, an IP address, or a name without a dot, such
 * as `localhost` or the name of a container. A page of another site has a domain name, and keeps it when its name server
 * resolves it to an address of this server (DNS rebinding).
 *
 * @param host omitted in requests without a connection and in HTTP/1.0, which browsers do not send
 */
export const isOwnHost = (host: string | undefined, baseUrl: string): boolean => {
  if (host === undefined) return true
  const name = parseHostname(host)
  return name !== '' && (!name.includes('.') || isIP(name) !== 0 || name === URL.parse(baseUrl)?.hostname)
}
