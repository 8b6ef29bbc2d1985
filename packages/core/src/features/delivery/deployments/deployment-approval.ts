import type { UserSummary } from '../../accounts/users/user.ts'
import type { ApprovalStatus, DeploymentApprovalRule } from '../protected-environments/protected-environment.ts'
import type { DeploymentDetails } from './deployment-details.ts'

/** The decision of a user on a blocked deployment. */
export interface DeploymentApproval {
  /** The user who decided. */
  user: UserSummary
  /** `approved` or `rejected`. */
  status: ApprovalStatus
  /** Time of the decision; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Reason of the decision; null without one. */
  comment: string | null
}

/** An approval rule with the decisions that count for it. */
export interface DeploymentApprovalRuleState extends Omit<DeploymentApprovalRule, 'id'> {
  /** The decisions for this rule, oldest first. */
  deploymentApprovals: readonly DeploymentApproval[]
}

/** The approval rules of the environment of a deployment. */
export interface DeploymentApprovalSummary {
  /** The rules with their decisions; empty without approval rules. */
  rules: readonly DeploymentApprovalRuleState[]
}

/** A deployment with its approvals. */
export interface DeploymentWithApprovals extends DeploymentDetails {
  /** How many approvals a blocked deployment waits for; 0 for others. */
  pendingApprovalCount: number
  /** All decisions, oldest first. */
  approvals: readonly DeploymentApproval[]
  /** The decisions by approval rule. */
  approvalSummary: DeploymentApprovalSummary
}
