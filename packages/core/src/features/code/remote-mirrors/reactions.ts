import { defineReaction } from '../../../kernel/reaction.ts'
import { requestPush } from './queries.ts'

/** Enqueues pushes to all enabled mirrors of a project after a push. */
export const requestMirrorPushes = defineReaction('code.pushed', async (ctx, { projectId }) => {
  const mirrors = await ctx.db
    .selectFrom('remoteMirror')
    .where('projectId', '=', projectId)
    .where('enabled', '=', true)
    .select('id')
    .execute()
  await requestPush(
    ctx,
    mirrors.map(({ id }) => id),
  )
})
