import * as v from 'valibot'
import { readableMergeRequests } from '../../access/predicates.ts'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { userIdOf } from '../issuables/author.ts'
import { attach, milestoneId, refuseBadTitle, triage } from '../issuables/inputs.ts'
import type { MergeRequest, MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, findMergeRequest, mergeRequestColumns } from './queries.ts'
import { mergeRequest } from './subject.ts'

const Branch = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const Description = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000))))

const reload = async (
  ctx: Context,
  { projectId, iid }: Pick<MergeRequestRecord, 'projectId' | 'iid'>,
): Promise<MergeRequest> => {
  const record = await findMergeRequest(ctx, projectId, iid)
  const [complete] = record ? await completeMergeRequests(ctx, [record]) : []
  if (!complete) throw notFound()
  return complete
}

const signals = {
  closed: 'mergeRequest.closed',
  opened: 'mergeRequest.reopened',
  merged: 'mergeRequest.merged',
} as const

const setState = async (ctx: Context, record: MergeRequestRecord, state: MergeRequestRecord['state']) => {
  if (record.state === state) return reload(ctx, record)
  if (record.state === 'merged') throw conflict('A merged merge request stays merged')
  if (record.state === 'closed' && state === 'merged') throw conflict('A closed merge request has to be reopened first')
  const actorId = ctx.actor.kind === 'user' ? ctx.actor.id : null
  await ctx.db
    .updateTable('mergeRequest')
    .set({
      state,
      mergedAt: state === 'merged' ? ctx.now : null,
      mergedById: state === 'merged' ? actorId : null,
      closedAt: state === 'closed' ? ctx.now : null,
      closedById: state === 'closed' ? actorId : null,
      updatedAt: ctx.now,
    })
    .where('id', '=', record.id)
    .execute()
  const changed = await reload(ctx, record)
  await ctx.emit(signals[state], { mergeRequest: changed })
  return changed
}

export const mergeRequests = {
  /** Merge requests into a project that the caller can see, newest first. */
  list: query({
    on: project,
    can: 'mergeRequest.list',
    input: { ...paging, state: v.optional(v.picklist(['opened', 'closed', 'merged', 'all']), 'all') },
    async run(ctx, { state, ...at }, { project }) {
      const rows = ctx.db
        .selectFrom('mergeRequest')
        .innerJoin('project', 'project.id', 'mergeRequest.projectId')
        .where('mergeRequest.projectId', '=', project.id)
        .where(readableMergeRequests(ctx))
        .orderBy('mergeRequest.id', 'desc')
        .select(mergeRequestColumns)
      const page = await paginate(
        state === 'all' ? rows : rows.where('mergeRequest.state', '=', state),
        at,
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

  /** Changes a merge request. */
  update: command({
    on: mergeRequest,
    can: 'mergeRequest.update',
    input: {
      title: v.optional(v.string()),
      description: Description,
      targetBranch: v.optional(Branch),
      discussionLocked: v.optional(v.boolean()),
      ...triage,
    },
    rules: [
      atLeastOne('title', 'description', 'targetBranch', 'discussionLocked', 'labels', 'assignees', 'milestone'),
    ],
    async run(ctx, { labels, assignees, milestone, ...change }, subject) {
      refuseBadTitle(change.title)
      const before = await reload(ctx, subject.mergeRequest)
      await ctx.db
        .updateTable('mergeRequest')
        .set({ ...change, milestoneId: await milestoneId(ctx, subject, milestone), updatedAt: ctx.now })
        .where('id', '=', subject.mergeRequest.id)
        .execute()
      await attach(ctx, 'mergeRequest', subject.mergeRequest.id, subject, { labels, assignees })
      const after = await reload(ctx, subject.mergeRequest)
      await ctx.emit('mergeRequest.updated', { before, after })
      return after
    },
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
