/** Developers, maintainers and administrators: specification 2, "Protected environment". */
export const deployLevels = [30, 40, 60] as const

export type DeployLevel = (typeof deployLevels)[number]

/** Everybody who can have `30` can push, everybody above can, too; administrators need no words. */
export const deployLevelNames: Readonly<Record<DeployLevel, string | null>> = {
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: null,
}

/** Who may deploy to a protected environment: everybody of a level, one user, or the members of a group. */
export interface DeployAccessLevel {
  accessLevel: DeployLevel | null
  /** The level in words, or the name of the user or group. */
  accessLevelDescription: string | null
  userId: number | null
  groupId: number | null
}

/** An environment that only some may deploy to, by name. */
export interface ProtectedEnvironment {
  name: string
  deployAccessLevels: readonly DeployAccessLevel[]
}
