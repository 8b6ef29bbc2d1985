import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, PlatformError } from '../../../kernel/errors.ts'
import { IdOrName, InternalId, normalizeInstant } from '../../../kernel/inputs.ts'
import { assignInternalId } from '../../../kernel/internal-id.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import {
  assertValidTitle,
  resolveMilestoneId,
  triageUpdateInput,
  updateLabelsAndAssignees,
} from '../../planning/issuables/triage.ts'
import { requestQuickActions, takeQuickActions } from '../../planning/quick-actions/request.ts'
import { areOfSameNetwork } from '../../spaces/projects/fork-network.ts'
import { raiseApprovals } from '../approval-rules/merge-request-rules.ts'
import { Branch, Description, mergeOptionsInput } from './inputs.ts'
import { canCollaborate, type MergeRequest } from './merge-request.ts'
import { loadProjectSettings } from './mergeability.ts'
import { findMergeRequest } from './queries.ts'
import { replaceReviewers } from './reviewers.ts'
import { reload } from './state.ts'
import { keepPermitted } from './triage-access.ts'

/** `labels`, `assignees`, `milestone` and `reviewers` have an effect for members of the target project only. */
export const newMergeRequestInput = {
  /** 1 to 255 characters. A title that starts with `Draft:` or `WIP:` marks a draft. */
  title: v.string(),
  /** Name of the branch with the changes, 1 to 255 characters. A user must name an existing one if there is a repository. */
  sourceBranch: Branch,
  /** Name of the branch that receives the changes, 1 to 255 characters. Default: the project's default branch. */
  targetBranch: v.optional(Branch),
  /**
   * Id or full path of the project that receives the changes, and to which the merge request belongs: another one of the same fork
   * network. Default: the project of the source branch.
   */
  targetProjectId: v.optional(IdOrName),
  /**
   * Whether those who may merge may also push to the source branch. Only from a fork, while both projects are not private; false
   * otherwise. Default: false.
   */
  allowCollaboration: v.optional(v.boolean()),
  /**
   * Id or username of the author. For the host application only, which must name one; users are the authors of
   * their merge requests.
   */
  author: v.optional(v.union([v.number(), v.string()])),
  /**
   * Number of the merge request in its project, which is free. Default: the next one. For the host application only;
   * `forbidden` for users.
   */
  iid: v.optional(InternalId),
  /** Text in Markdown, at most 1,000,000 characters; null or omitted for none. */
  description: Description,
  ...mergeOptionsInput,
  ...triageUpdateInput,
}

const NewMergeRequest = v.object(newMergeRequestInput)
export type NewMergeRequestInput = v.InferOutput<typeof NewMergeRequest>

/** The source and the target project of a new merge request. */
interface NewMergeRequestProjects {
  readonly source: Project
  readonly target: Subjects['project']
}

const assertNoOpenOne = async (
  { db }: Context,
  { source, target }: NewMergeRequestProjects,
  sourceBranch: string,
  targetBranch: string,
) => {
  const open = await db
    .selectFrom('mergeRequest')
    .where('projectId', '=', target.project.id)
    .where('sourceProjectId', '=', source.id)
    .where('sourceBranch', '=', sourceBranch)
    .where('targetBranch', '=', targetBranch)
    .where('state', '=', 'opened')
    .select('iid')
    .executeTakeFirst()
  if (open) {
    const message = `Another open merge request already exists for this source branch: !${open.iid}`
    throw new PlatformError('conflict', message, { reason: 'duplicate' })
  }
}

/**
 * The project that a new merge request belongs to, for a caller who may create merge requests from the source project.
 *
 * @throws PlatformError `invalid` for an invalid title or equal branches, `not_found` or `forbidden` without access to the target,
 * `unprocessable` for a target outside the fork network
 */
export const loadTargetProject = async (
  ctx: Context,
  source: Subjects['project'],
  { title, sourceBranch, targetBranch, targetProjectId }: NewMergeRequestInput,
): Promise<Subjects['project']> => {
  assertValidTitle(title)
  const target = targetProjectId === undefined ? source : await loadVisible(ctx, project, { project: targetProjectId })
  if (target.project.id === source.project.id) {
    if (sourceBranch === (targetBranch ?? target.project.defaultBranch))
      throw invalid({ sourceBranch: ["You can't use same project/branch for source and target"] })
    return source
  }
  assertAbility(ctx.actor, target, 'mergeRequest.createIn')
  if (!(await areOfSameNetwork(ctx, source.project.id, target.project.id)))
    throw new PlatformError('unprocessable', 'Source project is not a fork of the target project')
  return target
}

interface RepositoryState {
  readonly mergeStatus: MergeRequest['mergeStatus']
  /** Stores the head of the source branch, before the merge request is reported. Default: none is known. */
  readonly storeHead?: (ctx: Context, mergeRequestId: number) => Promise<unknown>
}

/**
 * Inserts a merge request without checking the current user's permissions and the repository.
 *
 * @throws PlatformError `conflict` if an open one has the same branches
 */
export const insertMergeRequest = async (
  ctx: Context,
  input: NewMergeRequestInput,
  projects: NewMergeRequestProjects,
  { mergeStatus, storeHead }: RepositoryState,
): Promise<MergeRequest> => {
  const { source, target: subject } = projects
  const triage = keepPermitted(ctx, subject, input)
  const { description, actions } = takeQuickActions(ctx, input.description)
  const { project } = subject
  const { sourceBranch, targetBranch = project.defaultBranch } = input
  await assertNoOpenOne(ctx, projects, sourceBranch, targetBranch)
  const settings = (await loadProjectSettings(ctx, [project.id])).get(project.id)
  const iid = await assignInternalId(
    ctx,
    'mergeRequest',
    project.id,
    input.iid,
    async (number) => (await findMergeRequest(ctx, project.id, number)) === undefined,
  )
  const { id } = await ctx.db
    .insertInto('mergeRequest')
    .values({
      iid,
      projectId: project.id,
      sourceProjectId: source.id,
      authorId: await resolveAuthorId(ctx, input.author),
      title: input.title,
      description: description ?? null,
      state: 'opened',
      sourceBranch,
      targetBranch,
      discussionLocked: false,
      milestoneId: (await resolveMilestoneId(ctx, subject, triage.milestone)) ?? null,
      mergeStatus,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      mergedAt: null,
      mergedById: null,
      closedAt: null,
      closedById: null,
      squash: input.squash ?? settings?.squashOption === 'default_on',
      removeSourceBranch: input.removeSourceBranch ?? settings?.removeSourceBranchAfterMerge ?? false,
      mergeCommitSha: null,
      squashCommitSha: null,
      mergeError: null,
      mergeWhenPipelineSucceeds: false,
      autoMerge: null,
      timeEstimate: 0,
      totalTimeSpent: 0,
      allowCollaboration: (input.allowCollaboration ?? false) && canCollaborate(source, project),
      mergeAfter: input.mergeAfter ? normalizeInstant(input.mergeAfter) : null,
    } satisfies CompleteRow<'mergeRequest'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await updateLabelsAndAssignees(ctx, 'mergeRequest', id, subject, triage)
  if (triage.reviewers !== undefined) await replaceReviewers(ctx, id, triage.reviewers)
  await storeHead?.(ctx, id)
  if (input.approvalsBeforeMerge !== undefined) await raiseApprovals(ctx, project, id, input.approvalsBeforeMerge)
  const mergeRequest = await reload(ctx, { projectId: project.id, iid })
  await ctx.emit('mergeRequest.opened', { mergeRequest })
  await requestQuickActions(ctx, 'mergeRequest', mergeRequest, actions)
  return mergeRequest
}
