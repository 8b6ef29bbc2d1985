import type { Context } from '../../../kernel/context.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { CancellationPolicy, Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { selectPipelines } from '../../code/pipeline-records/queries.ts'
import { cancelableStatuses, isCancelable } from '../../code/pipeline-records/status.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { withStatus } from './job-times.ts'
import { settleJobs } from './mutations.ts'

/** The jobs of a redundant pipeline after its cancellation. Jobs that have not started can always be canceled. */
const cancelRedundantJobs = (
  jobs: readonly PipelineJobRecord[],
  policy: CancellationPolicy,
  now: string,
): readonly PipelineJobRecord[] => {
  const own = jobs.filter(({ kind }) => kind !== 'external')
  const isUninterruptible = own.some(({ interruptible, startedAt }) => startedAt !== null && !interruptible)
  if (policy === 'none' || (policy === 'conservative' && isUninterruptible)) return jobs
  const isCanceled = ({ kind, status, interruptible }: PipelineJobRecord) =>
    kind !== 'external' && isCancelable(status) && (policy === 'conservative' || interruptible)
  return jobs.map((job) => (isCanceled(job) ? withStatus(job, 'canceled', now) : job))
}

/**
 * Cancels the pipelines of the same branch or merge request that are not of its newest commit, as their pipeline files say, if the
 * project is configured so.
 *
 * @param tip SHA of the newest commit of the branch
 */
export const cancelRedundantPipelines = async (
  ctx: Context,
  { id, projectId, ref, tag }: Pipeline,
  tip: string,
): Promise<void> => {
  const { autoCancelPendingPipelines } = await readProjectSettings(ctx, projectId)
  if (autoCancelPendingPipelines === 'disabled') return
  const redundant = await selectPipelines(ctx, projectId)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('status', 'in', cancelableStatuses)
    .where('sha', '<>', tip)
    .where('id', '<>', id)
    .where('source', '<>', 'external')
    .orderBy('id')
    .select('onNewCommit')
    .execute()
  for (const { onNewCommit, ...record } of redundant)
    await settleJobs(ctx, record, (jobs) => cancelRedundantJobs(jobs, onNewCommit ?? 'conservative', ctx.now))
}
