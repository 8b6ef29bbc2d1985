import type { Context } from '../../../kernel/context.ts'

/** Deletes one pipeline or those of a merge request, with their jobs, logs and artifacts. */
export async function removePipelines(ctx: Context, column: 'id' | 'mergeRequestId', id: number): Promise<void> {
  const pipelines = ctx.db.selectFrom('pipeline').where(column, '=', id).select('pipeline.id')
  const files = await ctx.db
    .selectFrom('jobArtifact')
    .innerJoin('pipelineJob', 'pipelineJob.id', 'jobArtifact.jobId')
    .where('pipelineJob.pipelineId', 'in', pipelines)
    .select('jobArtifact.storageKey')
    .execute()
  await ctx.db.deleteFrom('pipeline').where(column, '=', id).execute()
  for (const { storageKey } of files) await ctx.enqueue('uploads.removeFile', { storageKey })
}
