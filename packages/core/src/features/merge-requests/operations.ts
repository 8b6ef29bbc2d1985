import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Database } from '../../contract/database.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { matchesSearch } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { atLeastOne, Id, InternalId, Sort } from '../../kernel/inputs.ts'
import { assignInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { parseSearchText } from '../../shared/search-text.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { assertValidTitle, resolveMilestoneId, triageInput, updateLabelsAndAssignees } from '../issuables/triage.ts'
import type { MergeRequest, MergeRequestRecord } from './merge-request.ts'
import { Branch, Description, mergeRequestUpdateInput, reload, setState, updateMergeRequest } from './mutations.ts'
import { completeMergeRequests, mergeRequestColumns } from './queries.ts'
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

  /**
   * Opens a merge request between two branches of the same project. Fails with `conflict` if an open one has the same
   * branches.
   */
  create: command({
    on: project,
    can: 'mergeRequest.create',
    serializes: 'project',
    input: {
      /** 1 to 255 characters. A title that starts with `Draft:` or `WIP:` marks a draft. */
      title: v.string(),
      /** Name of the branch with the changes, 1 to 255 characters. It need not exist. */
      sourceBranch: Branch,
      /** Name of the branch that receives the changes, 1 to 255 characters. Default: the project's default branch. */
      targetBranch: v.optional(Branch),
      /**
       * Id or username of the author. For the host application only, which must name one; users are the authors of
       * their merge requests.
       */
      author: v.optional(v.union([v.number(), v.string()])),
      /**
       * Number of the merge request in its project, greater than all earlier ones. Default: the next one. For the host application
       * only; `forbidden` for users.
       */
      iid: v.optional(InternalId),
      /** Text in Markdown, at most 1,000,000 characters; null or absent for none. */
      description: Description,
      ...triageInput,
    },
    async run(ctx, input, subject) {
      const { project } = subject
      const targetBranch = input.targetBranch ?? project.defaultBranch
      assertValidTitle(input.title)
      if (input.sourceBranch === targetBranch) {
        throw invalid({ sourceBranch: ["You can't use same project/branch for source and target"] })
      }
      const open = await ctx.db
        .selectFrom('mergeRequest')
        .where('projectId', '=', project.id)
        .where('sourceBranch', '=', input.sourceBranch)
        .where('targetBranch', '=', targetBranch)
        .where('state', '=', 'opened')
        .select('iid')
        .executeTakeFirst()
      if (open) throw conflict(`Another open merge request already exists for this source branch: !${open.iid}`)
      const iid = await assignInternalId(ctx, 'mergeRequest', project.id, input.iid)
      const [row] = await ctx.db
        .insertInto('mergeRequest')
        .values({
          iid,
          projectId: project.id,
          sourceProjectId: project.id,
          authorId: await resolveAuthorId(ctx, input.author),
          title: input.title,
          description: input.description ?? null,
          state: 'opened',
          sourceBranch: input.sourceBranch,
          targetBranch,
          discussionLocked: false,
          milestoneId: (await resolveMilestoneId(ctx, subject, input.milestone)) ?? null,
          mergeStatus: 'can_be_merged',
          createdAt: ctx.now,
          updatedAt: ctx.now,
          mergedAt: null,
          mergedById: null,
          closedAt: null,
          closedById: null,
        } satisfies CompleteRow<'mergeRequest'>)
        .returning('id')
        .execute()
      await updateLabelsAndAssignees(ctx, 'mergeRequest', (row as { id: number }).id, subject, input)
      const mergeRequest = await reload(ctx, { projectId: project.id, iid })
      await ctx.emit('mergeRequest.opened', { mergeRequest })
      return mergeRequest
    },
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
        'stateEvent',
      ),
    ],
    run: updateMergeRequest,
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

  /** Marks a merge request as merged; does not change the repository. Fails with `conflict` for a closed one. */
  merge: command({
    on: mergeRequest,
    can: 'mergeRequest.merge',
    serializes: 'project',
    run: (ctx, _input, { mergeRequest }) => setState(ctx, mergeRequest, 'merged'),
  }),
}
