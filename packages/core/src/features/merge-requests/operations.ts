import { container, group, instance, project } from '../../access/subjects.ts'
import { atLeastOne, Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginateArray, pagingEntries } from '../../kernel/paging.ts'
import { severalProjectsInput } from '../issuables/filters.ts'
import { listInput, listRules } from './filters.ts'
import { listMergeRequests, listMergeRequestsOfMilestone } from './list.ts'
import type { MergeRequestDetails, Reviewer } from './merge-request.ts'
import {
  mergeRequestUpdateInput,
  reload,
  removeMergeRequest,
  setState,
  updateMergeRequest,
  withPermissions,
} from './mutations.ts'
import { listReviewers } from './reviewers.ts'
import { mergeRequest } from './subject.ts'

export const mergeRequests = {
  /** Lists merge requests into a project that the caller can read, newest first by default. */
  list: query({
    on: project,
    can: 'mergeRequest.list',
    input: listInput,
    rules: listRules,
    run: (ctx, input, subject) => listMergeRequests(ctx, subject, input),
  }),

  /** Lists merge requests into projects of a group and its subgroups that the caller can read, newest first by default. */
  listOfGroup: query({
    on: group,
    can: 'mergeRequest.list',
    input: { ...listInput, ...severalProjectsInput },
    rules: listRules,
    run: (ctx, input, subject) => listMergeRequests(ctx, subject, input),
  }),

  /** Lists merge requests of a milestone of a project or a group that the caller can read, newest first. */
  listOfMilestone: query({
    on: container,
    can: 'milestone.read',
    input: {
      ...pagingEntries,
      /** Id of a milestone of the project or group. */
      milestoneId: Id,
    },
    run: (ctx, { milestoneId, ...paging }, subject) => listMergeRequestsOfMilestone(ctx, subject, milestoneId, paging),
  }),

  /** Lists merge requests of all projects that the caller can read, newest first; unless `scope` is set, only the caller's own. */
  listAll: query({
    on: instance,
    can: 'mergeRequest.list',
    input: { ...listInput, ...severalProjectsInput },
    rules: listRules,
    run: (ctx, { scope = 'created_by_me', ...input }, subject) => listMergeRequests(ctx, subject, { ...input, scope }),
  }),

  /** Gets a merge request of a project, with its related records. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    run: (ctx, _input, { mergeRequest }) => reload(ctx, mergeRequest),
  }),

  /** Updates, closes or reopens a merge request. At least one change is required. */
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
        'allowCollaboration',
        'stateEvent',
      ),
    ],
    run: async (ctx, input, subject): Promise<MergeRequestDetails> =>
      withPermissions(ctx, subject, await updateMergeRequest(ctx, input, subject)),
  }),

  /** Closes a merge request without merging it. A closed one is unchanged; a merged one fails with `conflict`. */
  close: command({
    on: mergeRequest,
    can: 'mergeRequest.update',
    serializes: 'project',
    run: (ctx, _input, { mergeRequest }) => setState(ctx, mergeRequest, 'closed'),
  }),

  /** Reopens a closed merge request. An open one is unchanged; a merged one fails with `conflict`. */
  reopen: command({
    on: mergeRequest,
    can: 'mergeRequest.update',
    serializes: 'project',
    run: (ctx, _input, { mergeRequest }) => setState(ctx, mergeRequest, 'opened'),
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
