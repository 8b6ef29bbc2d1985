import { lookup, Resolver } from 'node:dns/promises'

/** Looks up names in the domain name system. */
export interface DnsResolver {
  /** All IPv4 and IPv6 addresses of a host name; empty when the name does not exist. */
  addresses(host: string): Promise<readonly string[]>
  /** The TXT records of a name, the strings of each record joined (RFC 1035, section 3.3.14); empty when there are none. */
  textRecords(name: string): Promise<readonly string[]>
}

/** Error codes for names and records that do not exist. */
const notFoundCodes = new Set(['ENOTFOUND', 'ENODATA'])

const emptyIfNotFound = async <T>(lookedUp: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await lookedUp
  } catch (error) {
    if (notFoundCodes.has((error as { code?: string }).code ?? '')) return []
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
  addresses: async (host) => (await emptyIfNotFound(lookup(host, { all: true }))).map(({ address }) => address),
  async textRecords(name) {
    // A new resolver for each call reads the current name servers of the system.
    const resolver = new Resolver(resolverOptions)
    if (servers) resolver.setServers(servers)
    return (await emptyIfNotFound(resolver.resolveTxt(name))).map((parts) => parts.join(''))
  },
})
