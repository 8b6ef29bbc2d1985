/** Developers, maintainers and administrators: specification 2, "Protected environment". */
export const deployLevels = [30, 40, 60] as const

export type DeployLevel = (typeof deployLevels)[number]

export const deployLevelNames: Readonly<Record<DeployLevel, string>> = {
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrator',
}

/** A grant to deploy to a protected environment: to an access level, a user, or the members of a group. */
export interface DeployAccessLevel {
  /**
   * Who may deploy: 30 developers and above, 40 maintainers and above, 60 administrators only; null for a grant to a user
   * or group.
   */
  accessLevel: DeployLevel | null
  /** Name of the level, user or group; `Group` for a group that the current user cannot see. */
  accessLevelDescription: string
  /** Id of the user who may deploy; null for other grants. */
  userId: number | null
  /** Id of the group whose developers and above may deploy; null for other grants. */
  groupId: number | null
}

/** The decisions on a blocked deployment. */
export const approvalStatuses = ['approved', 'rejected'] as const

export type ApprovalStatus = (typeof approvalStatuses)[number]

/** Approvals that deployments to a protected environment require from an access level, a user, or the members of a group. */
export interface DeploymentApprovalRule extends DeployAccessLevel {
  /** Unique among the approval rules of environments. */
  id: number
  /** How many of these users must approve a deployment. */
  requiredApprovals: number
}

/** The protection of the environment with this name. */
export interface ProtectedEnvironment {
  /** Name of the environment, which need not exist. */
  name: string
  /** The grants to deploy, in the order of their creation; one of them is sufficient. */
  deployAccessLevels: readonly DeployAccessLevel[]
  /** Approvals that a deployment requires from users who can deploy; 0 for none, and if there are approval rules. */
  requiredApprovalCount: number
  /** The approval rules, in the order of their creation; all of them must be met. */
  approvalRules: readonly DeploymentApprovalRule[]
}
