import { instance } from '../../access/subjects.ts'
import { query } from '../../kernel/operation.ts'

/** What clients ask before they ask for anything else. */
export interface Version {
  /** The release of the service whose API is spoken: clients choose by it what they may ask for. */
  version: string
  /** What speaks it. */
  revision: string
  /** Whether licensed operations are open. */
  enterprise: boolean
}

const spoken = '13.0.0'

export const instanceOperations = {
  /** Which API is spoken here. */
  version: query({
    on: instance,
    can: 'version.read',
    scopes: ['read_user'],
    run: async ({ tier }): Promise<Version> => ({
      version: spoken,
      revision: 'forgelet',
      enterprise: tier === 'paid',
    }),
  }),
}
