import { findProject } from '../../../../access/projects.ts'
import type { Project } from '../../../../contract/project.ts'
import type { ReviewChange } from '../../../../contract/signals.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { UserSummary } from '../../../accounts/users/user.ts'
import { findAutoMerge } from '../../../collaboration/merge-requests/auto-merge.ts'
import type { AutoMerge, MergeRequest } from '../../../collaboration/merge-requests/merge-request.ts'
import { listReviewers } from '../../../collaboration/merge-requests/reviewers.ts'
import { toTimeStats } from '../../../collaboration/time-tracking/time-stats.ts'
import type { HookPayload } from '../delivery.ts'
import { withAbsoluteImages } from './absolute-images.ts'
import { compareCreated, compareIssuables, compareLabels, compareStates, toStateId } from './changes.ts'
import { buildEnvelope, buildProject, buildUser, type PayloadContext, toProjectUrl } from './common.ts'
import { buildLabels } from './labels.ts'

/** What happened to a merge request. */
interface MergeRequestEvent {
  readonly action:
    | ('open' | 'update' | 'close' | 'reopen' | 'merge')
    | ('approval' | 'approved' | 'unapproval' | 'unapproved')
  /** The user who acts, if the host acts for the user. Default: the author. */
  readonly userId?: number
  readonly mergeRequest: MergeRequest
  /** For `update` of fields. */
  readonly before?: MergeRequest
  /** For `update` of a review. */
  readonly review?: ReviewChange
  /** For `update` by a push: the tip of the source branch before. */
  readonly previousSha?: string
  /** The tip of the source branch, if it is newer than the last comparison of the branches. */
  readonly sha?: string
}

/**
 * The project of the source branch. Undefined if it was removed, and for a private fork: those who receive the events of the target
 * project may not see it.
 */
export const findShownSource = async (
  ctx: Context,
  mergeRequestId: number,
  target: Project,
): Promise<Project | undefined> => {
  const record = ctx.db.selectFrom('mergeRequest').where('id', '=', mergeRequestId).select('sourceProjectId')
  // Not that of the merge request, which depends on who caused the event.
  const sourceId = (await record.executeTakeFirst())?.sourceProjectId ?? null
  if (sourceId === target.id) return target
  const source = sourceId === null ? undefined : await findProject(ctx, sourceId)
  return source?.visibility === 'private' ? undefined : source
}

/** The choices for the merge: those of the merge request, and those of a merge that waits for its pipeline. */
const buildMergeParams = ({ removeSourceBranch }: MergeRequest, autoMerge: AutoMerge | null): HookPayload => ({
  force_remove_source_branch: removeSourceBranch ? '1' : '0',
  ...(autoMerge && {
    auto_merge_strategy: 'merge_when_pipeline_succeeds',
    sha: autoMerge.sha,
    should_remove_source_branch: autoMerge.shouldRemoveSourceBranch,
    commit_message: autoMerge.mergeCommitMessage,
    squash_commit_message: autoMerge.squashCommitMessage,
    squash: autoMerge.squash,
  }),
})

/** A merge request in payloads, without its labels. The commit is completed when the event is sent. */
export const buildMergeRequestAttributes = async (
  payload: PayloadContext,
  project: Project,
  mergeRequest: MergeRequest,
  sha: string | null = mergeRequest.sha,
): Promise<HookPayload> => {
  const { ctx, site } = payload
  const source = await findShownSource(ctx, mergeRequest.id, project)
  const isPipelineShown = source !== undefined || mergeRequest.headPipeline?.projectId === project.id
  const stats = toTimeStats(mergeRequest)
  const autoMerge = await findAutoMerge(ctx, mergeRequest.id)
  return {
    id: mergeRequest.id,
    iid: mergeRequest.iid,
    target_branch: mergeRequest.targetBranch,
    source_branch: mergeRequest.sourceBranch,
    source_project_id: source?.id ?? null,
    author_id: mergeRequest.authorId,
    assignee_ids: mergeRequest.assignees.map(({ id }) => id),
    assignee_id: mergeRequest.assignees[0]?.id ?? null,
    assignee: mergeRequest.assignees.map(buildUser(site))[0] ?? null,
    reviewer_ids: mergeRequest.reviewers.map(({ id }) => id),
    title: mergeRequest.title,
    created_at: mergeRequest.createdAt,
    updated_at: mergeRequest.updatedAt,
    last_edited_at: null,
    last_edited_by_id: null,
    milestone_id: mergeRequest.milestoneId,
    state_id: toStateId(mergeRequest.state),
    state: mergeRequest.state,
    blocking_discussions_resolved: mergeRequest.blockingDiscussionsResolved,
    work_in_progress: mergeRequest.workInProgress,
    draft: mergeRequest.workInProgress,
    first_contribution: false,
    merge_status: mergeRequest.mergeStatus,
    detailed_merge_status: mergeRequest.detailedMergeStatus,
    merge_commit_sha: mergeRequest.mergeCommitSha,
    merge_error: mergeRequest.mergeError,
    merge_params: buildMergeParams(mergeRequest, autoMerge),
    merge_user_id: mergeRequest.mergedById ?? autoMerge?.userId ?? null,
    merge_when_pipeline_succeeds: mergeRequest.mergeWhenPipelineSucceeds,
    head_pipeline_id: isPipelineShown ? (mergeRequest.headPipeline?.id ?? null) : null,
    target_project_id: mergeRequest.projectId,
    description: withAbsoluteImages(site, project, mergeRequest.description),
    position: 0,
    time_estimate: mergeRequest.timeEstimate,
    total_time_spent: mergeRequest.totalTimeSpent,
    time_change: 0,
    human_total_time_spent: stats.humanTotalTimeSpent,
    human_time_change: null,
    human_time_estimate: stats.humanTimeEstimate,
    updated_by_id: null,
    url: `${toProjectUrl(site, project)}/-/merge_requests/${mergeRequest.iid}`,
    source: source === undefined ? null : await buildProject(payload, source),
    target: await buildProject(payload, project),
    last_commit: sha === null ? null : { id: sha },
  }
}

/** Reviewers with the present states of their reviews; users who are no reviewers any more have none. */
const createReviewerBuilder = async (
  { ctx, site }: PayloadContext,
  { mergeRequest, review }: MergeRequestEvent,
): Promise<(user: UserSummary) => HookPayload> => {
  const states = new Map((await listReviewers(ctx, mergeRequest.id)).map(({ user, state }) => [user.id, state]))
  return (user) => ({
    ...buildUser(site)(user),
    ...(states.has(user.id) && { state: states.get(user.id) }),
    re_requested: review?.reRequested === true && review.reviewerId === user.id,
  })
}

const compareReview = (
  { reviewerId, previousState }: ReviewChange,
  { reviewers }: MergeRequest,
  build: (user: UserSummary) => HookPayload,
): HookPayload => {
  const previous = reviewers.filter(({ id }) => id !== reviewerId || previousState !== null)
  return {
    reviewers: {
      previous: previous.map((user) => ({
        ...build(user),
        ...(user.id === reviewerId && { state: previousState, re_requested: false }),
      })),
      current: reviewers.map(build),
    },
  }
}

const compare = (
  site: string,
  { action, mergeRequest, before, review }: MergeRequestEvent,
  buildReviewer: (user: UserSummary) => HookPayload,
): HookPayload => {
  if (review) return compareReview(review, mergeRequest, buildReviewer)
  if (action === 'close' || action === 'merge') return compareStates('opened', mergeRequest.state)
  if (action === 'reopen') return compareStates('closed', 'opened')
  if (action === 'open') return compareCreated(site, mergeRequest, buildReviewer)
  return before ? compareIssuables(site, before, mergeRequest, buildReviewer) : {}
}

/** A new, changed, closed, reopened or merged merge request. */
export const buildMergeRequestEvent = async (
  payload: PayloadContext,
  project: Project,
  event: MergeRequestEvent,
): Promise<HookPayload> => {
  const { mergeRequest, before = mergeRequest, action, previousSha, sha } = event
  const previousLabels = action === 'open' ? [] : before.labels
  const [labels = [], previous = []] = await buildLabels(payload.ctx, project, mergeRequest.labels, previousLabels)
  const { assignees, reviewers } = mergeRequest
  const buildReviewer = await createReviewerBuilder(payload, event)
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    ...(await buildEnvelope(payload, project, event.userId ?? mergeRequest.authorId)),
    object_attributes: {
      ...(await buildMergeRequestAttributes(payload, project, mergeRequest, sha)),
      labels,
      action,
      ...(previousSha !== undefined && { oldrev: previousSha }),
    },
    labels,
    changes: { ...compare(payload.site, event, buildReviewer), ...compareLabels(previous, labels) },
    ...(assignees.length && { assignees: assignees.map(buildUser(payload.site)) }),
    ...(reviewers.length && { reviewers: reviewers.map(buildReviewer) }),
  }
}
