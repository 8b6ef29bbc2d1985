import { lookup, Resolver } from 'node:dns/promises'

/** The name service of the network. */
export interface Names {
  /** Every address that a host name has, IPv4 and IPv6; none for a name that does not exist. */
  addresses(host: string): Promise<readonly string[]>
  /** The text records of exactly this name, the parts of each joined (RFC 1035, section 3.3.14); none where there are none. */
  textRecords(name: string): Promise<readonly string[]>
}

/** What is answered when a name, or such a record of it, is known not to exist. */
const nothing = new Set(['ENOTFOUND', 'ENODATA'])

const orNone = async <T>(answer: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await answer
  } catch (error) {
    if (nothing.has((error as { code?: string }).code ?? '')) return []
    throw error
  }
}

/** Milliseconds for one try of a server. */
const patience = { timeout: 5_000, tries: 2 }

/**
 * Asks the resolver of the system for addresses, so that its table of hosts counts as well, and name servers for text records:
 * `192.0.2.1`, `192.0.2.1:5353`; those of the system when none are given. Both reject when no answer can be had.
 */
export const systemNames = (servers?: readonly string[]): Names => ({
  addresses: async (host) => (await orNone(lookup(host, { all: true }))).map(({ address }) => address),
  async textRecords(name) {
    // A new one each time: the system may have got other name servers.
    const resolver = new Resolver(patience)
    if (servers) resolver.setServers(servers)
    return (await orNone(resolver.resolveTxt(name))).map((parts) => parts.join(''))
  },
})
