import * as v from 'valibot'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { createLifecycle } from '../issuables/lifecycle.ts'
import {
  assertValidTitle,
  resolveMilestoneId,
  triageUpdateInput,
  updateLabelsAndAssignees,
} from '../issuables/triage.ts'
import type { MergeRequest, MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, findMergeRequest } from './queries.ts'

export const Branch = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
export const Description = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000))))

export const mergeRequestUpdateInput = {
  /** New title, 1 to 255 characters. */
  title: v.optional(v.string()),
  /** Text in Markdown, at most 1,000,000 characters. Null removes it. */
  description: Description,
  /** Name of the new target branch, 1 to 255 characters. It need not exist. */
  targetBranch: v.optional(Branch),
  /** Whether only members of the project can comment. */
  discussionLocked: v.optional(v.boolean()),
  /** `close` or `reopen`; applied after the other changes. Fails with `conflict` on a merged merge request. */
  stateEvent: v.optional(v.picklist(['close', 'reopen'])),
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

const { reload, setState: transition } = createLifecycle<MergeRequestKey, MergeRequestRecord, MergeRequest>({
  table: 'mergeRequest',
  recordedStates: ['closed', 'merged'],
  find: (ctx, { projectId, iid }) => findMergeRequest(ctx, projectId, iid),
  complete: completeMergeRequests,
  notify: (ctx, mergeRequest, state) => ctx.emit(stateSignals[state], { mergeRequest }),
})

export { reload }

/**
 * Closes, reopens or merges a merge request.
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
  if (record.state === 'closed' && state === 'merged')
    throw conflict('A closed merge request cannot be merged; reopen it first')
  return transition(ctx, record, state)
}

/**
 * Updates a merge request without checking the caller's permissions.
 *
 * @throws PlatformError `invalid` for an invalid title, `conflict` for a state transition that is not allowed
 */
export const updateMergeRequest = async (
  ctx: Context,
  { stateEvent, ...fields }: v.InferOutput<typeof MergeRequestUpdateSchema>,
  subject: Subjects['mergeRequest'],
): Promise<MergeRequest> => {
  const { labels, addLabels, removeLabels, assignees, milestone, ...change } = fields
  const applyStateEvent = async () =>
    stateEvent ? setState(ctx, subject.mergeRequest, stateEvent === 'close' ? 'closed' : 'opened') : undefined
  if (Object.values(fields).every((value) => value === undefined)) return (await applyStateEvent()) as MergeRequest
  assertValidTitle(change.title)
  const before = await reload(ctx, subject.mergeRequest)
  await ctx.db
    .updateTable('mergeRequest')
    .set({ ...change, milestoneId: await resolveMilestoneId(ctx, subject, milestone), updatedAt: ctx.now })
    .where('id', '=', subject.mergeRequest.id)
    .execute()
  await updateLabelsAndAssignees(ctx, 'mergeRequest', subject.mergeRequest.id, subject, {
    labels,
    addLabels,
    removeLabels,
    assignees,
  })
  const after = await reload(ctx, subject.mergeRequest)
  await ctx.emit('mergeRequest.updated', { before, after })
  return (await applyStateEvent()) ?? after
}
