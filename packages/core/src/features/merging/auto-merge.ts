import type { Context } from '../../kernel/context.ts'
import type { AutoMerge, MergeRequestRecord } from '../merge-requests/merge-request.ts'
import { reload } from '../merge-requests/mutations.ts'
import { mergeRequestColumns } from '../merge-requests/queries.ts'
import type { Pipeline } from '../pipeline-records/pipeline.ts'

type MergeRequestKey = Pick<MergeRequestRecord, 'id' | 'projectId' | 'iid'>

const update = async (ctx: Context, key: MergeRequestKey, autoMerge: AutoMerge | null, mergeError: string | null) => {
  const before = await reload(ctx, key)
  await ctx.db
    .updateTable('mergeRequest')
    .set({
      mergeWhenPipelineSucceeds: autoMerge !== null,
      autoMerge,
      mergeError,
      updatedAt: ctx.now,
    })
    .where('id', '=', key.id)
    .execute()
  await ctx.emit('mergeRequest.updated', { before, after: await reload(ctx, key) })
}

/** Merges the merge request when its pipeline succeeds. */
export const startAutoMerge = (ctx: Context, key: MergeRequestKey, autoMerge: AutoMerge): Promise<void> =>
  update(ctx, key, autoMerge, null)

/** Ends the waiting for the pipeline, with the reason if the merge has failed. */
export const endAutoMerge = (ctx: Context, key: MergeRequestKey, mergeError: string | null = null): Promise<void> =>
  update(ctx, key, null, mergeError)

/** The open merge requests of the branch or merge request of a pipeline that wait for a pipeline. */
export const selectWaiting = (
  { db }: Context,
  { projectId, ref, mergeRequestId }: Pick<Pipeline, 'projectId' | 'ref' | 'mergeRequestId'>,
) => {
  const rows = db
    .selectFrom('mergeRequest')
    .where('projectId', '=', projectId)
    .where('state', '=', 'opened')
    .where('mergeWhenPipelineSucceeds', '=', true)
    .orderBy('id')
    .select(mergeRequestColumns)
  return mergeRequestId === null ? rows.where('sourceBranch', '=', ref) : rows.where('id', '=', mergeRequestId)
}
