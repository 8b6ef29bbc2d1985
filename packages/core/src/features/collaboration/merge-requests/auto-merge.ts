import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import type { AutoMerge, AutoMergeChange, MergeRequest, MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, mergeRequestColumns, type PipelineSource, selectOpenOf } from './queries.ts'

type MergeRequestKey = Pick<MergeRequestRecord, 'id' | 'projectId' | 'iid'>

const announce = (ctx: Context, { id: mergeRequestId, projectId, iid }: MergeRequestKey, change: AutoMergeChange) =>
  ctx.emit('mergeRequest.autoMergeChanged', { mergeRequestId, projectId, iid, change })

const waits = ({ db }: Context, { id }: MergeRequestKey) =>
  db.updateTable('mergeRequest').where('id', '=', id).where('mergeWhenPipelineSucceeds', '=', true)

const noAutoMerge = { mergeWhenPipelineSucceeds: false, autoMerge: null } as const

/** Returns whether the merge request waited until now. Reactions to the same push can end it together. */
const end = async (ctx: Context, key: MergeRequestKey): Promise<boolean> =>
  (await waits(ctx, key).set(noAutoMerge).returning('id').execute()).length > 0

const read = async (ctx: Context, { id }: MergeRequestKey): Promise<MergeRequest> => {
  const row = ctx.db.selectFrom('mergeRequest').where('id', '=', id).select(mergeRequestColumns)
  const [mergeRequest] = await completeMergeRequests(ctx, [await row.executeTakeFirstOrThrow()])
  return defined(mergeRequest)
}

/** Null for a merge request that does not wait. */
export const findAutoMerge = async ({ db }: Context, mergeRequestId: number): Promise<AutoMerge | null> => {
  const row = db.selectFrom('mergeRequest').where('id', '=', mergeRequestId).select('autoMerge')
  return (await row.executeTakeFirst())?.autoMerge ?? null
}

/** Reports a change of the waiting that is stored, as an update of the merge request too. */
const report = async (ctx: Context, before: MergeRequest, mergeError: string | null, change: AutoMergeChange) => {
  const row = ctx.db.updateTable('mergeRequest').where('id', '=', before.id)
  await row.set({ mergeError, updatedAt: ctx.now }).execute()
  await ctx.emit('mergeRequest.updated', { before, after: await read(ctx, before) })
  await announce(ctx, before, change)
}

/** Merges the merge request when its pipeline succeeds. */
export const startAutoMerge = async (ctx: Context, key: MergeRequestKey, autoMerge: AutoMerge): Promise<void> => {
  const before = await read(ctx, key)
  const row = ctx.db.updateTable('mergeRequest').where('id', '=', key.id)
  await row.set({ mergeWhenPipelineSucceeds: true, autoMerge }).execute()
  await report(ctx, before, null, { action: 'enabled', sha: autoMerge.sha })
}

const endAutoMerge = async (ctx: Context, key: MergeRequestKey, mergeError: string | null, change: AutoMergeChange) => {
  const before = await read(ctx, key)
  if (await end(ctx, key)) await report(ctx, before, mergeError, change)
}

/** Ends the waiting for the pipeline on request. */
export const cancelAutoMerge = (ctx: Context, key: MergeRequestKey): Promise<void> =>
  endAutoMerge(ctx, key, null, { action: 'canceled' })

/** Ends the waiting because the merge has changed or is not possible. `reason`: a clause such as `source branch was updated`. */
export const abortAutoMerge = (
  ctx: Context,
  key: MergeRequestKey,
  reason: string,
  mergeError: string | null = null,
): Promise<void> => endAutoMerge(ctx, key, mergeError, { action: 'aborted', reason })

/** Ends the waiting, if there is any, as a part of another change that the current user reports. */
export const abortSilently = async (ctx: Context, key: MergeRequestKey, reason: string): Promise<void> => {
  if (await end(ctx, key)) await announce(ctx, key, { action: 'aborted', reason })
}

/** Ends the waiting of those merge requests that wait. */
export const abortAutoMerges = async (ctx: Context, ids: readonly number[], reason: string): Promise<void> => {
  if (!ids.length) return
  const waiting = await ctx.db
    .selectFrom('mergeRequest')
    .where('id', 'in', ids)
    .where('state', '=', 'opened')
    .where('mergeWhenPipelineSucceeds', '=', true)
    .orderBy('id')
    .select(mergeRequestColumns)
    .execute()
  for (const record of waiting) await abortAutoMerge(ctx, record, reason)
}

/** The open merge requests of the branch or merge request of a pipeline that wait for a pipeline. */
export const selectWaiting = (ctx: Context, pipeline: PipelineSource) =>
  selectOpenOf(ctx, pipeline).where('mergeWhenPipelineSucceeds', '=', true).select(mergeRequestColumns)
