import type { Context } from '../../../kernel/context.ts'
import { getSeconds } from '../../code/pipeline-records/pipeline.ts'
import { selectJobs, selectPipelines } from '../../code/pipeline-records/queries.ts'
import { findProjectsWithReadablePipelines } from '../../code/pipeline-records/readable-projects.ts'
import type { DeploymentJobRecord } from '../deployments/deployment.ts'

/** Jobs of pipelines as deployments show them, by their ids, for users who can see them. Their commits are not read. */
export const readDeployables = async (
  ctx: Context,
  projectId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DeploymentJobRecord>> => {
  if (!ids.length || !(await findProjectsWithReadablePipelines(ctx, [projectId])).has(projectId)) return new Map()
  const jobs = await selectJobs(ctx, projectId).where('id', 'in', ids).execute()
  const pipelineIds = [...new Set(jobs.map(({ pipelineId }) => pipelineId))]
  const pipelines = pipelineIds.length
    ? await selectPipelines(ctx, projectId).where('id', 'in', pipelineIds).execute()
    : []
  const artifacts = await ctx.db
    .selectFrom('jobArtifact')
    .where('jobId', 'in', ids)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', ctx.now)]))
    .select(['jobId', 'fileName', 'size', 'expiresAt'])
    .execute()
  const byId = new Map(pipelines.map((pipeline) => [pipeline.id, pipeline]))
  return new Map(
    jobs.flatMap(({ id, pipelineId, status, stage, name, coverage, userId, createdAt, ...record }) => {
      const { startedAt, finishedAt, queuedAt, allowFailure, erasedAt, failureReason, tags } = record
      const pipeline = byId.get(pipelineId)
      if (pipeline === undefined) return []
      const { ref, sha, tag } = pipeline
      const files = artifacts.filter(({ jobId }) => jobId === id)
      const times = { createdAt, startedAt, finishedAt, duration: getSeconds(startedAt, finishedAt) }
      const job: DeploymentJobRecord = {
        ...{ id, status, stage, name, ref, tag, coverage, userId, ...times },
        commit: null,
        pipeline: {
          ...{ id: pipelineId, ref, sha, status: pipeline.status, webUrl: null },
          ...{ createdAt: pipeline.createdAt, updatedAt: pipeline.updatedAt },
        },
        webUrl: null,
        artifacts: files.map(({ fileName: filename, size }) => ({
          ...{ fileType: 'archive', fileFormat: 'zip', filename, size },
        })),
        ...{ allowFailure, erasedAt, failureReason, tags, queuedDuration: getSeconds(queuedAt, startedAt) },
        runner: null,
        artifactsExpireAt: files[0]?.expiresAt ?? null,
      }
      return [[id, job] as const]
    }),
  )
}
