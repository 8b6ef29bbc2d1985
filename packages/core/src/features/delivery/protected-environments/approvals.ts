import type { Context } from '../../../kernel/context.ts'
import type { ApprovalStatus, DeployLevel } from './protected-environment.ts'

/** An approval rule as the database stores it. */
export interface ApprovalRuleRow {
  readonly id: number
  readonly accessLevel: DeployLevel | null
  readonly userId: number | null
  readonly groupId: number | null
  readonly requiredApprovals: number
}

/** What deployments to an environment require before their jobs can run. */
export interface ApprovalRequirement {
  readonly requiredApprovalCount: number
  readonly rules: readonly ApprovalRuleRow[]
}

/** Approval rules of the protected environments with these ids, in the order of their creation. */
export const selectApprovalRules = ({ db }: Context, ids: readonly number[]) =>
  db
    .selectFrom('deploymentApprovalRule')
    .where('protectedEnvironmentId', 'in', ids)
    .orderBy('id')
    .select(['id', 'protectedEnvironmentId', 'accessLevel', 'userId', 'groupId', 'requiredApprovals'])

/** The approvals that deployments to an environment require; undefined for none. The free tier has none. */
export const findApprovalRequirement = async (
  ctx: Context,
  projectId: number,
  environmentName: string,
): Promise<ApprovalRequirement | undefined> => {
  if (ctx.tier === 'free') return undefined
  const protection = await ctx.db
    .selectFrom('protectedEnvironment')
    .where('projectId', '=', projectId)
    .where('name', '=', environmentName)
    .select(['id', 'requiredApprovalCount'])
    .executeTakeFirst()
  if (protection === undefined) return undefined
  const { id, requiredApprovalCount } = protection
  const rules = await selectApprovalRules(ctx, [id]).execute()
  return rules.length || requiredApprovalCount ? { requiredApprovalCount, rules } : undefined
}

interface Decision {
  readonly status: ApprovalStatus
  readonly ruleId: number | null
}

/** How many approvals are still missing. */
export const countPendingApprovals = (
  { requiredApprovalCount, rules }: ApprovalRequirement,
  decisions: readonly Decision[],
): number => {
  const approved = decisions.filter(({ status }) => status === 'approved')
  if (!rules.length) return Math.max(0, requiredApprovalCount - approved.length)
  const pending = rules.map(({ id, requiredApprovals }) =>
    Math.max(0, requiredApprovals - approved.filter(({ ruleId }) => ruleId === id).length),
  )
  return pending.reduce((sum, count) => sum + count, 0)
}

/** The decisions on a deployment, oldest first. */
export const selectApprovals = ({ db }: Context, deploymentId: number) =>
  db
    .selectFrom('deploymentApproval')
    .where('deploymentId', '=', deploymentId)
    .orderBy('id')
    .select(['id', 'userId', 'ruleId', 'status', 'comment', 'createdAt'])

/** Whether the deployment of a job waits for approvals. */
export const isWaitingForApproval = async (
  ctx: Context,
  projectId: number,
  { id, environment }: { readonly id: number; readonly environment: string | null },
): Promise<boolean> => {
  const requirement = environment === null ? undefined : await findApprovalRequirement(ctx, projectId, environment)
  if (requirement === undefined) return false
  const deployment = await ctx.db.selectFrom('deployment').where('jobId', '=', id).select('id').executeTakeFirst()
  if (deployment === undefined) return false
  return countPendingApprovals(requirement, await selectApprovals(ctx, deployment.id).execute()) > 0
}
