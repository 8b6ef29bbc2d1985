import type { Context } from '../../../../kernel/context.ts'
import { defineReaction } from '../../../../kernel/reaction.ts'
import { findStorageKey } from '../../../code/repository/queries.ts'
import { selectOpenFrom } from '../queries.ts'

interface MergeRequestKey {
  readonly projectId: number
  readonly iid: number
}

const enqueueRefresh = async (ctx: Context, { projectId, iid }: MergeRequestKey) => {
  if ((await findStorageKey(ctx, projectId)) === undefined) return
  await ctx.enqueue('mergeRequests.refreshVersion', { projectId, iid }, { key: `${projectId}!${iid}` })
}

/** Refreshes the version of a merge request when it is opened and when its source branch is pushed to. */
export const versionReactions = [
  defineReaction('mergeRequest.opened', (ctx, { mergeRequest }) => enqueueRefresh(ctx, mergeRequest)),
  defineReaction('code.pushed', async (ctx, { projectId, push }) => {
    if (push.refType !== 'branch' || push.ref === null) return
    const open = await selectOpenFrom(ctx, projectId, push.ref).select(['projectId', 'iid']).execute()
    for (const key of open) await enqueueRefresh(ctx, key)
  }),
]
