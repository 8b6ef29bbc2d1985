import { when } from '../../signals.ts'

/** A repository is empty until a branch is pushed. */
export const pushesFillRepositories = when('code.pushed', async (ctx, { projectId, push }) => {
  if (push.refType !== 'branch' || push.commitTo === null) return
  await ctx.db.updateTable('project').set({ emptyRepo: false }).where('id', '=', projectId).execute()
})
