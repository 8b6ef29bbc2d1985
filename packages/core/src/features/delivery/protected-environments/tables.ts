import type { Generated } from 'kysely'
import type { ApprovalStatus, DeployLevel } from './protected-environment.ts'

export interface ProtectedEnvironmentTables {
  /** The protection of the environment with this name, which need not exist yet. */
  protectedEnvironment: {
    id: Generated<number>
    projectId: number
    name: string
    /** Approvals that a deployment requires without approval rules; 0 for none. */
    requiredApprovalCount: number
    createdAt: string
    updatedAt: string
  }
  /** A grant to deploy, to exactly one of an access level, a user and a group. */
  deployAccessLevel: {
    id: Generated<number>
    protectedEnvironmentId: number
    accessLevel: DeployLevel | null
    userId: number | null
    groupId: number | null
  }
  /** Approvals that deployments require, from exactly one of an access level, a user and a group. */
  deploymentApprovalRule: {
    id: Generated<number>
    protectedEnvironmentId: number
    accessLevel: DeployLevel | null
    userId: number | null
    groupId: number | null
    requiredApprovals: number
  }
  /** The decision of a user on a blocked deployment. */
  deploymentApproval: {
    id: Generated<number>
    deploymentId: number
    userId: number
    /** The rule that it counts for; null without rules, and after the removal of the rule. */
    ruleId: number | null
    status: ApprovalStatus
    comment: string | null
    createdAt: string
  }
}
