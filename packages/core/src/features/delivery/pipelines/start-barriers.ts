import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { findNameProblems, getEnvironmentAction } from '../../code/pipeline-records/job-environment.ts'
import { isFinal } from '../../code/pipeline-records/status.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { findOutdatedJobs } from '../deployments/outdated.ts'
import { findApprovalRequirement } from '../protected-environments/approvals.ts'
import { canDeploy } from '../protected-environments/deploy-access.ts'
import type { StartBarrier, StartBarriers } from './start-jobs.ts'

/** Users, actions and environments of jobs, as a key. */
const keyOf = (job: PipelineJobRecord) => `${job.userId} ${getEnvironmentAction(job)} ${job.environment}`

const findBarrier = async (
  ctx: Context,
  project: Project | undefined,
  job: PipelineJobRecord,
): Promise<StartBarrier | undefined> => {
  const { environment, userId } = job
  if (environment === null) return undefined
  if (findNameProblems(environment).length) return { failureReason: 'environment_creation_failure' }
  if (project === undefined) return undefined
  // Jobs of the host have no user whose permissions could be missing.
  if (userId !== null && !(await canDeploy(ctx, project, environment, userId)))
    return { failureReason: 'protected_environment_failure' }
  const isDeployment = getEnvironmentAction(job) === 'start'
  return isDeployment && (await findApprovalRequirement(ctx, project.id, environment)) ? 'approval' : undefined
}

const none: ReadonlySet<number> = new Set()

/** The jobs that would deploy an older commit than the newest deployment of their environment. */
const findOutdated = async (ctx: Context, projectId: number, jobs: readonly PipelineJobRecord[]) => {
  const ids = jobs.filter((job) => getEnvironmentAction(job) === 'start').map(({ id }) => id)
  if (!ids.length || !(await readProjectSettings(ctx, projectId)).ciForwardDeploymentEnabled) return none
  return findOutdatedJobs(ctx, ids)
}

/**
 * The jobs that fail when they start, because their environment has no valid name, is protected against their user or has a newer
 * deployment, and those that wait for approvals.
 */
export const findStartBarriers = async (
  ctx: Context,
  projectId: number,
  jobs: readonly PipelineJobRecord[],
): Promise<StartBarriers> => {
  const waiting = jobs.filter(({ environment, status }) => environment !== null && !isFinal(status))
  if (!waiting.length) return new Map()
  const project = await findProject(ctx, projectId)
  const barriers = new Map<string, StartBarrier | undefined>()
  for (const job of waiting)
    if (!barriers.has(keyOf(job))) barriers.set(keyOf(job), await findBarrier(ctx, project, job))
  const outdated = await findOutdated(ctx, projectId, waiting)
  return new Map(
    waiting.flatMap((job) => {
      const barrier = outdated.has(job.id)
        ? { failureReason: 'failed_outdated_deployment_job' }
        : barriers.get(keyOf(job))
      return barrier === undefined ? [] : [[job.id, barrier] as const]
    }),
  )
}
