import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import { selectOpenFrom } from '../merge-requests/queries.ts'
import { removeApprovals } from './mutations.ts'

/** Remove approvals that were given for other changes. */
export const approvalReactions: readonly Reaction[] = [
  /** For open merge requests from the branch, if the project says so. */
  defineReaction('code.pushed', async (ctx, { projectId, push }) => {
    if (push.refType !== 'branch' || push.ref === null) return
    const open = await selectOpenFrom(ctx, projectId, push.ref).select(['id', 'projectId']).execute()
    for (const [targetId, ofTarget] of Map.groupBy(open, (row) => row.projectId)) {
      if (!(await readConfiguration(ctx, targetId)).resetApprovalsOnPush) continue
      await removeApprovals(
        ctx,
        ofTarget.map(({ id }) => id),
      )
    }
  }),
  /** Approvals are for a merge into one branch. Another one can have other changes, rules and protection. */
  defineReaction('mergeRequest.updated', async (ctx, { before, after }) => {
    if (before.targetBranch !== after.targetBranch) await removeApprovals(ctx, [after.id])
  }),
]
