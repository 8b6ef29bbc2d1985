import * as v from 'valibot'
import { readableIssues } from '../../access/predicates.ts'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { atLeastOne, DateOnly, Sort } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { may } from '../../policy.ts'
import { userIdOf } from '../issuables/author.ts'
import { attach, milestoneId, refuseBadTitle, triage } from '../issuables/inputs.ts'
import { filtered } from './filtered.ts'
import { filterInput, filterRules } from './filters.ts'
import type { Issue, IssueRecord } from './issue.ts'
import { completeIssues, findIssue, issueColumns } from './queries.ts'
import { issue } from './subject.ts'

const details = {
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))),
  dueDate: v.optional(v.nullable(DateOnly)),
}

const triageFields = { ...triage, confidential: v.optional(v.boolean()), discussionLocked: v.optional(v.boolean()) }

const order = {
  orderBy: v.optional(v.picklist(['created_at', 'updated_at']), 'created_at'),
  sort: v.optional(Sort, 'desc'),
}

const needsTriage = (input: object) =>
  Object.keys(triageFields).some((name) => (input as Record<string, unknown>)[name] !== undefined)

const reload = async (ctx: Context, { projectId, iid }: Pick<IssueRecord, 'projectId' | 'iid'>): Promise<Issue> => {
  const record = await findIssue(ctx, projectId, iid)
  const [complete] = record ? await completeIssues(ctx, [record]) : []
  if (!complete) throw notFound()
  return complete
}

const setState = async (ctx: Context, record: IssueRecord, state: IssueRecord['state']): Promise<Issue> => {
  if (record.state === state) return reload(ctx, record)
  const closed = state === 'closed'
  await ctx.db
    .updateTable('issue')
    .set({
      state,
      closedAt: closed ? ctx.now : null,
      closedById: closed && ctx.actor.kind === 'user' ? ctx.actor.id : null,
      updatedAt: ctx.now,
    })
    .where('id', '=', record.id)
    .execute()
  const changed = await reload(ctx, record)
  await ctx.emit(closed ? 'issue.closed' : 'issue.reopened', { issue: changed })
  return changed
}

export const issues = {
  /** Issues of a project that the caller can see, newest first; filtered as statistics are. */
  list: query({
    on: project,
    can: 'issue.list',
    input: { ...paging, ...order, state: v.optional(v.picklist(['opened', 'closed', 'all']), 'all'), ...filterInput },
    rules: filterRules,
    async run(ctx, { state, orderBy, sort, page: number, perPage, ...filters }, subject) {
      const { project } = subject
      const wanted = await filtered(ctx, subject, filters)
      const rows = ctx.db
        .selectFrom('issue')
        .innerJoin('project', 'project.id', 'issue.projectId')
        .where('issue.projectId', '=', project.id)
        .where(readableIssues(ctx))
        .where((eb) => wanted(eb as never))
        .orderBy(orderBy === 'updated_at' ? 'issue.updatedAt' : 'issue.createdAt', sort)
        .orderBy('issue.id', sort)
        .select(issueColumns)
      const page = await paginate(
        state === 'all' ? rows : rows.where('issue.state', '=', state),
        { page: number, perPage },
        (row): IssueRecord => row,
      )
      return { ...page, items: await completeIssues(ctx, page.items) }
    },
  }),

  /** One issue. */
  get: query({ on: issue, can: 'issue.read', run: (ctx, _input, { issue }) => reload(ctx, issue) }),

  /** Opens an issue. Labels, assignees, milestone, confidentiality and the lock are for those who triage. */
  create: command({
    on: project,
    can: 'issue.create',
    input: { title: v.string(), author: v.optional(v.union([v.number(), v.string()])), ...details, ...triageFields },
    async run(ctx, input, subject) {
      if (needsTriage(input) && !may(ctx.actor, subject, 'issue.triage')) {
        throw forbidden('Only reporters and above set labels, assignees, milestone, confidentiality and the lock')
      }
      refuseBadTitle(input.title)
      const projectId = subject.project.id
      const iid = await nextInternalId(ctx, 'issue', projectId)
      const [row] = await ctx.db
        .insertInto('issue')
        .values({
          iid,
          projectId,
          authorId: await userIdOf(ctx, input.author),
          title: input.title,
          description: input.description ?? null,
          state: 'opened',
          confidential: input.confidential ?? false,
          discussionLocked: input.discussionLocked ?? false,
          milestoneId: (await milestoneId(ctx, subject, input.milestone)) ?? null,
          dueDate: input.dueDate ?? null,
          createdAt: ctx.now,
          updatedAt: ctx.now,
          closedAt: null,
          closedById: null,
        })
        .returning('id')
        .execute()
      await attach(ctx, 'issue', (row as { id: number }).id, subject, input)
      const opened = await reload(ctx, { projectId, iid })
      await ctx.emit('issue.opened', { issue: opened })
      return opened
    },
  }),

  /** Changes, closes or opens an issue. Authors set its title, description, due date and state; the rest is for those who triage. */
  update: command({
    on: issue,
    can: 'issue.update',
    input: {
      title: v.optional(v.string()),
      stateEvent: v.optional(v.picklist(['close', 'reopen'])),
      ...details,
      ...triageFields,
    },
    rules: [
      atLeastOne(
        'title',
        'description',
        'dueDate',
        'labels',
        'assignees',
        'milestone',
        'confidential',
        'discussionLocked',
        'stateEvent',
      ),
    ],
    async run(ctx, { stateEvent, ...fields }, subject) {
      const { labels, assignees, milestone, ...change } = fields
      if (needsTriage({ labels, assignees, milestone, ...change }) && !may(ctx.actor, subject, 'issue.triage')) {
        throw forbidden('Only reporters and above set labels, assignees, milestone, confidentiality and the lock')
      }
      const moved = async () =>
        stateEvent ? setState(ctx, subject.issue, stateEvent === 'close' ? 'closed' : 'opened') : undefined
      if (Object.values(fields).every((value) => value === undefined)) return (await moved()) as Issue
      refuseBadTitle(change.title)
      const before = await reload(ctx, subject.issue)
      await ctx.db
        .updateTable('issue')
        .set({ ...change, milestoneId: await milestoneId(ctx, subject, milestone), updatedAt: ctx.now })
        .where('id', '=', subject.issue.id)
        .execute()
      await attach(ctx, 'issue', subject.issue.id, subject, { labels, assignees })
      const after = await reload(ctx, subject.issue)
      await ctx.emit('issue.updated', { before, after })
      return (await moved()) ?? after
    },
  }),

  /** Closes an issue; closing a closed one changes nothing. */
  close: command({ on: issue, can: 'issue.update', run: (ctx, _input, { issue }) => setState(ctx, issue, 'closed') }),

  /** Opens a closed issue again. */
  reopen: command({ on: issue, can: 'issue.update', run: (ctx, _input, { issue }) => setState(ctx, issue, 'opened') }),

  /** Removes an issue with everything that hangs on it. */
  remove: command({
    on: issue,
    can: 'issue.remove',
    async run(ctx, _input, { issue }) {
      await ctx.db.deleteFrom('issue').where('id', '=', issue.id).execute()
    },
  }),
}
