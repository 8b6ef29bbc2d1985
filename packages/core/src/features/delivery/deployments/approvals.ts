import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { countPendingApprovals, findApprovalRequirement, selectApprovals } from '../protected-environments/approvals.ts'
import { toDeployAccessLevels } from '../protected-environments/deploy-access.ts'
import type { DeploymentWithApprovals } from './deployment-approval.ts'
import type { DeploymentDetails } from './deployment-details.ts'

/** Adds the decisions on a deployment, and what it still requires. */
export const addApprovals = async (
  ctx: Context,
  projectId: number,
  deployment: DeploymentDetails,
): Promise<DeploymentWithApprovals> => {
  const requirement = await findApprovalRequirement(ctx, projectId, deployment.environment.name)
  const rows = await selectApprovals(ctx, deployment.id).execute()
  const users = await userSummaries(
    ctx,
    rows.map(({ userId }) => userId),
  )
  const decisions = rows.map(({ userId, ruleId, status, createdAt, comment }) => ({
    ruleId,
    approval: { user: defined(users.get(userId)), status, createdAt, comment },
  }))
  const rules = await toDeployAccessLevels(ctx, requirement?.rules ?? [])
  return {
    ...deployment,
    pendingApprovalCount: requirement && deployment.status === 'blocked' ? countPendingApprovals(requirement, rows) : 0,
    approvals: decisions.map(({ approval }) => approval),
    approvalSummary: {
      rules: rules.map(({ id, ...rule }) => ({
        ...rule,
        deploymentApprovals: decisions.flatMap(({ ruleId, approval }) => (ruleId === id ? [approval] : [])),
      })),
    },
  }
}
