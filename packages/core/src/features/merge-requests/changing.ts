import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import type { Subjects } from '../../policy.ts'
import { attach, milestoneId, refuseBadTitle, triageChange } from '../issuables/inputs.ts'
import { lifecycle } from '../issuables/lifecycle.ts'
import type { MergeRequest, MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, findMergeRequest } from './queries.ts'

export const Branch = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
export const Description = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000))))

/** What can be changed about a merge request. */
export const mergeRequestChange = {
  title: v.optional(v.string()),
  description: Description,
  targetBranch: v.optional(Branch),
  discussionLocked: v.optional(v.boolean()),
  stateEvent: v.optional(v.picklist(['close', 'reopen'])),
  ...triageChange,
}

const MergeRequestChange = v.object(mergeRequestChange)

type Ref = Pick<MergeRequestRecord, 'projectId' | 'iid'>
type State = MergeRequestRecord['state']

const signals = {
  closed: 'mergeRequest.closed',
  opened: 'mergeRequest.reopened',
  merged: 'mergeRequest.merged',
} as const

const { reload, setState: move } = lifecycle<Ref, MergeRequestRecord, MergeRequest>({
  table: 'mergeRequest',
  ends: ['closed', 'merged'],
  find: (ctx, { projectId, iid }) => findMergeRequest(ctx, projectId, iid),
  complete: completeMergeRequests,
  tell: (ctx, mergeRequest, state) => ctx.emit(signals[state], { mergeRequest }),
})

/** Reads a merge request again. */
export { reload }

/**
 * Closes, opens or merges a merge request.
 *
 * @throws PlatformError `conflict` where it cannot come into that state from its own
 */
export const setState = async (ctx: Context, record: MergeRequestRecord, state: State): Promise<MergeRequest> => {
  if (record.state === 'merged' && state !== 'merged') throw conflict('A merged merge request stays merged')
  if (record.state === 'closed' && state === 'merged') throw conflict('A closed merge request has to be reopened first')
  return move(ctx, record, state)
}

/**
 * Changes a merge request that the caller may change.
 *
 * @throws PlatformError `invalid` for a title that cannot be, `conflict` for a state that it cannot come into
 */
export const changeMergeRequest = async (
  ctx: Context,
  { stateEvent, ...fields }: v.InferOutput<typeof MergeRequestChange>,
  subject: Subjects['mergeRequest'],
): Promise<MergeRequest> => {
  const { labels, addLabels, removeLabels, assignees, milestone, ...change } = fields
  const moved = async () =>
    stateEvent ? setState(ctx, subject.mergeRequest, stateEvent === 'close' ? 'closed' : 'opened') : undefined
  if (Object.values(fields).every((value) => value === undefined)) return (await moved()) as MergeRequest
  refuseBadTitle(change.title)
  const before = await reload(ctx, subject.mergeRequest)
  await ctx.db
    .updateTable('mergeRequest')
    .set({ ...change, milestoneId: await milestoneId(ctx, subject, milestone), updatedAt: ctx.now })
    .where('id', '=', subject.mergeRequest.id)
    .execute()
  await attach(ctx, 'mergeRequest', subject.mergeRequest.id, subject, { labels, addLabels, removeLabels, assignees })
  const after = await reload(ctx, subject.mergeRequest)
  await ctx.emit('mergeRequest.updated', { before, after })
  return (await moved()) ?? after
}
