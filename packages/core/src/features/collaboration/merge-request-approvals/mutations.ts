import type { Context } from '../../../kernel/context.ts'
import { abortAutoMerges } from '../merge-requests/auto-merge.ts'

export const selectApprovals = ({ db }: Context, mergeRequestId: number) =>
  db.selectFrom('mergeRequestApproval').where('mergeRequestId', '=', mergeRequestId)

/** Removes the approvals of all users, or of one. A merge that waits for a pipeline is for the approvals that its user has seen. */
export const removeApprovals = async (ctx: Context, ids: readonly number[], userId?: number): Promise<void> => {
  if (!ids.length) return
  const approvals = ctx.db.deleteFrom('mergeRequestApproval').where('mergeRequestId', 'in', ids)
  const removed = await (userId === undefined ? approvals : approvals.where('userId', '=', userId))
    .returning('mergeRequestId')
    .execute()
  await abortAutoMerges(
    ctx,
    [...new Set(removed.map(({ mergeRequestId }) => mergeRequestId))],
    'approvals were removed',
  )
}
