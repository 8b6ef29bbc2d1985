import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { findReviewState, insertReviewer, setReviewState } from '../merge-requests/reviewers.ts'
import { insertNote } from '../notes/mutations.ts'
import { withdrawApproval } from './approve.ts'
import { selectApprovals } from './mutations.ts'

/** Returns whether there was an approval. */
const removeApproval = async (ctx: Context, subject: Subjects['mergeRequest'], userId: number): Promise<boolean> => {
  const approval = selectApprovals(ctx, subject.mergeRequest.id).where('userId', '=', userId).select('userId')
  if (!(await approval.executeTakeFirst())) return false
  await withdrawApproval(ctx, subject, userId)
  return true
}

/**
 * Ends a review of the current user. Who requests changes withdraws an approval, and becomes a reviewer. Without an effect on other
 * users than reviewers and those who may approve, and on authors who do not review.
 */
export const submitReview = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  state: 'reviewed' | 'requested_changes',
): Promise<boolean> => {
  const userId = getUserId(ctx.actor)
  const { id, authorId, state: itemState } = subject.mergeRequest
  if (itemState !== 'opened' || userId === 0) return false
  const before = await findReviewState(ctx, id, userId)
  if (before === undefined) {
    if (userId === authorId || !hasAbility(ctx.actor, subject, 'mergeRequest.approve')) return false
    await insertReviewer(ctx, id, userId, state)
  } else await setReviewState(ctx, id, userId, state)
  if (state === 'requested_changes') {
    await removeApproval(ctx, subject, userId)
    await setReviewState(ctx, id, userId, state)
    const note = { authorId: userId, body: 'requested changes', system: true }
    if (before !== state) await insertNote(ctx, { column: 'mergeRequestId', id }, note)
  }
  if (before !== state)
    await ctx.emit('mergeRequest.reviewChanged', {
      ...{ mergeRequestId: id, projectId: subject.mergeRequest.projectId, userId, reviewerId: userId },
      ...{ previousState: before ?? null, reRequested: false },
    })
  return true
}

/** Requests another review of a reviewer, which withdraws the user's approval. */
export const requestReviewAgain = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  userId: number,
): Promise<void> => {
  const { id, projectId } = subject.mergeRequest
  const before = await findReviewState(ctx, id, userId)
  const wasApproved = await removeApproval(ctx, subject, userId)
  await setReviewState(ctx, id, userId, 'unreviewed')
  await ctx.emit('mergeRequest.reviewChanged', {
    ...{ mergeRequestId: id, projectId, userId: getUserId(ctx.actor), reviewerId: userId },
    ...{ previousState: wasApproved ? 'approved' : (before ?? null), reRequested: true },
  })
}
