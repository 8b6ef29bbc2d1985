/** Developers, maintainers and administrators: specification 2, "Protected environment". */
export const deployLevels = [30, 40, 60] as const

export type DeployLevel = (typeof deployLevels)[number]

/** Level 60 has no description. */
export const deployLevelNames: Readonly<Record<DeployLevel, string | null>> = {
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: null,
}

/** A grant to deploy to a protected environment: to an access level, a user, or the members of a group. */
export interface DeployAccessLevel {
  accessLevel: DeployLevel | null
  /** The name of the level, user or group; null for a group that the caller cannot see. */
  accessLevelDescription: string | null
  userId: number | null
  groupId: number | null
}

/** The protection of the environment with this name. */
export interface ProtectedEnvironment {
  name: string
  deployAccessLevels: readonly DeployAccessLevel[]
}
