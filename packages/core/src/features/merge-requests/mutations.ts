import * as v from 'valibot'
import type { Subjects } from '../../contract/subjects.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, forbidden, invalid } from '../../kernel/errors.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import { assertUnmodified } from '../../kernel/precondition.ts'
import { hasAbility } from '../../policy/authorize.ts'
import { createLifecycle } from '../issuables/lifecycle.ts'
import {
  assertValidTitle,
  resolveMilestoneId,
  triageUpdateInput,
  updateLabelsAndAssignees,
} from '../issuables/triage.ts'
import { removePipelines } from '../pipeline-records/removal.ts'
import { areOfSameNetwork } from '../projects/fork-network.ts'
import { readViewerAccess } from '../protected-references/reference-access.ts'
import { abortSilently } from './auto-merge.ts'
import {
  canCollaborate,
  type MergeRequest,
  type MergeRequestDetails,
  type MergeRequestRecord,
} from './merge-request.ts'
import { completeMergeRequests, findMergeRequest } from './queries.ts'
import { replaceReviewers } from './reviewers.ts'
import { findSourceProject, mayPushTo } from './source-project.ts'
import { keepPermitted } from './triage-access.ts'

export const Branch = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
export const Description = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000))))

/** Fields of new and changed merge requests that affect their merge. */
export const mergeOptionsInput = {
  /** Ids or usernames of all requested reviewers, at most 1,000. An empty list or 0 means no reviewer. */
  reviewers: v.optional(v.pipe(v.array(IdOrName), v.maxLength(1_000))),
  /** Whether the merge combines the commits of the source branch, if the project permits a choice. */
  squash: v.optional(v.boolean()),
  /** Whether the merge removes the source branch. */
  removeSourceBranch: v.optional(v.nullable(v.boolean())),
}

export const mergeRequestUpdateInput = {
  /** New title, 1 to 255 characters. */
  title: v.optional(v.string()),
  /** Text in Markdown, at most 1,000,000 characters. Null removes it. */
  description: Description,
  /** Name of the new target branch, 1 to 255 characters. It need not exist. */
  targetBranch: v.optional(Branch),
  /** Whether only members of the project can comment. */
  discussionLocked: v.optional(v.boolean()),
  /** Whether those who may merge may also push to the source branch of a fork. Only for users who may push there. */
  allowCollaboration: v.optional(v.boolean()),
  /** `close` or `reopen`; applied after the other changes. Fails with `conflict` on a merged merge request. */
  stateEvent: v.optional(v.picklist(['close', 'reopen'])),
  ...mergeOptionsInput,
  ...triageUpdateInput,
}

const MergeRequestUpdateSchema = v.object(mergeRequestUpdateInput)

type MergeRequestKey = Pick<MergeRequestRecord, 'projectId' | 'iid'>
type MergeRequestState = MergeRequestRecord['state']

const stateSignals = {
  closed: 'mergeRequest.closed',
  opened: 'mergeRequest.reopened',
  merged: 'mergeRequest.merged',
} as const

const {
  reload,
  setState: transition,
  update,
} = createLifecycle<MergeRequestKey, MergeRequestRecord, MergeRequest>({
  table: 'mergeRequest',
  recordedStates: ['closed', 'merged'],
  find: (ctx, { projectId, iid }) => findMergeRequest(ctx, projectId, iid),
  complete: completeMergeRequests,
  notify: (ctx, mergeRequest, state) => ctx.emit(stateSignals[state], { mergeRequest }),
  notifyUpdate: (ctx, before, after) => ctx.emit('mergeRequest.updated', { before, after }),
})

export { reload }

/** Git may have merged it already: the outcome is recorded by the call that merges, or after it has ended. */
const assertNotMerging = async ({ db }: Context, { id, projectId }: MergeRequestRecord) => {
  const changes = await db.selectFrom('referenceChange').where('projectId', '=', projectId).select('cause').execute()
  if (changes.some(({ cause }) => cause?.mergeRequestId === id)) throw conflict('The merge request is being merged')
}

const assertSourceExists = async (ctx: Context, { projectId, sourceProjectId }: MergeRequestRecord) => {
  if (sourceProjectId === null) throw conflict('The source project of this merge request has been removed')
  if (!(await areOfSameNetwork(ctx, sourceProjectId, projectId)))
    throw conflict('The source project of this merge request is no longer a fork of its project')
}

/**
 * Closes or reopens a merge request, or records that it was merged.
 *
 * @throws PlatformError `conflict` for a transition that is not allowed
 */
export const setState = async (
  ctx: Context,
  record: MergeRequestRecord,
  state: MergeRequestState,
): Promise<MergeRequest> => {
  if (record.state === 'merged' && state !== 'merged')
    throw conflict('A merged merge request cannot be closed or reopened')
  if (state !== 'merged') await assertNotMerging(ctx, record)
  if (state === 'opened') await assertSourceExists(ctx, record)
  if (record.state === 'closed' && state === 'merged')
    throw conflict('A closed merge request cannot be merged; reopen it first')
  if (record.state !== state && state === 'closed') await abortSilently(ctx, record, 'merge request was closed')
  return transition(ctx, record, state)
}

/** @throws PlatformError `invalid` where no collaboration is possible, `forbidden` for users who may not push to the fork */
const assertMayAllowCollaboration = async (ctx: Context, subject: Subjects['mergeRequest'], allowed: boolean) => {
  const source = await findSourceProject(ctx, subject)
  if (source === undefined || (allowed && !canCollaborate(source, subject.project)))
    throw invalid({ allowCollaboration: ['requires a fork, and two projects that are not private'] })
  if (!(await mayPushTo(ctx, source, ctx.actor.kind === 'system' ? null : getUserId(ctx.actor))))
    throw forbidden('Only users who can push to the source project can allow pushes of others')
}

/**
 * Updates a merge request without checking the caller's permissions. Present values change nothing.
 *
 * @throws PlatformError `invalid` for an invalid title, `conflict` for a state transition that is not allowed
 */
export const updateMergeRequest = async (
  ctx: Context,
  { stateEvent, ...requested }: v.InferOutput<typeof MergeRequestUpdateSchema>,
  subject: Subjects['mergeRequest'],
): Promise<MergeRequest> => {
  const fields = keepPermitted(ctx, subject, requested)
  const { labels, addLabels, removeLabels, assignees, milestone, reviewers, removeSourceBranch, ...change } = fields
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

/** Adds what the caller may do with a merge request. */
export const withPermissions = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  mergeRequest: MergeRequest,
): Promise<MergeRequestDetails> => {
  const isAllowed = hasAbility(ctx.actor, subject, 'mergeRequest.merge')
  const canMerge = isAllowed && (await readViewerAccess(ctx, subject.project)).canMerge(mergeRequest.targetBranch)
  return { ...mergeRequest, canMerge }
}
