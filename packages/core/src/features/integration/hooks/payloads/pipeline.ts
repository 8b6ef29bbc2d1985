import { findProject } from '../../../../access/projects.ts'
import type { Project } from '../../../../contract/project.ts'
import type { PipelineJob } from '../../../code/pipeline-records/job.ts'
import { getEnvironmentAction, guessTier } from '../../../code/pipeline-records/job-environment.ts'
import { getSeconds, type Pipeline } from '../../../code/pipeline-records/pipeline.ts'
import { completeJobs, selectJobs } from '../../../code/pipeline-records/queries.ts'
import { completeMergeRequests, mergeRequestColumns } from '../../../collaboration/merge-requests/queries.ts'
import type { HookPayload } from '../delivery.ts'
import { buildProject, buildPushedRepository, buildUser, type PayloadContext, toProjectUrl } from './common.ts'
import { findShownSource } from './merge-request.ts'

const noSha = '0'.repeat(40)

const buildEnvironment = (job: PipelineJob): HookPayload | null => {
  const { environment: name, environmentOptions } = job
  if (name === null) return null
  return {
    name,
    action: getEnvironmentAction(job) ?? null,
    deployment_tier: environmentOptions?.deploymentTier ?? guessTier(name),
  }
}

const buildJob = (site: string, job: PipelineJob): HookPayload => ({
  id: job.id,
  stage: job.stage,
  name: job.name,
  status: job.status,
  created_at: job.createdAt,
  started_at: job.startedAt,
  finished_at: job.finishedAt,
  duration: getSeconds(job.startedAt, job.finishedAt),
  queued_duration: getSeconds(job.queuedAt, job.startedAt),
  failure_reason: job.failureReason,
  when: job.startsWhen,
  manual: job.startsWhen === 'manual',
  allow_failure: job.allowFailure,
  user: job.user && buildUser(site)(job.user),
  runner: null,
  artifacts_file: { filename: null, size: null },
  environment: buildEnvironment(job),
})

const buildMergeRequest = async (
  { ctx, site }: PayloadContext,
  project: Project,
  id: number | null,
): Promise<HookPayload | null> => {
  const record =
    id === null
      ? undefined
      : await ctx.db.selectFrom('mergeRequest').where('id', '=', id).select(mergeRequestColumns).executeTakeFirst()
  const [mergeRequest] = record ? await completeMergeRequests(ctx, [record]) : []
  const target = mergeRequest && (await findProject(ctx, mergeRequest.projectId))
  // Those who receive the events of a fork may not see a private target project.
  const isShown = target !== undefined && (target.id === project.id || target.visibility !== 'private')
  return mergeRequest === undefined || !isShown
    ? null
    : {
        id: mergeRequest.id,
        iid: mergeRequest.iid,
        title: mergeRequest.title,
        source_branch: mergeRequest.sourceBranch,
        source_project_id: (await findShownSource(ctx, mergeRequest.id, target))?.id ?? null,
        target_branch: mergeRequest.targetBranch,
        target_project_id: mergeRequest.projectId,
        state: mergeRequest.state,
        merge_status: mergeRequest.mergeStatus,
        detailed_merge_status: mergeRequest.detailedMergeStatus,
        url: `${toProjectUrl(site, target)}/-/merge_requests/${mergeRequest.iid}`,
      }
}

const readJobs = async ({ ctx }: PayloadContext, { id, projectId }: Pipeline) =>
  completeJobs(
    ctx,
    await selectJobs(ctx, projectId)
      .where('pipelineId', '=', id)
      .where('retried', '=', false)
      .where('kind', '<>', 'external')
      .orderBy('id')
      .execute(),
  )

/** A new pipeline, or a new status of one. The commit is completed when the event is sent; secret variables are left out. */
export const buildPipelineEvent = async (
  payload: PayloadContext,
  project: Project,
  pipeline: Pipeline,
): Promise<HookPayload> => {
  const jobs = await readJobs(payload, pipeline)
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: pipeline.id,
      iid: pipeline.iid,
      name: pipeline.name,
      ref: pipeline.ref,
      tag: pipeline.tag,
      sha: pipeline.sha,
      before_sha: pipeline.beforeSha ?? noSha,
      source: pipeline.source,
      status: pipeline.status,
      detailed_status: pipeline.status === 'success' ? 'passed' : pipeline.status,
      stages: [...new Set(jobs.map(({ stage }) => stage))],
      created_at: pipeline.createdAt,
      finished_at: pipeline.finishedAt,
      duration: getSeconds(pipeline.startedAt, pipeline.finishedAt),
      queued_duration: getSeconds(pipeline.createdAt, pipeline.startedAt),
      variables: [],
      url: `${toProjectUrl(payload.site, project)}/-/pipelines/${pipeline.id}`,
    },
    merge_request: await buildMergeRequest(payload, project, pipeline.mergeRequestId),
    user: pipeline.user && buildUser(payload.site)(pipeline.user),
    project: await buildProject(payload, project),
    commit: { id: pipeline.sha },
    builds: jobs.map((job) => buildJob(payload.site, job)),
  }
}

/** A new job, or a new status of one. The commit is completed when the event is sent. */
export const buildJobEvent = async (
  payload: PayloadContext,
  project: Project,
  job: PipelineJob,
): Promise<HookPayload> => {
  const { pipeline } = job
  return {
    object_kind: 'build',
    ref: pipeline.ref,
    tag: pipeline.tag,
    before_sha: pipeline.beforeSha ?? noSha,
    sha: pipeline.sha,
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: job.status,
    build_created_at: job.createdAt,
    build_started_at: job.startedAt,
    build_finished_at: job.finishedAt,
    build_duration: getSeconds(job.startedAt, job.finishedAt),
    build_queued_duration: getSeconds(job.queuedAt, job.startedAt),
    build_allow_failure: job.allowFailure,
    build_failure_reason: job.failureReason ?? 'unknown_failure',
    pipeline_id: pipeline.id,
    runner: null,
    project_id: project.id,
    project_name: project.fullPath,
    user: job.user && buildUser(payload.site)(job.user),
    // The id is that of the pipeline, as in GitLab.
    commit: {
      id: pipeline.id,
      name: pipeline.name,
      sha: pipeline.sha,
      status: pipeline.status,
      duration: getSeconds(pipeline.startedAt, pipeline.finishedAt),
      started_at: pipeline.startedAt,
      finished_at: pipeline.finishedAt,
    },
    repository: buildPushedRepository(payload, project),
    project: await buildProject(payload, project),
    environment: buildEnvironment(job),
  }
}
