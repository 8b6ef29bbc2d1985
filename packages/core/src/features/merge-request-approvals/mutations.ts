import type { Context } from '../../kernel/context.ts'

export const selectApprovals = ({ db }: Context, mergeRequestId: number) =>
  db.selectFrom('mergeRequestApproval').where('mergeRequestId', '=', mergeRequestId)

export const removeApprovals = async ({ db }: Context, mergeRequestIds: readonly number[]): Promise<void> => {
  if (!mergeRequestIds.length) return
  await db.deleteFrom('mergeRequestApproval').where('mergeRequestId', 'in', mergeRequestIds).execute()
}
