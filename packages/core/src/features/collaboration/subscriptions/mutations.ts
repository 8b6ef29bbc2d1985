import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { isSubscribed } from '../../planning/issuables/participants.ts'
import type { QuickActionTarget } from '../../planning/quick-actions/request.ts'
import { toNoteTarget } from '../notes/noteable.ts'

/** @returns whether the subscription changed */
export const setSubscribed = async (
  ctx: Context,
  subject: QuickActionTarget,
  userId: number,
  subscribed: boolean,
): Promise<boolean> => {
  const { kind } = subject
  const { id, authorId } = toNoteTarget(subject)
  if ((await isSubscribed(ctx, { kind, id, authorId }, userId)) === subscribed) return false
  const key = `${kind}Id` as const
  const target = { issueId: null, mergeRequestId: null, epicId: null, [key]: id }
  await ctx.db
    .insertInto('subscription')
    .values({ ...target, userId, subscribed } satisfies CompleteRow<'subscription'>)
    .onConflict((conflict) => conflict.columns([key, 'userId']).doUpdateSet({ subscribed }))
    .execute()
  return true
}
