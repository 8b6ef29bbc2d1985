import * as v from 'valibot'
import { readableIssuesOfProject } from '../../access/predicates.ts'
import { project } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { awaitAll } from '../../kernel/await-all.ts'
import { atLeastOne, InternalId, Sort } from '../../kernel/inputs.ts'
import { assignInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { getCallerKey } from '../../kernel/rate-limit.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { noRelations } from '../issuables/relations.ts'
import { assertValidTitle, resolveMilestoneId, updateLabelsAndAssignees } from '../issuables/triage.ts'
import { getSettings } from '../settings/queries.ts'
import { createFilterExpression } from './criteria.ts'
import { filterInput, filterRules } from './filters.ts'
import type { Issue, IssueRecord } from './issue.ts'
import {
  assertCanTriage,
  detailsInput,
  issueTriageInput,
  issueUpdateInput,
  setState,
  updateIssue,
} from './mutations.ts'
import { completeIssues, issueColumns } from './queries.ts'
import { issue } from './subject.ts'

const orderInput = {
  /** Time to sort by; equal times are sorted by id. Default: `created_at`. */
  orderBy: v.optional(v.picklist(['created_at', 'updated_at']), 'created_at'),
  /** Direction of the order. Default: `desc`, newest first. */
  sort: v.optional(Sort, 'desc'),
}

export const issues = {
  /** Lists the issues of a project that the caller can read, newest first. */
  list: query({
    on: project,
    can: 'issue.list',
    input: {
      ...pagingEntries,
      ...orderInput,
      /** Only open or only closed issues. Default: `all`. */
      state: v.optional(v.picklist(['opened', 'closed', 'all']), 'all'),
      ...filterInput,
    },
    rules: filterRules,
    async run(ctx, { state, orderBy, sort, page: pageNumber, perPage, ...filters }, subject): Promise<Page<Issue>> {
      const { project } = subject
      const matchesFilters = await createFilterExpression(ctx, subject, filters)
      const rows = ctx.db
        .selectFrom('issue')
        .where('issue.projectId', '=', project.id)
        .where(readableIssuesOfProject(ctx, subject))
        .where((eb) => matchesFilters(eb as never))
        .orderBy(orderBy === 'updated_at' ? 'issue.updatedAt' : 'issue.createdAt', sort)
        .orderBy('issue.id', sort)
        .select(issueColumns)
      const page = await paginate(
        state === 'all' ? rows : rows.where('issue.state', '=', state),
        { page: pageNumber, perPage },
        (row): IssueRecord => row,
      )
      return { ...page, items: await completeIssues(ctx, page.items) }
    },
  }),

  /** Gets an issue of a project. */
  get: query({
    on: issue,
    can: 'issue.read',
    run: async (ctx, _input, { issue }) => (await completeIssues(ctx, [issue]))[0] as Issue,
  }),

  /**
   * Creates an open issue. Only reporters and above can set labels, assignees, milestone, `confidential` and
   * `discussionLocked`.
   *
   * @throws PlatformError `forbidden` for these fields, `invalid` for an invalid title, `not_found` for an unknown assignee
   * or milestone
   */
  create: command({
    on: project,
    can: 'issue.create',
    serializes: 'project',
    input: {
      /** Not blank, at most 255 characters. */
      title: v.string(),
      /** Id or username of the author of the issue: required for calls of the host, `forbidden` for users. */
      author: v.optional(v.union([v.number(), v.string()])),
      /**
       * Number of the issue in its project, greater than all earlier ones. Default: the next one. For the host application
       * only; `forbidden` for users.
       */
      iid: v.optional(InternalId),
      ...detailsInput,
      ...issueTriageInput,
    },
    limit: {
      name: 'issues_create',
      getLimit: async (ctx) => (await getSettings(ctx)).issuesCreateLimit,
      getKey: (ctx) => getCallerKey(ctx),
      message: 'This endpoint has been requested too many times. Try again later.',
    },
    async run(ctx, input, subject) {
      assertCanTriage(ctx, input, subject)
      assertValidTitle(input.title)
      const projectId = subject.project.id
      const [iid, authorId, milestoneId = null] = await awaitAll([
        assignInternalId(ctx, 'issue', projectId, input.iid),
        resolveAuthorId(ctx, input.author),
        resolveMilestoneId(ctx, subject, input.milestone),
      ])
      const values = {
        iid,
        projectId,
        authorId,
        title: input.title,
        description: input.description ?? null,
        state: 'opened',
        confidential: input.confidential ?? false,
        discussionLocked: input.discussionLocked ?? false,
        milestoneId,
        dueDate: input.dueDate ?? null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
        closedAt: null,
        closedById: null,
      } as const satisfies CompleteRow<'issue'>
      const [row] = await ctx.db.insertInto('issue').values(values).returning('id').execute()
      const record: IssueRecord = { id: (row as { id: number }).id, ...values }
      await updateLabelsAndAssignees(ctx, 'issue', record.id, subject, input)
      const hasRelations = input.labels?.length || input.assignees?.length
      const [issue] = await completeIssues(ctx, [record], hasRelations ? undefined : () => noRelations)
      await ctx.emit('issue.opened', { issue: issue as Issue })
      return issue as Issue
    },
  }),

  /**
   * Updates an issue; absent fields stay unchanged, at least one is required. Authors can set title, description, due date and
   * state; the other fields require reporter or above.
   *
   * @throws PlatformError `forbidden` for these fields, `invalid` for an invalid title, `not_found` for an unknown assignee or
   * milestone
   */
  update: command({
    on: issue,
    can: 'issue.update',
    serializes: 'project',
    input: issueUpdateInput,
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
    run: updateIssue,
  }),

  /** Closes an issue. A closed issue stays unchanged. */
  close: command({
    on: issue,
    can: 'issue.update',
    serializes: 'project',
    run: (ctx, _input, { issue }) => setState(ctx, issue, 'closed'),
  }),

  /** Reopens an issue. An open issue stays unchanged. */
  reopen: command({
    on: issue,
    can: 'issue.update',
    serializes: 'project',
    run: (ctx, _input, { issue }) => setState(ctx, issue, 'opened'),
  }),

  /** Removes an issue with its notes and emoji. */
  remove: command({
    on: issue,
    can: 'issue.remove',
    serializes: 'project',
    async run(ctx, _input, { issue }) {
      await ctx.db.deleteFrom('issue').where('id', '=', issue.id).execute()
    },
  }),
}
