import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { isFinal } from '../../code/pipeline-records/status.ts'

/** Start the pipelines of jobs with `trigger`, and return their results to the jobs. */
export const downstreamReactions: readonly Reaction[] = [
  defineReaction('pipelineJob.changed', async (ctx, { job: { id: job, projectId, status, trigger } }) => {
    if (status === 'pending' && trigger !== null) await ctx.enqueue('pipelines.startDownstream', { projectId, job })
  }),
  defineReaction('pipeline.changed', async (ctx, { pipeline: { id, projectId, status } }) => {
    if (!isFinal(status)) return
    const row = await ctx.db.selectFrom('pipeline').where('id', '=', id).select('upstreamJobId').executeTakeFirst()
    if (row && row.upstreamJobId !== null) await ctx.enqueue('pipelines.completeBridge', { projectId, pipeline: id })
  }),
]
