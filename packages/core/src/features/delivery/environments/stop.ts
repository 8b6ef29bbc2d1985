import type { Context } from '../../../kernel/context.ts'
import { limitDelay } from '../../../kernel/jobs/times.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import type { EnvironmentState } from './environment.ts'
import type { EnvironmentRow } from './queries.ts'

/** The manual job that stops an environment: the newest successful deployment names it, in the same pipeline. */
export const findStopJob = async (
  ctx: Context,
  projectId: number,
  environmentId: number,
): Promise<PipelineJobRecord | undefined> => {
  const deployed = await ctx.db
    .selectFrom('deployment')
    .innerJoin('pipelineJob', 'pipelineJob.id', 'deployment.jobId')
    .where('deployment.projectId', '=', projectId)
    .where('deployment.environmentId', '=', environmentId)
    .where('deployment.status', '=', 'success')
    .orderBy('deployment.id', 'desc')
    .limit(1)
    .select(['pipelineJob.pipelineId', 'pipelineJob.environmentOptions'])
    .executeTakeFirst()
  const name = deployed?.environmentOptions?.onStop ?? null
  if (deployed === undefined || name === null) return undefined
  return selectJobs(ctx, projectId)
    .where('pipelineId', '=', deployed.pipelineId)
    .where('name', '=', name)
    .where('retried', '=', false)
    .where('status', '=', 'manual')
    .executeTakeFirst()
}

/** Queues the job that stops an environment at its end. */
export const enqueueAutoStop = (ctx: Context, environment: number, dueAt: string): Promise<void> =>
  ctx.enqueue('environments.autoStop', { environment, dueAt }, { runAfter: limitDelay(ctx.now, dueAt) })

/** Sets the state of an environment. A stopped one is not stopped again at its end. */
export const setState = async (ctx: Context, id: number, state: EnvironmentState): Promise<void> => {
  await ctx.db
    .updateTable('environment')
    .set({ state, updatedAt: ctx.now, ...(state === 'stopped' && { autoStopAt: null }) })
    .where('id', '=', id)
    .execute()
}

/** Stops an environment by starting the job for that, or at once without one. Returns the new state. */
export const stopEnvironment = async (
  ctx: Context,
  projectId: number,
  { id }: Pick<EnvironmentRow, 'id'>,
  job: PipelineJobRecord | undefined,
  userId: number | null,
): Promise<EnvironmentState> => {
  if (job === undefined) {
    await setState(ctx, id, 'stopped')
    return 'stopped'
  }
  await setState(ctx, id, 'stopping')
  await settleJobs(
    ctx,
    await findPipeline(ctx, projectId, job.pipelineId),
    changeJob(job.id, (record) => withStatus({ ...record, userId }, 'pending', ctx.now)),
  )
  return 'stopping'
}
