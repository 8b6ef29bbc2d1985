import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { projectPaths } from '../../spaces/projects/queries.ts'
import type { PipelineJob, PipelineJobRecord } from './job.ts'
import type { Pipeline, PipelineRecord } from './pipeline.ts'

export const pipelineColumns = [
  'pipeline.id',
  'pipeline.iid',
  'pipeline.projectId',
  'pipeline.ref',
  'pipeline.tag',
  'pipeline.sha',
  'pipeline.beforeSha',
  'pipeline.source',
  'pipeline.status',
  'pipeline.name',
  'pipeline.yamlErrors',
  'pipeline.coverage',
  'pipeline.userId',
  'pipeline.mergeRequestId',
  'pipeline.createdAt',
  'pipeline.updatedAt',
  'pipeline.startedAt',
  'pipeline.finishedAt',
] as const

/** The columns of a stored job. */
export const jobColumns = [
  'id',
  'projectId',
  'pipelineId',
  'kind',
  'name',
  'stage',
  'stageIndex',
  'status',
  'startsWhen',
  'startIn',
  'scheduledAt',
  'artifactsExpireIn',
  'allowFailure',
  'interruptible',
  'retried',
  'needs',
  'tags',
  'trigger',
  'environment',
  'environmentOptions',
  'coverage',
  'failureReason',
  'description',
  'targetUrl',
  'userId',
  'runnerId',
  'createdAt',
  'queuedAt',
  'startedAt',
  'finishedAt',
  'erasedAt',
] as const

export const selectPipelines = ({ db }: Context, projectId: number) =>
  db.selectFrom('pipeline').where('pipeline.projectId', '=', projectId).select(pipelineColumns)

/** Pipelines of several projects. */
export const selectPipelinesOf = ({ db }: Context, projectIds: readonly number[]) =>
  db.selectFrom('pipeline').where('pipeline.projectId', 'in', projectIds).select(pipelineColumns)

export const selectJobs = ({ db }: Context, projectId: number) =>
  db.selectFrom('pipelineJob').where('projectId', '=', projectId).select(jobColumns)

/** @throws PlatformError `not_found` if the project has no pipeline with this id */
export const findPipeline = async (ctx: Context, projectId: number, id: number): Promise<PipelineRecord> => {
  const record = await selectPipelines(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (record === undefined) throw notFound()
  return record
}

/** @throws PlatformError `not_found` if the project has no job with this id; commit statuses are no jobs */
export const findJob = async (ctx: Context, projectId: number, id: number): Promise<PipelineJobRecord> => {
  const record = await selectJobs(ctx, projectId)
    .where('id', '=', id)
    .where('kind', '<>', 'external')
    .executeTakeFirst()
  if (record === undefined) throw notFound()
  return record
}

/** Adds the users and the paths of the projects. */
export const completePipelines = async (ctx: Context, records: readonly PipelineRecord[]): Promise<Pipeline[]> => {
  if (!records.length) return []
  const [users, paths] = await awaitAll([
    userSummaries(
      ctx,
      records.map(({ userId }) => userId),
    ),
    projectPaths(
      ctx,
      records.map(({ projectId }) => projectId),
    ),
  ])
  return records.map(({ userId, ...record }) => ({
    ...record,
    projectPath: defined(paths.get(record.projectId)),
    user: users.get(userId ?? 0) ?? null,
  }))
}

/** Adds the users and the pipelines to jobs of one project. */
export const completeJobs = async (ctx: Context, records: readonly PipelineJobRecord[]): Promise<PipelineJob[]> => {
  const [first] = records
  if (first === undefined) return []
  const ids = [...new Set(records.map(({ pipelineId }) => pipelineId))]
  const [users, rows] = await awaitAll([
    userSummaries(
      ctx,
      records.map(({ userId }) => userId),
    ),
    selectPipelines(ctx, first.projectId).where('id', 'in', ids).execute(),
  ])
  const pipelines = new Map((await completePipelines(ctx, rows)).map((pipeline) => [pipeline.id, pipeline]))
  return records.map(({ userId, ...record }) => ({
    ...record,
    user: users.get(userId ?? 0) ?? null,
    pipeline: defined(pipelines.get(record.pipelineId)),
  }))
}

/** The newest pipeline of each commit. */
export const findLastPipelines = async (
  ctx: Context,
  projectId: number,
  shas: readonly string[],
): Promise<ReadonlyMap<string, Pipeline>> => {
  if (!shas.length) return new Map()
  const newest = ctx.db
    .selectFrom('pipeline')
    .where('projectId', '=', projectId)
    .where('sha', 'in', shas)
    .groupBy('sha')
    .select(({ fn }) => fn.max('id').as('id'))
  const rows = await selectPipelines(ctx, projectId).where('id', 'in', newest).execute()
  return new Map((await completePipelines(ctx, rows)).map((pipeline) => [pipeline.sha, pipeline]))
}
