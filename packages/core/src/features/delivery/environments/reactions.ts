import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import type { PipelineJob } from '../../code/pipeline-records/job.ts'
import { findNameProblems, getEnvironmentAction } from '../../code/pipeline-records/job-environment.ts'
import type { PipelineStatus } from '../../code/pipeline-records/status.ts'
import type { MergeRequest } from '../../collaboration/merge-requests/merge-request.ts'
import type { DeploymentStatus } from '../deployments/deployment.ts'
import { announceDeployment, insertDeployment, toStatus } from '../deployments/mutations.ts'
import { isExternalUrl } from './environment.ts'
import { insertEnvironment } from './mutations.ts'
import { type EnvironmentRow, selectEnvironments } from './queries.ts'
import { enqueueAutoStop, setState } from './stop.ts'

/** The environment of a job; a missing one is created. */
const resolveEnvironment = async (ctx: Context, job: PipelineJob, name: string): Promise<EnvironmentRow> => {
  const existing = await selectEnvironments(ctx, job.projectId).where('name', '=', name).executeTakeFirst()
  return existing ?? insertEnvironment(ctx, job.projectId, { name, tier: job.environmentOptions?.deploymentTier })
}

const statuses: Partial<Record<PipelineStatus, DeploymentStatus>> = {
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
  manual: 'blocked',
}

/** Longest time until an environment is stopped, in seconds: 100 years. */
const maxAutoStop = 100 * 366 * 86_400

/** When the environment is stopped after a deployment; undefined leaves it unchanged. */
const getAutoStopTime = ({ environmentOptions }: PipelineJob, now: string): string | null | undefined => {
  const text = environmentOptions?.autoStopIn ?? null
  if (text === null) return undefined
  const seconds = parseHumanDuration(text)
  return seconds === undefined || seconds > maxAutoStop ? null : addSeconds(now, seconds)
}

const markDeployed = async (
  ctx: Context,
  { id, slug, externalUrl, tier, autoStopAt }: EnvironmentRow,
  job: PipelineJob,
) => {
  const { url = null, deploymentTier = null } = job.environmentOptions ?? {}
  const deployedUrl = url?.replace(/\$(?:CI_ENVIRONMENT_SLUG\b|\{CI_ENVIRONMENT_SLUG\})/g, slug)
  const stopAt = getAutoStopTime(job, ctx.now)
  await ctx.db
    .updateTable('environment')
    .set({
      state: 'available',
      externalUrl: deployedUrl !== undefined && isExternalUrl(deployedUrl) ? deployedUrl : externalUrl,
      tier: deploymentTier ?? tier,
      autoStopAt: stopAt === undefined ? autoStopAt : stopAt,
      updatedAt: ctx.now,
    })
    .where('id', '=', id)
    .execute()
  if (stopAt) await enqueueAutoStop(ctx, id, stopAt)
}

/** Creates the deployment of a job, or gives it the status that follows from the job. Returns its id if it changed. */
const syncDeployment = async (ctx: Context, job: PipelineJob, environmentId: number): Promise<number | undefined> => {
  const existing = await ctx.db
    .selectFrom('deployment')
    .where('jobId', '=', job.id)
    .select(['id', 'status'])
    .executeTakeFirst()
  const status = statuses[job.status] ?? 'created'
  const userId = job.user?.id ?? null
  if (existing === undefined) {
    const { ref, sha } = job.pipeline
    return insertDeployment(ctx, job.projectId, { environmentId, userId, ref, sha, status, jobId: job.id })
  }
  if (existing.status === status) return undefined
  await ctx.db
    .updateTable('deployment')
    .set({ ...toStatus(ctx, status), userId, updatedAt: ctx.now })
    .where('id', '=', existing.id)
    .execute()
  return existing.id
}

const followDeployment = async (ctx: Context, project: Project, environment: EnvironmentRow, job: PipelineJob) => {
  const changed = await syncDeployment(ctx, job, environment.id)
  if (changed === undefined) return
  if (job.status === 'success') await markDeployed(ctx, environment, job)
  await announceDeployment(ctx, project, changed)
}

const followStop = async (ctx: Context, { id, state }: EnvironmentRow, { status }: PipelineJob) => {
  if (status === 'success' && state !== 'stopped') await setState(ctx, id, 'stopped')
  if ((status === 'failed' || status === 'canceled') && state === 'stopping') await setState(ctx, id, 'available')
}

/** A merge request that has ended no longer needs the environments of its pipelines, which run in the project of its source branch. */
const endReview = async (
  ctx: Context,
  { id, projectId, sourceProjectId }: Pick<MergeRequest, 'id' | 'projectId' | 'sourceProjectId'>,
) => {
  const pipelines = ctx.db.selectFrom('pipeline').where('mergeRequestId', '=', id)
  if (!(await pipelines.select('id').limit(1).executeTakeFirst())) return
  const userId = ctx.actor.kind === 'user' ? ctx.actor.id : null
  await ctx.enqueue('environments.stopAfter', { projectId: sourceProjectId ?? projectId, userId, mergeRequest: id })
}

/** Environments and deployments follow the jobs of pipelines, and end with their branches and merge requests. */
export const environmentReactions: readonly Reaction[] = [
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) => endReview(ctx, mergeRequest)),
  defineReaction('mergeRequest.closed', (ctx, { mergeRequest }) => endReview(ctx, mergeRequest)),
  defineReaction('code.pushed', async (ctx, { projectId, userId, push: { ref, refType, action } }) => {
    if (action !== 'removed' || refType !== 'branch') return
    const deployments = ctx.db.selectFrom('deployment').where('projectId', '=', projectId).where('ref', '=', ref)
    if (await deployments.where('status', '=', 'success').select('id').limit(1).executeTakeFirst())
      await ctx.enqueue('environments.stopAfter', { projectId, userId, branch: ref })
  }),
  defineReaction('pipelineJob.changed', async (ctx, { job }) => {
    const { environment: name } = job
    const action = getEnvironmentAction(job)
    if (name === null || action === undefined || findNameProblems(name).length) return
    const environment = await resolveEnvironment(ctx, job, name)
    const project = await findProject(ctx, job.projectId)
    if (action === 'start' && project) await followDeployment(ctx, project, environment, job)
    if (action === 'stop') await followStop(ctx, environment, job)
  }),
]
