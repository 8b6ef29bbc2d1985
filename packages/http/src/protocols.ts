import { mainProtocol, type Protocol } from './protocol.ts'
import { scimProtocol } from './scim-protocol.ts'

/** Which protocol an address is served in, whether or not anything is there. */
export const protocolAt = (path: string): Protocol => (path.startsWith('/api/scim/') ? scimProtocol : mainProtocol)
