import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { findNameProblems } from '../../code/pipeline-records/job-environment.ts'
import { isFinal } from '../../code/pipeline-records/status.ts'
import { canDeploy } from '../protected-environments/deploy-access.ts'
import type { StartBarriers } from './start-jobs.ts'

/** Environments and users of jobs, as a key. */
const keyOf = ({ environment, userId }: PipelineJobRecord) => `${userId} ${environment}`

const findReason = async (ctx: Context, project: Project | undefined, { environment, userId }: PipelineJobRecord) => {
  if (environment === null) return undefined
  if (findNameProblems(environment).length) return 'environment_creation_failure'
  // Jobs of the host have no user whose permissions could be missing.
  if (project === undefined || userId === null) return undefined
  return (await canDeploy(ctx, project, environment, userId)) ? undefined : 'protected_environment_failure'
}

/** The jobs that fail when they start: their environment has no valid name, or is protected against their user. */
export const findStartBarriers = async (
  ctx: Context,
  projectId: number,
  jobs: readonly PipelineJobRecord[],
): Promise<StartBarriers> => {
  const waiting = jobs.filter(({ environment, status }) => environment !== null && !isFinal(status))
  if (!waiting.length) return new Map()
  const project = await findProject(ctx, projectId)
  const reasons = new Map<string, string | undefined>()
  for (const job of waiting) if (!reasons.has(keyOf(job))) reasons.set(keyOf(job), await findReason(ctx, project, job))
  return new Map(
    waiting.flatMap((job) => {
      const reason = reasons.get(keyOf(job))
      return reason === undefined ? [] : [[job.id, reason] as const]
    }),
  )
}
