import { isIP } from 'node:net'
import type { Platform } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import type { IncomingRequest } from '../request/incoming-request.ts'

/** Milliseconds for which it is known whether a host is that of a site. */
const lifetime = 10_000
const maxHosts = 1_000

/** The name in a `Host` header, in lower case, without the port and the dot of the root; undefined for an IP address. */
const parseHost = (host: string): string | undefined => {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
  return name === undefined || name.startsWith('[') || isIP(name) !== 0 || name === '' ? undefined : name
}

/** The host that a client has requested, also through a trusted proxy; undefined for an IP address. */
export const readHost = ({ site, header }: IncomingRequest): string | undefined => {
  const host = site === undefined ? header('host') : URL.parse(site)?.host
  return host === undefined ? undefined : parseHost(host)
}

/** Finds whether a host is that of a site: a verified domain of a project, or below the host of all sites. Its answers are kept shortly. */
export const createHostCheck = (platform: Platform, siteUrl: string): ((host: string) => Promise<boolean>) => {
  const own = URL.parse(siteUrl)?.hostname
  const { pagesSites } = platform.as({ service: 'sign-in' })
  const known = new Map<string, { readonly isSite: boolean; readonly until: number }>()
  return async (host) => {
    const { enabled, host: all } = platform.ports.pages
    if (!enabled || host === own || host === 'localhost') return false
    if (all !== undefined && host.endsWith(`.${all.toLowerCase()}`)) return true
    const now = Date.now()
    const entry = known.get(host)
    if (entry && entry.until > now) return entry.isSite
    const { isServed: isSite } = await pagesSites.getDomain({ host })
    known.delete(host)
    known.set(host, { isSite, until: now + lifetime })
    if (known.size > maxHosts) known.delete(defined(known.keys().next().value))
    return isSite
  }
}
