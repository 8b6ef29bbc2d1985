import type { Context } from '../../../kernel/context.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { selectJobs } from '../../code/pipeline-records/queries.ts'
import { insertJobs, markRetried } from './mutations.ts'

/** Replaces a job with a new one that has not started. Returns the id of the new job. */
export const insertRetry = async (
  ctx: Context,
  pipeline: PipelineRecord,
  { id: replaced, status: _status, coverage: _coverage, failureReason: _reason, ...job }: PipelineJobRecord,
  userId: number | null,
): Promise<number> => {
  const times = { createdAt: ctx.now, scheduledAt: null, queuedAt: null, startedAt: null, finishedAt: null }
  const { definition, sealedVariables } = await ctx.db
    .selectFrom('pipelineJob')
    .where('id', '=', replaced)
    .select(['definition', 'sealedVariables'])
    .executeTakeFirstOrThrow()
  await insertJobs(ctx, pipeline, [{ ...job, ...times, definition, sealedVariables, userId }])
  const { id } = await selectJobs(ctx, pipeline.projectId)
    .where('pipelineId', '=', pipeline.id)
    .where('name', '=', job.name)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await markRetried(ctx, pipeline.id, job.name, id)
  return id
}

/** Lets the jobs that were skipped wait again for the earlier jobs. */
export const resetSkippedJobs = (jobs: readonly PipelineJobRecord[]): readonly PipelineJobRecord[] =>
  jobs.map((job) => (job.status === 'skipped' && job.kind !== 'external' ? { ...job, status: 'created' } : job))
