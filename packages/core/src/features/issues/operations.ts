import * as v from 'valibot'
import { readableIssues } from '../../access/predicates.ts'
import { project } from '../../access/subjects.ts'
import { atLeastOne, Sort } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { callerKey } from '../../kernel/rate-limit.ts'
import { userIdOf } from '../issuables/author.ts'
import { attach, milestoneId, refuseBadTitle } from '../issuables/inputs.ts'
import { settingsInForce } from '../settings/queries.ts'
import { changeIssue, details, issueChange, refuseTriage, reload, setState, triageFields } from './changing.ts'
import { filtered } from './filtered.ts'
import { filterInput, filterRules } from './filters.ts'
import type { IssueRecord } from './issue.ts'
import { completeIssues, issueColumns } from './queries.ts'
import { issue } from './subject.ts'

const order = {
  orderBy: v.optional(v.picklist(['created_at', 'updated_at']), 'created_at'),
  sort: v.optional(Sort, 'desc'),
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
    limit: {
      name: 'issues_create',
      times: async (ctx) => (await settingsInForce(ctx)).issuesCreateLimit,
      by: (ctx) => callerKey(ctx.actor),
      message: 'This endpoint has been requested too many times. Try again later.',
    },
    async run(ctx, input, subject) {
      refuseTriage(ctx, input, subject)
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
    input: issueChange,
    rules: [
      atLeastOne(
        'title',
        'description',
        'dueDate',
        'labels',
        'addLabels',
        'removeLabels',
        'assignees',
        'milestone',
        'confidential',
        'discussionLocked',
        'stateEvent',
      ),
    ],
    run: changeIssue,
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
