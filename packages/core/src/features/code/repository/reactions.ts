import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { isManagedStorageKey } from '../../../ports/repository-storage.ts'
import { isCounted, requestCount } from './contributor-counts.ts'
import { findStorageKeys } from './queries.ts'

/** Deletes files in a job after the commit, so that a rollback of the removal loses nothing. */
const enqueueRemoval = async (ctx: Context, storageKeys: readonly string[]) => {
  for (const storageKey of storageKeys.filter(isManagedStorageKey))
    await ctx.enqueue('repository.remove', { storageKey })
}

/** Keep repositories consistent with their projects. */
export const repositoryReactions: readonly Reaction[] = [
  defineReaction('project.removed', async (ctx, { project }) =>
    enqueueRemoval(ctx, await findStorageKeys(ctx, { projectId: project.id })),
  ),
  defineReaction('group.removed', async (ctx, { groupId }) =>
    enqueueRemoval(ctx, await findStorageKeys(ctx, { groupId })),
  ),
  // The contributors of a branch were requested before: the new commits are counted before the next request.
  defineReaction('code.pushed', async (ctx, { projectId, push: { refType, commitFrom, commitTo } }) => {
    if (refType !== 'branch' || commitFrom === null || commitTo === null) return
    if (await isCounted(ctx, { projectId, commitId: commitFrom }))
      await requestCount(ctx, { projectId, commitId: commitTo })
  }),
  defineReaction('project.updated', async (ctx, { before, after }) => {
    if (before.defaultBranch === after.defaultBranch) return
    await ctx.enqueue('repository.syncDefaultBranch', { projectId: after.id })
  }),
]
