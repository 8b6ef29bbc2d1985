import type { Generated } from 'kysely'
import type { StrategyName } from './feature-flag.ts'

export interface FeatureFlagTables {
  featureFlag: {
    id: Generated<number>
    projectId: number
    /** Unique in the project. */
    name: string
    description: string | null
    active: boolean
    createdAt: string
    updatedAt: string
  }
  featureFlagStrategy: {
    id: Generated<number>
    featureFlagId: number
    name: StrategyName
    parameters: Readonly<Record<string, string>>
    /** The users of `gitlabUserList`; null for other strategies. */
    userListId: number | null
  }
  /** Environments in which a strategy applies. */
  featureFlagScope: {
    id: Generated<number>
    strategyId: number
    environmentScope: string
  }
  featureFlagUserList: {
    id: Generated<number>
    projectId: number
    /** Number in the project. */
    iid: number
    /** Unique in the project. */
    name: string
    /** Ids of users, separated by commas. */
    userXids: string
    createdAt: string
    updatedAt: string
  }
  /** The token with which applications read the feature flags of a project; at most one per project. */
  featureFlagsClient: {
    projectId: number
    /** SHA-256 of the token, in hexadecimal. */
    digest: string
  }
}
