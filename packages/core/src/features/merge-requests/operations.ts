import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Database } from '../../contract/database.ts'
import { matchesSearch } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { atLeastOne, Id, Sort } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, paginateArray, pagingEntries } from '../../kernel/paging.ts'
import { parseSearchText } from '../../shared/search-text.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { MergeRequest, MergeRequestDetails, MergeRequestRecord, Reviewer } from './merge-request.ts'
import { mergeRequestUpdateInput, reload, setState, updateMergeRequest, withPermissions } from './mutations.ts'
import { completeMergeRequests, mergeRequestColumns } from './queries.ts'
import { listParticipants, listReviewers } from './reviewers.ts'
import { mergeRequest } from './subject.ts'

const listInput = {
  ...pagingEntries,
  /** `opened`, `closed` without a merge, `merged`, or `all`. */
  state: v.optional(v.picklist(['opened', 'closed', 'merged', 'all']), 'all'),
  /** Only merge requests with these numbers, at most 1,000. An empty array does not filter. */
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
  /** Only merge requests from this branch; the exact name. */
  sourceBranch: v.optional(v.string()),
  /** Only merge requests into this branch; the exact name. */
  targetBranch: v.optional(v.string()),
  /** Words that the title or the description contains, in any order; at most 1,024 characters and 8 words. */
  search: v.optional(v.string(), ''),
  /** The time by which the list is sorted; equal times by id. */
  orderBy: v.optional(v.picklist(['created_at', 'updated_at']), 'created_at'),
  /** `asc` lists the oldest first, `desc` the newest. */
  sort: v.optional(Sort, 'desc'),
}

const ListInputSchema = v.object(listInput)

const filterConditions = (
  { dialect }: Context,
  eb: ExpressionBuilder<Database, 'mergeRequest'>,
  { iids, sourceBranch, targetBranch, search }: Omit<v.InferOutput<typeof ListInputSchema>, 'state'>,
) => [
  ...(iids?.length ? [eb('mergeRequest.iid', 'in', iids)] : []),
  ...(sourceBranch === undefined ? [] : [eb('mergeRequest.sourceBranch', '=', sourceBranch)]),
  ...(targetBranch === undefined ? [] : [eb('mergeRequest.targetBranch', '=', targetBranch)]),
  matchesSearch(dialect, ['mergeRequest.title', 'mergeRequest.description'], parseSearchText(search)) ?? eb.lit(true),
]

export const mergeRequests = {
  /** Merge requests into a project that the caller can read, newest first by default. */
  list: query({
    on: project,
    can: 'mergeRequest.list',
    input: listInput,
    async run(ctx, { state, ...options }, { project }): Promise<Page<MergeRequest>> {
      const rows = ctx.db
        .selectFrom('mergeRequest')
        .where('mergeRequest.projectId', '=', project.id)
        .where((eb) => eb.and(filterConditions(ctx, eb, options)))
        .orderBy(options.orderBy === 'updated_at' ? 'mergeRequest.updatedAt' : 'mergeRequest.createdAt', options.sort)
        .orderBy('mergeRequest.id', options.sort)
        .select(mergeRequestColumns)
      const page = await paginate(
        state === 'all' ? rows : rows.where('mergeRequest.state', '=', state),
        options,
        (row): MergeRequestRecord => row,
      )
      return { ...page, items: await completeMergeRequests(ctx, page.items) }
    },
  }),

  /** One merge request of a project, with its related records. */
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

  /** Users who take part in a merge request: its author, assignees and reviewers, and the authors of public comments. */
  participants: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    run: async (ctx, paging, { mergeRequest }): Promise<Page<UserSummary>> =>
      paginateArray(await listParticipants(ctx, mergeRequest), paging),
  }),

  /** The requested reviewers of a merge request, and whether they have approved it. */
  reviewers: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    run: async (ctx, paging, { mergeRequest }): Promise<Page<Reviewer>> =>
      paginateArray(await listReviewers(ctx, mergeRequest.id), paging),
  }),
}
