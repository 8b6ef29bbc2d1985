import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginateArray, pagingEntries } from '../../../kernel/paging.ts'
import { requestQuickActions, takeQuickActions } from '../../planning/quick-actions/request.ts'
import { mergeRequestUpdateInput } from './inputs.ts'
import type { MergeRequestDetails, Reviewer } from './merge-request.ts'
import { removeMergeRequest, updateMergeRequest } from './mutations.ts'
import { withPermissions } from './permissions.ts'
import { listReviewers } from './reviewers.ts'
import { reload } from './state.ts'
import { mergeRequest } from './subject.ts'

export const mergeRequests = {
  /**
   * Updates, closes or reopens a merge request, and executes the quick actions of the description. At least one change is required.
   */
  update: command({
    on: mergeRequest,
    can: 'mergeRequest.update',
    serializes: 'project',
    input: mergeRequestUpdateInput,
    rules: [
      atLeastOne(
        'title',
        'description',
        'targetBranch',
        'discussionLocked',
        'labels',
        'addLabels',
        'removeLabels',
        'assignees',
        'milestone',
        'reviewers',
        'squash',
        'removeSourceBranch',
        'mergeAfter',
        'approvalsBeforeMerge',
        'allowCollaboration',
        'stateEvent',
      ),
    ],
    async run(ctx, input, subject): Promise<MergeRequestDetails> {
      const { description, actions } = takeQuickActions(ctx, input.description)
      const updated = await updateMergeRequest(ctx, { ...input, description }, subject)
      const isChanged = await requestQuickActions(ctx, 'mergeRequest', subject.mergeRequest, actions)
      return withPermissions(ctx, subject, isChanged ? await reload(ctx, updated) : updated)
    },
  }),

  /**
   * Removes a merge request with its notes, emoji, approvals, to-dos and pipelines. Its branches stay. Fails with `conflict` while
   * it is being merged.
   */
  remove: command({
    on: mergeRequest,
    can: 'mergeRequest.remove',
    serializes: 'project',
    run: (ctx, _input, { mergeRequest }) => removeMergeRequest(ctx, mergeRequest),
  }),

  /** Lists the requested reviewers of a merge request, and whether they have approved it. */
  listReviewers: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    run: async (ctx, paging, { mergeRequest }): Promise<Page<Reviewer>> =>
      paginateArray(await listReviewers(ctx, mergeRequest.id), paging),
  }),
}
