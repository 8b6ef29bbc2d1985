import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { findNamedApprovers } from '../approval-rules/requirements.ts'
import { findAutoMerge } from '../merge-requests/auto-merge.ts'
import { loadHeadPipelines } from '../merge-requests/head-pipelines.ts'
import type { MergeRequestRecord } from '../merge-requests/merge-request.ts'
import { mergeRequestColumns, selectOpenOf } from '../merge-requests/queries.ts'
import { openTodos } from './mutations.ts'
import type { TodoAction } from './todo.ts'

type Target = Pick<MergeRequestRecord, 'id' | 'projectId' | 'authorId'>

const openFor = async (
  ctx: Context,
  { id, projectId }: Target,
  action: TodoAction,
  users: readonly { readonly userId: number; readonly authorId: number }[],
) => {
  const target = { kind: 'mergeRequest', id, projectId, groupId: null } as const
  await openTodos(
    ctx,
    users.map((user) => ({ ...user, action, target })),
  )
}

/** Asks those who merge it, the author and the user who has set it to merge automatically, to solve a problem. */
const openForMergers = async (ctx: Context, mergeRequest: Target, action: TodoAction) => {
  const autoMerge = await findAutoMerge(ctx, mergeRequest.id)
  const ids = new Set([mergeRequest.authorId, autoMerge?.userId ?? mergeRequest.authorId])
  await openFor(
    ctx,
    mergeRequest,
    action,
    [...ids].map((userId) => ({ userId, authorId: userId })),
  )
}

/** The open merge requests whose newest pipeline it is. */
const findOpenOf = async (ctx: Context, pipeline: Pipeline) => {
  const records = await selectOpenOf(ctx, pipeline).select(mergeRequestColumns).execute()
  const headPipelineOf = await loadHeadPipelines(ctx, records)
  return records.filter((record) => headPipelineOf(record)?.id === pipeline.id)
}

/** To-do items about the pipelines, the conflicts and the approvals of merge requests. */
export const mergeRequestTodoReactions: readonly Reaction[] = [
  defineReaction('pipeline.changed', async (ctx, { pipeline, before }) => {
    const { status } = pipeline
    if (status === before || (status !== 'failed' && before !== 'failed')) return
    for (const record of await findOpenOf(ctx, pipeline)) {
      if (status === 'failed') await openForMergers(ctx, record, 'build_failed')
      // A job is retried.
      else
        await ctx.db
          .updateTable('todo')
          .set({ state: 'done', updatedAt: ctx.now })
          .where('mergeRequestId', '=', record.id)
          .where('action', '=', 'build_failed')
          .where('state', '=', 'pending')
          .execute()
    }
  }),
  defineReaction('mergeRequest.conflicted', (ctx, { mergeRequest }) =>
    openForMergers(ctx, mergeRequest, 'unmergeable'),
  ),
  defineReaction('mergeRequest.opened', async (ctx, { mergeRequest }) => {
    const { authorId } = mergeRequest
    const userIds = (await findNamedApprovers(ctx, mergeRequest)).filter((id) => id !== authorId)
    await openFor(
      ctx,
      mergeRequest,
      'approval_required',
      userIds.map((userId) => ({ userId, authorId })),
    )
  }),
  defineReaction('mergeRequest.approversAdded', async (ctx, { mergeRequest, userIds }) => {
    const { authorId } = mergeRequest
    await openFor(
      ctx,
      mergeRequest,
      'approval_required',
      userIds.filter((id) => id !== authorId).map((userId) => ({ userId, authorId })),
    )
  }),
]
