import * as v from 'valibot'
import type { Subjects } from '../../contract/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, PlatformError } from '../../kernel/errors.ts'
import { InternalId } from '../../kernel/inputs.ts'
import { assignInternalId } from '../../kernel/internal-id.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { assertValidTitle, resolveMilestoneId, triageInput, updateLabelsAndAssignees } from '../issuables/triage.ts'
import type { MergeRequest } from './merge-request.ts'
import { loadProjectSettings } from './mergeability.ts'
import { Branch, Description, mergeOptionsInput, reload } from './mutations.ts'
import { replaceReviewers } from './reviewers.ts'

export const newMergeRequestInput = {
  /** 1 to 255 characters. A title that starts with `Draft:` or `WIP:` marks a draft. */
  title: v.string(),
  /** Name of the branch with the changes, 1 to 255 characters. A user must name an existing one if there is a repository. */
  sourceBranch: Branch,
  /** Name of the branch that receives the changes, 1 to 255 characters. Default: the project's default branch. */
  targetBranch: v.optional(Branch),
  /** Id of the project that receives the changes: the same project. */
  targetProjectId: v.optional(v.number()),
  /**
   * Id or username of the author. For the host application only, which must name one; users are the authors of
   * their merge requests.
   */
  author: v.optional(v.union([v.number(), v.string()])),
  /**
   * Number of the merge request in its project, greater than all earlier ones. Default: the next one. For the host
   * application only; `forbidden` for users.
   */
  iid: v.optional(InternalId),
  /** Text in Markdown, at most 1,000,000 characters; null or absent for none. */
  description: Description,
  ...mergeOptionsInput,
  ...triageInput,
}

const NewMergeRequest = v.object(newMergeRequestInput)
export type NewMergeRequestInput = v.InferOutput<typeof NewMergeRequest>

const assertNoOpenOne = async ({ db }: Context, projectId: number, sourceBranch: string, targetBranch: string) => {
  const open = await db
    .selectFrom('mergeRequest')
    .where('projectId', '=', projectId)
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

/** @throws PlatformError `invalid` for an invalid title, equal branches or another project as the target */
export const assertValidBranches = (
  { title, sourceBranch, targetBranch, targetProjectId }: NewMergeRequestInput,
  { project }: Subjects['project'],
): void => {
  assertValidTitle(title)
  if (targetProjectId !== undefined && targetProjectId !== project.id)
    throw invalid({ targetProjectId: ['must be the project of the source branch'] })
  if (sourceBranch === (targetBranch ?? project.defaultBranch))
    throw invalid({ sourceBranch: ["You can't use same project/branch for source and target"] })
}

/**
 * Inserts a merge request without checking the caller's permissions and the repository.
 *
 * @throws PlatformError `conflict` if an open one has the same branches
 */
export const insertMergeRequest = async (
  ctx: Context,
  input: NewMergeRequestInput,
  subject: Subjects['project'],
  mergeStatus: MergeRequest['mergeStatus'],
): Promise<MergeRequest> => {
  const { project } = subject
  const { sourceBranch, targetBranch = project.defaultBranch } = input
  await assertNoOpenOne(ctx, project.id, sourceBranch, targetBranch)
  const settings = (await loadProjectSettings(ctx, [project.id])).get(project.id)
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
      sourceBranch,
      targetBranch,
      discussionLocked: false,
      milestoneId: (await resolveMilestoneId(ctx, subject, input.milestone)) ?? null,
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
    } satisfies CompleteRow<'mergeRequest'>)
    .returning('id')
    .execute()
  const { id } = row as { id: number }
  await updateLabelsAndAssignees(ctx, 'mergeRequest', id, subject, input)
  if (input.reviewers !== undefined) await replaceReviewers(ctx, id, input.reviewers)
  const mergeRequest = await reload(ctx, { projectId: project.id, iid })
  await ctx.emit('mergeRequest.opened', { mergeRequest })
  return mergeRequest
}
