import type { CompleteRow } from '../../../db/complete-row.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { findUser, userSummaries } from '../../accounts/users/queries.ts'
import type { Reviewer, ReviewState } from './merge-request.ts'

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
        (userId) =>
          ({
            mergeRequestId,
            userId,
            createdAt: ctx.now,
            state: 'unreviewed',
          }) satisfies CompleteRow<'mergeRequestReviewer'>,
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
    .select(['reviewer.userId', 'reviewer.createdAt', 'reviewer.state', 'approval.userId as approverId'])
    .execute()
  const users = await userSummaries(
    ctx,
    rows.map(({ userId }) => userId),
  )
  return rows.map(({ userId, createdAt, state, approverId }) => ({
    user: defined(users.get(userId)),
    state: approverId === null ? state : 'approved',
    createdAt,
  }))
}

/** Sets the state of a reviewer; without an effect on other users. `from`: only in one of these states. */
export const setReviewState = async (
  ctx: Context,
  mergeRequestId: number,
  userId: number,
  state: ReviewState,
  from?: readonly ReviewState[],
): Promise<void> => {
  const row = ctx.db
    .updateTable('mergeRequestReviewer')
    .set({ state })
    .where('mergeRequestId', '=', mergeRequestId)
    .where('userId', '=', userId)
  await (from ? row.where('state', 'in', from) : row).execute()
}

/** The state of a reviewer without an approval; undefined for other users. */
export const findReviewState = async (
  { db }: Context,
  mergeRequestId: number,
  userId: number,
): Promise<ReviewState | undefined> => {
  const rows = db.selectFrom('mergeRequestReviewer').where('mergeRequestId', '=', mergeRequestId)
  return (await rows.where('userId', '=', userId).select('state').executeTakeFirst())?.state
}

/** Adds a reviewer in this state, who was none. */
export const insertReviewer = async (
  ctx: Context,
  mergeRequestId: number,
  userId: number,
  state: ReviewState,
): Promise<void> => {
  await ctx.db
    .insertInto('mergeRequestReviewer')
    .values({ mergeRequestId, userId, createdAt: ctx.now, state } satisfies CompleteRow<'mergeRequestReviewer'>)
    .execute()
}
