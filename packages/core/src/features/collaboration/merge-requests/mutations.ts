import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { normalizeInstant } from '../../../kernel/inputs.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { removePipelines } from '../../code/pipeline-records/removal.ts'
import { assertValidTitle, resolveMilestoneId, updateLabelsAndAssignees } from '../../planning/issuables/triage.ts'
import { raiseApprovals } from '../approval-rules/merge-request-rules.ts'
import { abortSilently } from './auto-merge.ts'
import { mergeRequestUpdateInput } from './inputs.ts'
import { canCollaborate, type MergeRequest, type MergeRequestRecord } from './merge-request.ts'
import { replaceReviewers } from './reviewers.ts'
import { findSourceProject, mayPushTo } from './source-project.ts'
import { assertNotMerging, reload, setState, update } from './state.ts'
import { keepPermitted } from './triage-access.ts'

const MergeRequestUpdate = v.object(mergeRequestUpdateInput)

/** @throws PlatformError `invalid` where no collaboration is possible, `forbidden` for users who may not push to the fork */
const assertMayAllowCollaboration = async (ctx: Context, subject: Subjects['mergeRequest'], allowed: boolean) => {
  const source = await findSourceProject(ctx, subject)
  if (source === undefined || (allowed && !canCollaborate(source, subject.project)))
    throw invalid({ allowCollaboration: ['requires a fork, and two projects that are not private'] })
  if (!(await mayPushTo(ctx, source, ctx.actor.kind === 'system' ? null : getUserId(ctx.actor))))
    throw forbidden('Only users who can push to the source project can allow pushes of others')
}

/**
 * Updates a merge request without checking the current user's permissions. Present values change nothing.
 *
 * @throws PlatformError `invalid` for an invalid title, `conflict` for a state transition that is not allowed
 */
export const updateMergeRequest = async (
  ctx: Context,
  { stateEvent, approvalsBeforeMerge, ...requested }: v.InferOutput<typeof MergeRequestUpdate>,
  subject: Subjects['mergeRequest'],
): Promise<MergeRequest> => {
  const fields = keepPermitted(ctx, subject, requested)
  const { labels, addLabels, removeLabels, assignees, milestone, reviewers, ...options } = fields
  const { removeSourceBranch, mergeAfter, ...change } = options
  if (approvalsBeforeMerge !== undefined)
    await raiseApprovals(ctx, subject.project, subject.mergeRequest.id, approvalsBeforeMerge)
  const applyStateEvent = async () =>
    stateEvent ? setState(ctx, subject.mergeRequest, stateEvent === 'close' ? 'closed' : 'opened') : undefined
  if (Object.values(fields).every((value) => value === undefined))
    return (await applyStateEvent()) ?? reload(ctx, subject.mergeRequest)
  assertValidTitle(change.title)
  if (change.allowCollaboration !== undefined && change.allowCollaboration !== subject.mergeRequest.allowCollaboration)
    await assertMayAllowCollaboration(ctx, subject, change.allowCollaboration)
  const milestoneId = await resolveMilestoneId(ctx, subject, milestone)
  const { id } = subject.mergeRequest
  const after = await update(ctx, subject.mergeRequest, async (before) => {
    const { targetBranch = before.targetBranch } = change
    if (targetBranch !== before.targetBranch) await abortSilently(ctx, before, 'target branch was changed')
    await ctx.db
      .updateTable('mergeRequest')
      .set({
        ...change,
        ...(removeSourceBranch !== undefined && { removeSourceBranch: removeSourceBranch ?? false }),
        ...(mergeAfter !== undefined && { mergeAfter: mergeAfter && normalizeInstant(mergeAfter) }),
        milestoneId,
        updatedAt: ctx.now,
      })
      .where('id', '=', id)
      .execute()
    await updateLabelsAndAssignees(ctx, 'mergeRequest', id, subject, { labels, addLabels, removeLabels, assignees })
    if (reviewers !== undefined) await replaceReviewers(ctx, id, reviewers)
  })
  return (await applyStateEvent()) ?? after
}

/**
 * Removes a merge request with everything that belongs to it, also its pipelines.
 *
 * @throws PlatformError `conflict` while it is being merged
 */
export const removeMergeRequest = async (ctx: Context, record: MergeRequestRecord): Promise<void> => {
  assertUnmodified(ctx, record.updatedAt)
  await assertNotMerging(ctx, record)
  await removePipelines(ctx, 'mergeRequestId', record.id)
  await ctx.db.deleteFrom('mergeRequest').where('id', '=', record.id).execute()
}
