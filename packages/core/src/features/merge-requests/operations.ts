import * as v from 'valibot'
import { container, group, instance, project } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { atLeastOne, Id } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { pagingEntries } from '../../kernel/paging.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { listFilterRules, severalProjectsInput } from '../issuables/filters.ts'
import { assertValidTitle, resolveMilestoneId, triageInput, updateLabelsAndAssignees } from '../issuables/triage.ts'
import { listInput, listMergeRequests, listMergeRequestsOfMilestone } from './list.ts'
import { Branch, Description, mergeRequestUpdateInput, reload, setState, updateMergeRequest } from './mutations.ts'
import { mergeRequest } from './subject.ts'

export const mergeRequests = {
  /** Merge requests into a project that the caller can read, newest first by default. */
  list: query({
    on: project,
    can: 'mergeRequest.list',
    input: listInput,
    rules: listFilterRules,
    run: (ctx, input, subject) => listMergeRequests(ctx, subject, input),
  }),

  /** Merge requests into projects of a group and its subgroups that the caller can read, newest first by default. */
  listOfGroup: query({
    on: group,
    can: 'mergeRequest.list',
    input: { ...listInput, ...severalProjectsInput },
    rules: listFilterRules,
    run: (ctx, input, subject) => listMergeRequests(ctx, subject, input),
  }),

  /** Merge requests of a milestone of a project or a group that the caller can read, newest first. */
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

  /** Merge requests of all projects that the caller can read, newest first; unless `scope` is set, only the caller's own. */
  listAll: query({
    on: instance,
    can: 'mergeRequest.list',
    input: { ...listInput, ...severalProjectsInput },
    rules: listFilterRules,
    run: (ctx, { scope = 'created_by_me', ...input }, subject) => listMergeRequests(ctx, subject, { ...input, scope }),
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
      const iid = await nextInternalId(ctx, 'mergeRequest', project.id)
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
          timeEstimate: 0,
          totalTimeSpent: 0,
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
