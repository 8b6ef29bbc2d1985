import { lookup, Resolver } from 'node:dns/promises'
import { abortable } from '../shared/abortable.ts'
import { getErrorCode } from '../shared/error-code.ts'
import type { Abortable } from './git.ts'

/** Looks up names in the domain name system. */
export interface DnsResolver {
  /** All IPv4 and IPv6 addresses of a host name; empty when the name does not exist. */
  addresses(host: string, options?: Abortable): Promise<readonly string[]>
  /** The TXT records of a name, the strings of each record joined (RFC 1035, section 3.3.14); empty when there are none. */
  textRecords(name: string, options?: Abortable): Promise<readonly string[]>
}

/** Error codes for names and records that do not exist. */
const notFoundCodes = new Set(['ENOTFOUND', 'ENODATA'])

const emptyIfNotFound = async <T>(lookedUp: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await lookedUp
  } catch (error) {
    if (notFoundCodes.has(getErrorCode(error))) return []
    throw error
  }
}

/** `timeout` in milliseconds for each try. */
const resolverOptions = { timeout: 5_000, tries: 2 }

/**
 * Resolves addresses with the system resolver, which includes its hosts file, and TXT records with `servers`, such as
 * `192.0.2.1` or `192.0.2.1:5353`. Default: the name servers of the system. Both methods reject when no server responds.
 */
export const systemDnsResolver = (servers?: readonly string[]): DnsResolver => ({
  addresses: async (host, { signal } = {}) => {
    // The lookup of the system cannot be stopped; its result is ignored after an abort.
    const found = await abortable(emptyIfNotFound(lookup(host, { all: true })), signal)
    return found.map(({ address }) => address)
  },
  async textRecords(name, { signal } = {}) {
    // A new resolver for each call reads the current name servers of the system.
    const resolver = new Resolver(resolverOptions)
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const records = await abortable(emptyIfNotFound(resolver.resolveTxt(name)), signal)
      return records.map((parts) => parts.join(''))
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  },
})
