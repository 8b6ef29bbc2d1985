/** Kinds of strategies, with the names that Unleash clients know; `gitlabUserList` reaches them as `userWithId`. */
export const strategyNames = [
  'default',
  'gradualRolloutUserId',
  'flexibleRollout',
  'userWithId',
  'gitlabUserList',
] as const

export type StrategyName = (typeof strategyNames)[number]

/** Environments in which a strategy applies. */
export interface FeatureFlagScope {
  /** Unique among scopes. */
  id: number
  /** Name of an environment; `*` matches any text. */
  environmentScope: string
}

/** The list of users of a strategy. */
export interface StrategyUserList {
  /** Unique among user lists. */
  id: number
  /** Number of the list in its project. */
  iid: number
  /** Unique in the project. */
  name: string
  /** Ids of users, separated by commas. */
  userXids: string
}

/** Who has a feature, in some environments. One strategy that applies is sufficient. */
export interface FeatureFlagStrategy {
  /** Unique among strategies. */
  id: number
  /** Kind of strategy. */
  name: StrategyName
  /** Values by name, as the kind of strategy requires. */
  parameters: Readonly<Record<string, string>>
  /** The users of `gitlabUserList`; null for other strategies. */
  userList: StrategyUserList | null
  /** Environments in which it applies; none without a scope. */
  scopes: readonly FeatureFlagScope[]
}

/** Turns a feature of an application on and off. */
export interface FeatureFlag {
  /** Unique among feature flags. */
  id: number
  /** Unique in the project. */
  name: string
  /** Text for people; null for none. */
  description: string | null
  /** Whether the strategies apply. An inactive flag is off for everyone. */
  active: boolean
  /** When the flag was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the flag was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** Who has the feature. */
  strategies: readonly FeatureFlagStrategy[]
}

/** A strategy in the notation of Unleash. */
export interface ClientStrategy {
  /** Name that Unleash clients know. */
  name: Exclude<StrategyName, 'gitlabUserList'>
  /** Values by name. */
  parameters: Readonly<Record<string, string>>
}

/** A feature flag in the notation of Unleash. */
export interface ClientFeature {
  /** Name of the flag. */
  name: string
  /** Text for people; empty for none. */
  description: string
  /** Whether the strategies apply. */
  enabled: boolean
  /** The strategies that apply in the environment of the client. */
  strategies: readonly ClientStrategy[]
}

/** The feature flags for one environment. */
export interface ClientFeatures {
  /** Version of the notation. */
  version: 1
  /** The flags with a strategy for the environment, oldest first. */
  features: readonly ClientFeature[]
}

/** The token with which applications read feature flags. */
export interface FeatureFlagsClient {
  /** The instance id in the configuration of an Unleash client. Only a digest is stored. */
  token: string
}
