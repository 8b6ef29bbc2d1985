import { when } from '../../signals.ts'
import { requestPush } from './queries.ts'

/** What was pushed here goes on to the mirrors. */
export const mirrorsFollowPushes = when('code.pushed', async (ctx, { projectId }) => {
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
