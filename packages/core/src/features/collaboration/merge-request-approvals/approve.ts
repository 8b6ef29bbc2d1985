import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, forbidden } from '../../../kernel/errors.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import { setReviewState } from '../merge-requests/reviewers.ts'
import { assertNoCommits } from './approval-checks.ts'
import type { MergeRequestApprovals } from './approvals.ts'
import { removeApprovals, selectApprovals } from './mutations.ts'
import { readApprovals } from './queries.ts'

/** @throws PlatformError `conflict` if the state does not permit it, `forbidden` for authors where they cannot approve */
export const approve = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  user: number | string | undefined,
  committers: ReadonlySet<string> = new Set(),
): Promise<MergeRequestApprovals> => {
  const { id: mergeRequestId, projectId, authorId, state } = subject.mergeRequest
  if (state !== 'opened') throw conflict('Only an open merge request can be approved')
  const userId = await resolveAuthorId(ctx, user)
  const existing = await selectApprovals(ctx, mergeRequestId)
    .where('userId', '=', userId)
    .select('userId')
    .executeTakeFirst()
  if (userId === authorId && !(await readConfiguration(ctx, projectId)).mergeRequestsAuthorApproval)
    throw forbidden('Authors cannot approve their own merge requests')
  if (existing) throw conflict('The user has already approved this merge request')
  await assertNoCommits(ctx, userId, committers)
  await ctx.db
    .insertInto('mergeRequestApproval')
    .values({ mergeRequestId, userId, createdAt: ctx.now } satisfies CompleteRow<'mergeRequestApproval'>)
    .execute()
  // The state that the reviewer has if the approval is removed, also by a push.
  await setReviewState(ctx, mergeRequestId, userId, 'unapproved')
  const approvals = await readApprovals(ctx, subject)
  const isDecisive = approvals.approved
  await ctx.emit('mergeRequest.approvalAdded', { mergeRequestId, projectId, userId, isDecisive })
  return approvals
}

/** @throws PlatformError `conflict` if the user has not approved the merge request */
export const withdrawApproval = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  userId: number,
): Promise<MergeRequestApprovals> => {
  const { id, projectId } = subject.mergeRequest
  const existing = await selectApprovals(ctx, id).where('userId', '=', userId).select('userId').executeTakeFirst()
  if (!existing) throw conflict('The user has not approved this merge request')
  const before = await readApprovals(ctx, subject)
  await removeApprovals(ctx, [id], userId)
  await setReviewState(ctx, id, userId, 'unapproved')
  const approvals = await readApprovals(ctx, subject)
  const isDecisive = before.approved && !approvals.approved
  await ctx.emit('mergeRequest.approvalRemoved', { mergeRequestId: id, projectId, userId, isDecisive })
  return approvals
}

export const unapprove = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  user: number | string | undefined,
): Promise<MergeRequestApprovals> => withdrawApproval(ctx, subject, await resolveAuthorId(ctx, user))
