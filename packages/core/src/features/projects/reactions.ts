import { defineReaction } from '../../kernel/reaction.ts'

/** A repository is empty until a branch is pushed. */
export const markRepositoryNotEmpty = defineReaction('code.pushed', async (ctx, { projectId, push }) => {
  if (push.refType !== 'branch' || push.commitTo === null) return
  await ctx.db.updateTable('project').set({ emptyRepo: false }).where('id', '=', projectId).execute()
})
