import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { readableMergeRequests } from '../../access/predicates.ts'
import { project } from '../../access/subjects.ts'
import type { Database } from '../../database.ts'
import { matches } from '../../db/functions.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { atLeastOne, Id, Sort } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { searchPatterns } from '../../kernel/search-text.ts'
import { userIdOf } from '../issuables/author.ts'
import { attach, milestoneId, refuseBadTitle, triage } from '../issuables/inputs.ts'
import { Branch, changeMergeRequest, Description, mergeRequestChange, reload, setState } from './changing.ts'
import type { MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, mergeRequestColumns } from './queries.ts'
import { mergeRequest } from './subject.ts'

const filters = {
  ...paging,
  state: v.optional(v.picklist(['opened', 'closed', 'merged', 'all']), 'all'),
  iids: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
  sourceBranch: v.optional(v.string()),
  targetBranch: v.optional(v.string()),
  /** In title and description. */
  search: v.optional(v.string(), ''),
  orderBy: v.optional(v.picklist(['created_at', 'updated_at']), 'created_at'),
  sort: v.optional(Sort, 'desc'),
}

const Filters = v.object(filters)

const demands = (
  eb: ExpressionBuilder<Database, 'mergeRequest'>,
  { iids, sourceBranch, targetBranch, search }: Omit<v.InferOutput<typeof Filters>, 'state'>,
) => [
  ...(iids?.length ? [eb('mergeRequest.iid', 'in', iids)] : []),
  ...(sourceBranch === undefined ? [] : [eb('mergeRequest.sourceBranch', '=', sourceBranch)]),
  ...(targetBranch === undefined ? [] : [eb('mergeRequest.targetBranch', '=', targetBranch)]),
  ...searchPatterns(search).map((pattern) =>
    eb.or([matches('mergeRequest.title', pattern), matches('mergeRequest.description', pattern)]),
  ),
]

export const mergeRequests = {
  /** Merge requests into a project that the caller can see, newest first. */
  list: query({
    on: project,
    can: 'mergeRequest.list',
    input: filters,
    async run(ctx, { state, ...given }, { project }) {
      const rows = ctx.db
        .selectFrom('mergeRequest')
        .innerJoin('project', 'project.id', 'mergeRequest.projectId')
        .where('mergeRequest.projectId', '=', project.id)
        .where(readableMergeRequests(ctx))
        .where((eb) => eb.and(demands(eb, given)))
        .orderBy(given.orderBy === 'updated_at' ? 'mergeRequest.updatedAt' : 'mergeRequest.createdAt', given.sort)
        .orderBy('mergeRequest.id', given.sort)
        .select(mergeRequestColumns)
      const page = await paginate(
        state === 'all' ? rows : rows.where('mergeRequest.state', '=', state),
        given,
        (row): MergeRequestRecord => row,
      )
      return { ...page, items: await completeMergeRequests(ctx, page.items) }
    },
  }),

  /** One merge request. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    run: (ctx, _input, { mergeRequest }) => reload(ctx, mergeRequest),
  }),

  /** Opens a merge request from a branch of the same project into another. */
  create: command({
    on: project,
    can: 'mergeRequest.create',
    input: {
      title: v.string(),
      sourceBranch: Branch,
      targetBranch: v.optional(Branch),
      author: v.optional(v.union([v.number(), v.string()])),
      description: Description,
      ...triage,
    },
    async run(ctx, input, subject) {
      const { project } = subject
      const targetBranch = input.targetBranch ?? project.defaultBranch
      refuseBadTitle(input.title)
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
      const iid = await nextInternalId(ctx, 'mergeRequest', project.id)
      const [row] = await ctx.db
        .insertInto('mergeRequest')
        .values({
          iid,
          projectId: project.id,
          sourceProjectId: project.id,
          authorId: await userIdOf(ctx, input.author),
          title: input.title,
          description: input.description ?? null,
          state: 'opened',
          sourceBranch: input.sourceBranch,
          targetBranch,
          discussionLocked: false,
          milestoneId: (await milestoneId(ctx, subject, input.milestone)) ?? null,
          mergeStatus: 'can_be_merged',
          createdAt: ctx.now,
          updatedAt: ctx.now,
          mergedAt: null,
          mergedById: null,
          closedAt: null,
          closedById: null,
        })
        .returning('id')
        .execute()
      await attach(ctx, 'mergeRequest', (row as { id: number }).id, subject, input)
      const opened = await reload(ctx, { projectId: project.id, iid })
      await ctx.emit('mergeRequest.opened', { mergeRequest: opened })
      return opened
    },
  }),

  /** Changes, closes or opens a merge request. */
  update: command({
    on: mergeRequest,
    can: 'mergeRequest.update',
    input: mergeRequestChange,
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
    run: changeMergeRequest,
  }),

  /** Closes a merge request without merging it. */
  close: command({
    on: mergeRequest,
    can: 'mergeRequest.update',
    run: (ctx, _input, { mergeRequest }) => setState(ctx, mergeRequest, 'closed'),
  }),

  /** Opens a closed merge request again. */
  reopen: command({
    on: mergeRequest,
    can: 'mergeRequest.update',
    run: (ctx, _input, { mergeRequest }) => setState(ctx, mergeRequest, 'opened'),
  }),

  /** Records that a merge request was merged. */
  merge: command({
    on: mergeRequest,
    can: 'mergeRequest.merge',
    run: (ctx, _input, { mergeRequest }) => setState(ctx, mergeRequest, 'merged'),
  }),
}
