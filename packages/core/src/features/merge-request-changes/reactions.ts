import type { Context } from '../../kernel/context.ts'
import { when } from '../../signals.ts'
import { placeOf } from '../repository/queries.ts'

interface Ref {
  readonly projectId: number
  readonly iid: number
}

const lookLater = async (ctx: Context, { projectId, iid }: Ref) => {
  // Without a repository there is nothing to see.
  if ((await placeOf(ctx, projectId)) === undefined) return
  await ctx.enqueue('mergeRequests.look', { projectId, iid }, { key: `${projectId}!${iid}` })
}

/** New merge requests, and those whose source branch was pushed to, are looked at. */
export const versionsFollowBranches = [
  when('mergeRequest.opened', (ctx, { mergeRequest }) => lookLater(ctx, mergeRequest)),
  when('code.pushed', async (ctx, { projectId, push }) => {
    if (push.refType !== 'branch' || push.ref === null) return
    const open = await ctx.db
      .selectFrom('mergeRequest')
      .where('projectId', '=', projectId)
      .where('sourceBranch', '=', push.ref)
      .where('state', '=', 'opened')
      .select('iid')
      .execute()
    for (const { iid } of open) await lookLater(ctx, { projectId, iid })
  }),
]
