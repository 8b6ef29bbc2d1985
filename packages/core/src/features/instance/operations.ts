import { instance } from '../../access/subjects.ts'
import { query } from '../../kernel/operation.ts'

/** Clients read the version first, to choose compatible API calls. */
export interface Version {
  /** The release of the original service that the API corresponds to. */
  version: string
  /** Name of the implementation. */
  revision: string
  /** Whether paid operations are available. */
  enterprise: boolean
}

const apiVersion = '13.0.0'

export const instanceOperations = {
  /** Gets the version of the API. */
  version: query({
    on: instance,
    can: 'version.read',
    scopes: ['read_user'],
    run: async ({ tier }): Promise<Version> => ({
      version: apiVersion,
      revision: 'forgelet',
      enterprise: tier === 'paid',
    }),
  }),
}
