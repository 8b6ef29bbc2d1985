import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, IdOrName, Instant, InternalId } from '../../../kernel/inputs.ts'
import { assignInternalId, reserveInternalId } from '../../../kernel/internal-id.ts'
import { command, query } from '../../../kernel/operation.ts'
import { getCallerKey } from '../../../kernel/rate-limit.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { assertNotSpam } from '../../administration/settings/spam-check.ts'
import { resolveEpicId, setEpic } from '../epic-issues/assign.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { readCreationTime } from '../issuables/backdating.ts'
import { getDefaultScope, listFilterRules, placeListInput } from '../issuables/filters.ts'
import { noRelations } from '../issuables/relations.ts'
import { assertValidTitle, resolveMilestoneId, updateLabelsAndAssignees } from '../issuables/triage.ts'
import { placeOrMilestone } from '../milestones/subject.ts'
import { requestQuickActions, takeQuickActions } from '../quick-actions/request.ts'
import { listInput } from './filters.ts'
import { followUpInput, readFollowUp } from './follow-up.ts'
import type { IssueDetails, IssueRecord } from './issue.ts'
import { listIssues } from './list.ts'
import { cloneIssue, moveIssue } from './move.ts'
import {
  assertCanTriage,
  detailsInput,
  insertIssue,
  issueTriageUpdateInput,
  issueUpdateInput,
  reload,
  updateIssue,
} from './mutations.ts'
import { completeIssues, findIssue, findIssueById } from './queries.ts'
import { reorderIssue } from './reorder.ts'
import { issue, issueIdEntries, issueOrId } from './subject.ts'
import { withSubscription } from './subscription.ts'

export const issues = {
  /**
   * Lists the issues of a project, of a group and its subgroups, of a milestone, or of all projects that the current user can read,
   * newest first: of all projects, unless `scope` is set, only those that the current user created.
   */
  list: query({
    on: placeOrMilestone,
    can: 'issue.list',
    input: { ...listInput, ...placeListInput },
    rules: listFilterRules,
    run: (ctx, { scope, ...input }, subject) =>
      listIssues(ctx, subject, { ...input, scope: scope ?? getDefaultScope(subject) }),
  }),

  /** Gets an issue by its project and number, or by its id on the instance. */
  get: query({
    on: issueOrId,
    can: 'issue.read',
    input: issueIdEntries,
    async run(ctx, { id }, subject): Promise<IssueDetails> {
      const record = subject.kind === 'issue' ? subject.issue : await findIssueById(ctx, defined(id))
      if (!record) throw notFound()
      const [issue] = await completeIssues(ctx, [record])
      return withSubscription(ctx, defined(issue))
    },
  }),

  /**
   * Moves an issue to another project: creates a copy with its comments there, and closes this one. Labels and the milestone are
   * kept if the other project has equal ones. Requires reporter or above in both projects.
   *
   * @throws PlatformError `invalid` if the issue was moved before or is in the project already, `not_found` for an invisible
   * project, `forbidden` without the permission to triage there
   */
  move: command({
    on: issue,
    can: 'issue.triage',
    serializes: 'instance',
    input: {
      /** Id or full path of the project that gets the issue. */
      toProject: IdOrName,
    },
    run: async (ctx, { toProject }, subject) => withSubscription(ctx, await moveIssue(ctx, subject, toProject)),
  }),

  /**
   * Creates a copy of an issue with the current user as its author, in the same or another project. Labels and the milestone are
   * kept if that project has equal ones. Requires reporter or above in both projects.
   *
   * @throws PlatformError `not_found` for an invisible project, `forbidden` without the permission to triage there
   */
  clone: command({
    on: issue,
    can: 'issue.triage',
    serializes: 'instance',
    input: {
      /** Id or full path of the project that gets the copy. */
      toProject: IdOrName,
      /** Whether to copy the comments too. */
      withNotes: v.optional(v.boolean(), false),
    },
    run: async (ctx, input, subject) => withSubscription(ctx, await cloneIssue(ctx, subject, input)),
  }),

  /**
   * Creates an open issue, and executes the quick actions of the description of a user. Only reporters and above can set labels,
   * assignees, milestone, weight, `confidential` and `discussionLocked`.
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
       * Number of the issue in its project, which no other issue has. Ignored unless the current user is an owner or administrator.
       * Default: the next one.
       */
      iid: v.optional(InternalId),
      /**
       * Time of creation for imports; ISO 8601, UTC without an offset. Ignored unless the current user is an owner or
       * administrator. Default: now.
       */
      createdAt: v.optional(Instant),
      ...detailsInput,
      ...issueTriageUpdateInput,
      ...followUpInput,
    },
    limit: {
      name: 'issues_create',
      getLimit: async (ctx) => (await getSettings(ctx)).issuesCreateLimit,
      getKey: (ctx) => getCallerKey(ctx),
      message: 'This endpoint has been requested too many times. Try again later.',
    },
    async run(ctx, input, subject): Promise<IssueDetails> {
      assertCanTriage(ctx, input, subject)
      assertValidTitle(input.title)
      await assertNotSpam(ctx, { kind: 'issue', text: [input.title, input.description].filter(Boolean).join('\n\n') })
      const projectId = subject.project.id
      const mayBackdate = () => hasAbility<'project'>(ctx.actor, subject, 'issue.backdate')
      const isFree = async (iid: number) => (await findIssue(ctx, projectId, iid)) === undefined
      const [iid, authorId, milestoneId = null, followUp] = await awaitAll([
        mayBackdate() && input.iid !== undefined
          ? reserveInternalId(ctx, 'issue', projectId, input.iid, isFree)
          : assignInternalId(ctx, 'issue', projectId, undefined),
        resolveAuthorId(ctx, input.author),
        resolveMilestoneId(ctx, subject, input.milestone),
        readFollowUp(ctx, subject, input),
      ])
      const { description, actions } = takeQuickActions(ctx, input.description)
      const values = {
        iid,
        projectId,
        authorId,
        title: input.title,
        description: description ?? followUp?.description ?? null,
        state: 'opened',
        issueType: input.issueType ?? 'issue',
        confidential: input.confidential ?? false,
        discussionLocked: input.discussionLocked ?? false,
        milestoneId,
        dueDate: input.dueDate ?? null,
        weight: input.weight ?? null,
        createdAt: readCreationTime(input.createdAt, mayBackdate) ?? ctx.now,
        updatedAt: ctx.now,
        closedAt: null,
        closedById: null,
        timeEstimate: 0,
        totalTimeSpent: 0,
        movedToId: null,
        healthStatus: input.healthStatus ?? null,
      } as const satisfies Omit<IssueRecord, 'id'>
      const record = await insertIssue(ctx, values)
      await updateLabelsAndAssignees(ctx, 'issue', record.id, subject, input)
      const epicId = await resolveEpicId(ctx, subject.project, input)
      if (epicId) await setEpic(ctx, record.id, subject.project, epicId)
      const hasRelations = input.labels?.length || input.addLabels?.length || input.assignees?.length || epicId
      const [issue] = await completeIssues(ctx, [record], hasRelations ? undefined : () => noRelations)
      const continues = followUp && { mergeRequest: followUp.mergeRequest, discussions: followUp.discussions }
      await ctx.emit('issue.opened', { issue: defined(issue), ...(continues && { continues }) })
      if (await requestQuickActions(ctx, 'issue', record, actions))
        return withSubscription(ctx, await reload(ctx, record))
      // Authors are subscribed to their new issues.
      return { ...defined(issue), subscribed: ctx.actor.kind === 'user' }
    },
  }),

  /**
   * Updates an issue, and executes the quick actions of the description; omitted fields stay unchanged, at least one is required. Authors can set title, description, due date and
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
        'weight',
        'issueType',
        'epicId',
        'epicIid',
        'confidential',
        'discussionLocked',
        'healthStatus',
        'stateEvent',
      ),
    ],
    async run(ctx, { updatedAt, ...input }, subject) {
      const mayBackdate = () => hasAbility<'issue'>(ctx.actor, subject, 'note.backdate')
      const now = readCreationTime(updatedAt, mayBackdate) ?? ctx.now
      const { description, actions } = takeQuickActions(ctx, input.description)
      const issue = await updateIssue({ ...ctx, now }, { ...input, description }, subject)
      const isChanged = await requestQuickActions(ctx, 'issue', issue, actions)
      return withSubscription(ctx, isChanged ? await reload(ctx, issue) : issue)
    },
  }),

  /**
   * Moves an issue in the manual order of its project, which lists with `orderBy: 'relative_position'` have. With both
   * neighbors, it comes directly after the first one.
   *
   * @throws PlatformError `not_found` for an issue of another project, or one that the current user cannot read
   */
  reorder: command({
    on: issue,
    can: 'issue.update',
    serializes: 'project',
    input: {
      /** Id, not iid, of an issue of the project: the moved one comes directly after it. */
      moveBeforeId: v.optional(Id),
      /** Id, not iid, of an issue of the project: the moved one comes directly before it. */
      moveAfterId: v.optional(Id),
    },
    rules: [atLeastOne('moveBeforeId', 'moveAfterId')],
    run: async (ctx, input, subject) => withSubscription(ctx, await reorderIssue(ctx, input, subject)),
  }),

  /** Removes an issue with its notes and emoji. */
  remove: command({
    on: issue,
    can: 'issue.remove',
    serializes: 'project',
    async run(ctx, _input, { issue }) {
      await assertRowUnmodified(ctx, 'issue', issue.id)
      await ctx.db.deleteFrom('issue').where('id', '=', issue.id).execute()
    },
  }),
}
