import { findPastActor } from '../../../access/authenticate.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { mergeRequestColumns } from './queries.ts'
import { setState } from './state.ts'

/** Merge requests that one transaction closes. */
const batchSize = 50

/** Closes the merge requests of a fork that is none any more, or of removed projects. */
export const closeMergeRequestsOfFork = defineJob('mergeRequests.closeOfFork', {
  run: (tools, { sourceProjectId, userId }) =>
    repeatStep(tools, async (ctx) => (await closeOpen(ctx, sourceProjectId, userId)) === batchSize),
})

const closeOpen = async (ctx: Context, sourceProjectId: number | null, userId: number | null): Promise<number> => {
  const rows = ctx.db.selectFrom('mergeRequest').where('state', '=', 'opened').orderBy('id').limit(batchSize)
  const open =
    sourceProjectId === null
      ? rows.where('sourceProjectId', 'is', null)
      : rows.where('sourceProjectId', '=', sourceProjectId).where('projectId', '<>', sourceProjectId)
  const records = await open.select(mergeRequestColumns).execute()
  const actor = ctx.actAs(await findPastActor(ctx, userId, 'fork'))
  for (const record of records) await setState(actor, record, 'closed')
  return records.length
}

/** The rows of merge requests into other projects lose their source when it is deleted. */
const enqueueClosing = (ctx: Context) =>
  ctx.enqueue(
    'mergeRequests.closeOfFork',
    { sourceProjectId: null, userId: getUserId(ctx.actor) || null },
    { key: 'removed' },
  )

/** Close the merge requests of removed forks. */
export const forkReactions: readonly Reaction[] = [
  defineReaction('project.removed', async (ctx, { project }) => {
    const open = await ctx.db
      .selectFrom('mergeRequest')
      .where('sourceProjectId', '=', project.id)
      .where('projectId', '<>', project.id)
      .where('state', '=', 'opened')
      .select('id')
      .executeTakeFirst()
    if (open) await enqueueClosing(ctx)
  }),
  defineReaction('group.removed', async (ctx, { groupId }) => {
    const open = await ctx.db
      .selectFrom('mergeRequest')
      .innerJoin('project as source', 'source.id', 'mergeRequest.sourceProjectId')
      .innerJoin('namespaceLineage as below', 'below.namespaceId', 'source.namespaceId')
      .where('below.ancestorId', '=', groupId)
      .whereRef('mergeRequest.projectId', '<>', 'source.id')
      .where('mergeRequest.state', '=', 'opened')
      .select('mergeRequest.id')
      .executeTakeFirst()
    if (open) await enqueueClosing(ctx)
  }),
]
