import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'

/** In a job, because a bot can have many contributions, and because other reactions still refer to the user. */
const enqueueRemovals = async (ctx: Context, bots: readonly { readonly userId: number }[]) => {
  for (const { userId } of bots) await ctx.enqueue('accessTokens.removeBot', { userId })
}

const selectBots = (ctx: Context) => ctx.db.selectFrom('personalAccessToken').select('userId').distinct()

/** Remove the bots of tokens when their membership, project or group ends. */
export const accessTokenReactions: readonly Reaction[] = [
  defineReaction('member.left', async (ctx, { userId, projectId, groupId }) => {
    const tokens = ctx.db
      .updateTable('personalAccessToken')
      .set(({ fn, val }) => ({ revokedAt: fn.coalesce('revokedAt', val(ctx.now)) }))
      .where('userId', '=', userId)
    const ended = projectId === null ? tokens.where('groupId', '=', groupId) : tokens.where('projectId', '=', projectId)
    const revoked = await ended.returning('userId').execute()
    await enqueueRemovals(ctx, revoked.slice(0, 1))
  }),
  defineReaction('project.removed', async (ctx, { project }) =>
    enqueueRemovals(ctx, await selectBots(ctx).where('projectId', '=', project.id).execute()),
  ),
  defineReaction('group.removed', async (ctx, { groupId }) => {
    const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId).select('namespaceId')
    const projects = ctx.db.selectFrom('project').where('namespaceId', 'in', below).select('id')
    await enqueueRemovals(ctx, await selectBots(ctx).where('groupId', 'in', below).execute())
    await enqueueRemovals(ctx, await selectBots(ctx).where('projectId', 'in', projects).execute())
  }),
]
