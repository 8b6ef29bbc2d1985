import type { Context } from '../../kernel/context.ts'
import { isBelowFolder } from '../../ports/repositories.ts'
import { type Reaction, when } from '../../signals.ts'
import { placesBelow } from './queries.ts'

/** Files go after the rows that name them: a job, so that nothing is lost when the removal does not come about. */
const removeLater = async (ctx: Context, places: readonly string[]) => {
  for (const place of places.filter(isBelowFolder)) await ctx.enqueue('repository.remove', { place })
}

/** What projects do, their repositories do too. */
export const repositoriesFollowProjects: readonly Reaction[] = [
  when('project.removed', async (ctx, { project }) =>
    removeLater(ctx, await placesBelow(ctx, { projectId: project.id })),
  ),
  when('group.removed', async (ctx, { groupId }) => removeLater(ctx, await placesBelow(ctx, { groupId }))),
  when('project.updated', async (ctx, { before, after }) => {
    if (before.defaultBranch === after.defaultBranch) return
    await ctx.enqueue('repository.followDefaultBranch', { projectId: after.id })
  }),
]
