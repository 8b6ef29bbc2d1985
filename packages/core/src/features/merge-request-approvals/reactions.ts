import { defineReaction } from '../../kernel/reaction.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import { selectOpenFrom } from '../merge-requests/queries.ts'
import { removeApprovals } from './mutations.ts'

/** Removes the approvals of open merge requests when their source branch is pushed to, if the project says so. */
export const resetApprovalsOnPush = defineReaction('code.pushed', async (ctx, { projectId, push }) => {
  if (push.refType !== 'branch' || push.ref === null) return
  const open = await selectOpenFrom(ctx, projectId, push.ref).select('id').execute()
  if (!open.length || !(await readConfiguration(ctx, projectId)).resetApprovalsOnPush) return
  await removeApprovals(
    ctx,
    open.map(({ id }) => id),
  )
})
