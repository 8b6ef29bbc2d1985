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

/** What the instance is licensed for. */
export interface InstanceLicense {
  /** `ultimate` if operations of the paid tier are available, otherwise `free`. */
  plan: 'free' | 'ultimate'
  /** Always null: the license does not expire. */
  expiresAt: null
  /** Always false: the license does not expire. */
  expired: false
  /** Always null: the number of users is not limited. */
  userLimit: null
  /** Users who can sign in. */
  activeUsers: number
}

export const instanceOperations = {
  /** Gets the plan of the instance, with the number of users. */
  getLicense: query({
    on: instance,
    can: 'statistics.read',
    async run({ db, tier }): Promise<InstanceLicense> {
      const users = db.selectFrom('user').where('state', '=', 'active')
      const { count } = await users.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      const plan = tier === 'paid' ? 'ultimate' : 'free'
      return { plan, expiresAt: null, expired: false, userLimit: null, activeUsers: Number(count) }
    },
  }),

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
