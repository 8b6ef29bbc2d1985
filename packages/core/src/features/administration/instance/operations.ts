import { instance } from '../../../access/subjects.ts'
import { query } from '../../../kernel/operation.ts'

/** Clients read the version first, to choose compatible API calls. */
export interface Version {
  /** Release of the original service that the API corresponds to, such as `15.11.0`. */
  version: string
  /** Name of the implementation: `forgelet`. */
  revision: string
  /** Whether operations of the paid tier are available. */
  enterprise: boolean
}

export const instanceOperations = {
  /** Gets the version of the API, and whether the paid tier is available. */
  getVersion: query({
    on: instance,
    can: 'version.read',
    scopes: ['read_user'],
    run: async ({ tier, apiVersion }): Promise<Version> => ({
      version: apiVersion,
      revision: 'forgelet',
      enterprise: tier === 'paid',
    }),
  }),
}
