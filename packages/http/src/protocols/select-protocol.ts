import { mainProtocol } from './main-protocol.ts'
import type { Protocol } from './protocol.ts'
import { scimProtocol } from './scim-protocol.ts'

/** The protocol of a path, even if no route exists there. */
export const getProtocol = (path: string): Protocol => (path.startsWith('/api/scim/') ? scimProtocol : mainProtocol)
