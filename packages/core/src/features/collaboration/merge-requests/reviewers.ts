import type { CompleteRow } from '../../../db/complete-row.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { findUser, userSummaries } from '../../accounts/users/queries.ts'
import type { Reviewer } from './merge-request.ts'

/** Replaces the reviewers of a merge request. The id 0 means no reviewer. */
export const replaceReviewers = async (
  ctx: Context,
  mergeRequestId: number,
  references: readonly (number | string)[],
): Promise<void> => {
  const users = await awaitAll(references.filter((reference) => reference !== 0).map((ref) => findUser(ctx, ref)))
  const ids = [...new Set(users.map(({ id }) => id))]
  const others = ctx.db.deleteFrom('mergeRequestReviewer').where('mergeRequestId', '=', mergeRequestId)
  await (ids.length ? others.where('userId', 'not in', ids) : others).execute()
  if (!ids.length) return
  await ctx.db
    .insertInto('mergeRequestReviewer')
    .values(
      ids.map(
        (userId) => ({ mergeRequestId, userId, createdAt: ctx.now }) satisfies CompleteRow<'mergeRequestReviewer'>,
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The reviewers of a merge request, ordered by user id. */
export const listReviewers = async (ctx: Context, mergeRequestId: number): Promise<readonly Reviewer[]> => {
  const rows = await ctx.db
    .selectFrom('mergeRequestReviewer as reviewer')
    .leftJoin('mergeRequestApproval as approval', (join) =>
      join
        .onRef('approval.mergeRequestId', '=', 'reviewer.mergeRequestId')
        .onRef('approval.userId', '=', 'reviewer.userId'),
    )
    .where('reviewer.mergeRequestId', '=', mergeRequestId)
    .orderBy('reviewer.userId')
    .select(['reviewer.userId', 'reviewer.createdAt', 'approval.userId as approverId'])
    .execute()
  const users = await userSummaries(
    ctx,
    rows.map(({ userId }) => userId),
  )
  return rows.map(({ userId, createdAt, approverId }) => ({
    user: defined(users.get(userId)),
    state: approverId === null ? 'unreviewed' : 'approved',
    createdAt,
  }))
}
