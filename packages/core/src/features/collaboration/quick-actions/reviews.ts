import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { readViewerAccess } from '../../code/protected-references/reference-access.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import {
  approve as approveMergeRequest,
  unapprove as unapproveMergeRequest,
} from '../merge-request-approvals/approve.ts'
import { submitReview } from '../merge-request-approvals/review.ts'
import { draftPrefixes, isWorkInProgress } from '../merge-requests/merge-request.ts'
import { assertMergeable } from '../merge-requests/merging/merge-input.ts'
import { onMergeRequest } from './handler.ts'
import { notApplicableError, updateTarget } from './target.ts'

/** Not where an approval requires a password, or the commits of the branch, which only a call for it can read. */
export const approve = onMergeRequest(async (ctx, target) => {
  const configuration = await readConfiguration(ctx, target.project.id)
  if (
    configuration.requirePasswordToApprove ||
    configuration.mergeRequestsDisableCommittersApproval ||
    !hasAbility(ctx.actor, target, 'mergeRequest.approve')
  )
    throw notApplicableError()
  await approveMergeRequest(ctx, target, undefined)
  return { changes: { approve: true }, message: 'Approved the current merge request.' }
})

export const unapprove = onMergeRequest(async (ctx, target) => {
  if (!hasAbility(ctx.actor, target, 'mergeRequest.approve')) throw notApplicableError()
  await unapproveMergeRequest(ctx, target, undefined)
  return { changes: { approve: false }, message: 'Unapproved the current merge request.' }
})

export const requestChanges = onMergeRequest(async (ctx, target) => {
  if (!(await submitReview(ctx, target, 'requested_changes'))) throw notApplicableError()
  return { changes: { reviewerState: 'requested_changes' }, message: 'Changes requested to the current merge request.' }
})

/** What `/submit_review` takes for each result of a review; `approve` follows the review. */
const results: Readonly<Record<string, 'reviewed' | 'requested_changes' | 'approve'>> = {
  '': 'reviewed',
  reviewed: 'reviewed',
  requested_changes: 'requested_changes',
  approve: 'approve',
}

export const submit = onMergeRequest(async (ctx, target, argument, current) => {
  const result = results[argument.toLowerCase()]
  if (result === undefined || !hasAbility(ctx.actor, target, 'draftNote.create')) throw notApplicableError()
  const { projectId, iid } = target.mergeRequest
  await ctx.emit('draftNotes.publicationRequested', { projectId, iid })
  const message = 'Submitted the current review.'
  if (result === 'approve') return { ...(await approve(ctx, target, '', current)), message }
  const isReview = await submitReview(ctx, target, result)
  return { changes: isReview ? { reviewerState: result } : {}, message }
})

const withoutDraftPrefix = (title: string): string => {
  const start = title.trimStart()
  const prefix = draftPrefixes.find((candidate) => start.toLowerCase().startsWith(candidate))
  return prefix === undefined ? start : withoutDraftPrefix(start.slice(prefix.length))
}

export const draft = onMergeRequest(async (ctx, target, _argument, { title, state }) => {
  if (isWorkInProgress(title) || state !== 'opened') throw notApplicableError()
  await updateTarget(ctx, target, { title: `Draft: ${title}` })
  return { changes: { wipEvent: 'draft' }, message: 'Marked this merge request as a draft.' }
})

export const ready = onMergeRequest(async (ctx, target, _argument, { title, state }) => {
  if (!isWorkInProgress(title) || state !== 'opened') throw notApplicableError()
  await updateTarget(ctx, target, { title: withoutDraftPrefix(title) })
  return { changes: { wipEvent: 'ready' }, message: 'Marked this merge request as ready.' }
})

export const setTargetBranch = onMergeRequest(async (ctx, target, argument) => {
  if (argument === '' || target.mergeRequest.state !== 'opened') throw notApplicableError()
  await updateTarget(ctx, target, { targetBranch: argument })
  return { changes: { targetBranch: argument }, message: `Set target branch to ${argument}.` }
})

/** Merges and rebases wait for git, so a job does them after the transaction, as the same user. */
const schedule = async (ctx: Context, target: Subjects['mergeRequest'], action: 'merge' | 'rebase') => {
  if (!hasAbility(ctx.actor, target, 'mergeRequest.merge') || target.mergeRequest.state !== 'opened')
    throw notApplicableError()
  const { projectId, iid } = target.mergeRequest
  await ctx.enqueue('mergeRequests.runQuickAction', { projectId, iid, userId: getUserId(ctx.actor), action })
}

export const merge = onMergeRequest(async (ctx, target) => {
  const access = await readViewerAccess(ctx, target.project)
  if (!access.canMerge(target.mergeRequest.targetBranch)) throw notApplicableError()
  await assertMergeable(ctx, target.mergeRequest, { waits: true })
  await schedule(ctx, target, 'merge')
  return { changes: { merge: true }, message: 'Scheduled to merge this merge request.' }
})

export const rebase = onMergeRequest(async (ctx, target) => {
  await schedule(ctx, target, 'rebase')
  return { changes: { rebase: true }, message: `Scheduled a rebase of branch ${target.mergeRequest.sourceBranch}.` }
})
