import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { isSubscribed } from '../../planning/issuables/participants.ts'
import { relationTables } from '../../planning/issuables/relations.ts'
import { type IssuableSubject, toIssuableKey } from '../merge-requests/issuable.ts'

/** @returns whether the subscription changed */
export const setSubscribed = async (
  ctx: Context,
  subject: IssuableSubject,
  userId: number,
  subscribed: boolean,
): Promise<boolean> => {
  const issuableKey = toIssuableKey(subject)
  if ((await isSubscribed(ctx, issuableKey, userId)) === subscribed) return false
  const { key } = relationTables[subject.kind]
  const target = { issueId: null, mergeRequestId: null, [key]: issuableKey.id }
  await ctx.db
    .insertInto('subscription')
    .values({ ...target, userId, subscribed } satisfies CompleteRow<'subscription'>)
    .onConflict((conflict) => conflict.columns([key, 'userId']).doUpdateSet({ subscribed }))
    .execute()
  return true
}
