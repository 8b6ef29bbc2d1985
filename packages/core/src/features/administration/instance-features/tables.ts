import type { Generated } from 'kysely'

export interface InstanceFeatureTables {
  /** A feature flag of the instance. */
  instanceFeature: {
    id: Generated<number>
    name: string
    enabled: boolean
    /** Null if the percentage was not set. */
    percentageOfActors: number | null
    percentageOfTime: number | null
    /** `User:1`, `Group:2`, `Project:3`. */
    actors: readonly string[]
    /** Names of groups of actors, which clients define. */
    featureGroups: readonly string[]
    createdAt: string
  }
}
