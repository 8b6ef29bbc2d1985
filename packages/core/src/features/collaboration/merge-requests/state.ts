import type { Context } from '../../../kernel/context.ts'
import { conflict } from '../../../kernel/errors.ts'
import { createLifecycle } from '../../planning/issuables/lifecycle.ts'
import { areOfSameNetwork } from '../../spaces/projects/fork-network.ts'
import { abortSilently } from './auto-merge.ts'
import type { MergeRequest, MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, findMergeRequest } from './queries.ts'

type MergeRequestKey = Pick<MergeRequestRecord, 'projectId' | 'iid'>
type MergeRequestState = MergeRequestRecord['state']

const stateSignals = {
  closed: 'mergeRequest.closed',
  opened: 'mergeRequest.reopened',
  merged: 'mergeRequest.merged',
} as const

const lifecycle = createLifecycle<MergeRequestKey, MergeRequestRecord, MergeRequest>({
  table: 'mergeRequest',
  recordedStates: ['closed', 'merged'],
  find: (ctx, { projectId, iid }) => findMergeRequest(ctx, projectId, iid),
  complete: completeMergeRequests,
  notify: (ctx, mergeRequest, state) => ctx.emit(stateSignals[state], { mergeRequest }),
  notifyUpdate: (ctx, before, after) => ctx.emit('mergeRequest.updated', { before, after }),
})

export const { reload, update } = lifecycle

/** Git may have merged it already: the outcome is recorded by the call that merges, or after it has ended. */
export const assertNotMerging = async ({ db }: Context, { id, projectId }: MergeRequestRecord) => {
  const changes = await db.selectFrom('referenceChange').where('projectId', '=', projectId).select('cause').execute()
  if (changes.some(({ cause }) => cause?.kind === 'merge' && cause.mergeRequestId === id))
    throw conflict('The merge request is being merged')
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
  return lifecycle.setState(ctx, record, state)
}
