import * as v from 'valibot'
import { findPastActor } from '../../../access/authenticate.ts'
import { project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { findEnvironment, selectDeployments } from '../environments/queries.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import {
  type ApprovalRequirement,
  countPendingApprovals,
  findApprovalRequirement,
  selectApprovals,
} from '../protected-environments/approvals.ts'
import { canDeploy, filterGrants, toDeployAccessLevels } from '../protected-environments/deploy-access.ts'
import { approvalStatuses } from '../protected-environments/protected-environment.ts'
import type { DeploymentApproval } from './deployment-approval.ts'
import { announceDeployment, toStatus } from './mutations.ts'

const noPermission =
  "You don't have permission to approve this deployment. Contact the project or group owner for help."

const unknownRule =
  'There are no approval rules for the given `represent_as` parameter. Use a valid User/Group/Role name instead.'

interface Reviewer {
  readonly userId: number
  readonly representedAs: string | undefined
}

/**
 * The rule for which a user decides: the first one that covers the user, or the one with a name; null without approval rules.
 *
 * @throws PlatformError `invalid` if the user may not decide
 */
const findRule = async (
  ctx: Context,
  project: Project,
  environment: string,
  { rules }: ApprovalRequirement,
  { userId, representedAs }: Reviewer,
): Promise<number | null> => {
  if (!rules.length) {
    if (!(await canDeploy(ctx, project, environment, userId))) throw invalid(noPermission)
    if (representedAs !== undefined) throw invalid(unknownRule)
    return null
  }
  const covering = await filterGrants(ctx, project, rules, userId)
  if (covering === undefined) throw invalid(noPermission)
  const named = (await toDeployAccessLevels(ctx, covering)).find(
    ({ accessLevelDescription }) => representedAs === undefined || accessLevelDescription === representedAs,
  )
  if (named === undefined) throw invalid(unknownRule)
  return named.id
}

/** By default, users do not approve their own deployments; administrators do. */
const mayApproveOwn = async (ctx: Context, project: Project, userId: number) => {
  const user = await findPastActor(ctx, userId, 'access')
  if (user.kind === 'user' && user.admin) return true
  return (await readProjectSettings(ctx, project.id)).allowPipelineTriggerApproveDeployment
}

/** A rejected deployment fails with its job. */
const failJob = async (ctx: Context, projectId: number, jobId: number) => {
  const { pipelineId } = await selectJobs(ctx, projectId).where('id', '=', jobId).executeTakeFirstOrThrow()
  const fail = changeJob(jobId, (job) =>
    withStatus({ ...job, failureReason: 'deployment_rejected' }, 'failed', ctx.now),
  )
  await settleJobs(ctx, await findPipeline(ctx, projectId, pipelineId), fail)
}

/** Decisions on deployments to protected environments. */
export const deploymentApprovals = {
  /**
   * Approves or rejects a deployment that is blocked until it is approved. A new decision replaces the earlier one of the user. After
   * the last required approval, the job can be started with `pipelineJobs.play`; after a rejection, it fails.
   *
   * @throws PlatformError `invalid` with the reason if the deployment does not wait for approvals, or the user may not approve it: only
   * users whom an approval rule names may, or those who may deploy if there is no rule, and nobody their own deployment without the
   * project setting `allowPipelineTriggerApproveDeployment`, except administrators
   */
  setApproval: command({
    on: project,
    can: 'deployment.approve',
    tier: 'paid',
    serializes: 'project',
    input: {
      /** Id, not iid, of the deployment. */
      deployment: Id,
      /** `approved` or `rejected`. */
      status: v.picklist(approvalStatuses),
      /** Reason of the decision, at most 255 characters. Default: none. */
      comment: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(255))), null),
      /** Name of the user, group or role of the approval rule for which the decision counts. Default: the first possible one. */
      representedAs: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Id or username of the user who decides; only the host sets it. Default: the current user. */
      user: v.optional(IdOrName),
    },
    async run(ctx, { deployment: id, status, comment, representedAs, user }, { project }): Promise<DeploymentApproval> {
      const row = await selectDeployments(ctx, project.id).where('id', '=', id).executeTakeFirst()
      if (row === undefined) throw notFound()
      const { name } = await findEnvironment(ctx, project.id, row.environmentId)
      const requirement = await findApprovalRequirement(ctx, project.id, name)
      if (requirement === undefined || row.status !== 'blocked' || row.jobId === null)
        throw invalid('This deployment is not waiting for approvals.')
      const userId = await resolveAuthorId(ctx, user)
      const ruleId = await findRule(ctx, project, name, requirement, { userId, representedAs })
      if (status === 'approved' && row.userId === userId && !(await mayApproveOwn(ctx, project, userId)))
        throw invalid('You cannot approve your own deployment.')
      const values = { ruleId, status, comment, createdAt: ctx.now }
      await ctx.db
        .insertInto('deploymentApproval')
        .values({ deploymentId: id, userId, ...values } satisfies CompleteRow<'deploymentApproval'>)
        .onConflict((on) => on.columns(['deploymentId', 'userId']).doUpdateSet(values))
        .execute()
      if (status === 'rejected') await failJob(ctx, project.id, row.jobId)
      else if (countPendingApprovals(requirement, await selectApprovals(ctx, id).execute()) === 0) {
        await updateChanged(ctx, 'deployment', id, toStatus(ctx, 'created'))
        await announceDeployment(ctx, project, id)
      }
      return { user: defined((await userSummaries(ctx, [userId])).get(userId)), status, createdAt: ctx.now, comment }
    },
  }),
}
