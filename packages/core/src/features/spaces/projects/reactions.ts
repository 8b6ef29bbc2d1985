import { defineReaction } from '../../../kernel/reaction.ts'

/** A repository is empty until a branch is pushed. */
export const markRepositoryNotEmpty = defineReaction('code.pushed', async (ctx, { projectId, push }) => {
  if (push.refType !== 'branch' || push.commitTo === null) return
  await ctx.db
    .updateTable('project')
    .set({ emptyRepo: false })
    .where('id', '=', projectId)
    // Changes of projects wait for all other commands on PostgreSQL, so that most pushes must change nothing.
    .where('emptyRepo', '=', true)
    .execute()
})
