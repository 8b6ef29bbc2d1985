import type { Subjects } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { defined } from '../../../shared/defined.ts'
import type { UserProfile } from '../../accounts/users/user-detail.ts'
import { userProfiles } from '../../accounts/users/user-details.ts'
import type { PipelineJob, PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { completeJobs, completePipelines, selectPipelinesOf } from '../../code/pipeline-records/queries.ts'
import { findProjectsWithReadablePipelines } from '../../code/pipeline-records/readable-projects.ts'
import { type OpenedRepository, openRepository } from '../../code/repository/opened-repository.ts'
import { type RepositoryCommit, toCommit } from '../../code/repository/repository.ts'
import { readArchiveTime } from '../pipelines/archive-time.ts'
import { readRunnersById } from '../runners/queries.ts'
import type { Runner } from '../runners/runner.ts'
import { selectArtifacts } from './artifacts.ts'

/** The archive of the files that a job created. */
export interface JobArtifact {
  /** Name of the file, such as `artifacts.zip`. */
  fileName: string
  /** Size in bytes. */
  size: number
}

/** A job with its commit and its artifacts. */
export interface PipelineJobDetails extends PipelineJob {
  /** The profile of the user who started the job; null for the host, and after the removal of the user. */
  user: UserProfile | null
  /** The commit of the pipeline; null if the repository does not contain it. */
  commit: RepositoryCommit | null
  /** The archive of the files that the job created; null without one. */
  artifact: JobArtifact | null
  /** When the artifacts can be removed: ISO 8601, UTC, with milliseconds; null if they do not expire. */
  artifactsExpireAt: string | null
  /** The pipeline that the job has started; null for none, and for one that the current user cannot read. */
  downstreamPipeline: Pipeline | null
  /** The runner that took the job; null for none. */
  runner: Runner | null
  /** Whether the pipeline is archived: its jobs cannot be retried or played. */
  archived: boolean
}

type JobWithArtifacts = Omit<PipelineJobDetails, 'archived' | 'commit' | 'downstreamPipeline' | 'runner' | 'user'> &
  Pick<PipelineJob, 'user'>

const addArtifacts = async (ctx: Context, jobs: readonly PipelineJob[]): Promise<JobWithArtifacts[]> => {
  const ids = jobs.map(({ id }) => id)
  const rows = ids.length
    ? await selectArtifacts(ctx).where('jobId', 'in', ids).select(['jobId', 'fileName', 'size', 'expiresAt']).execute()
    : []
  const artifacts = new Map(rows.map((row) => [row.jobId, row]))
  return jobs.map((job) => {
    const { fileName, size, expiresAt } = artifacts.get(job.id) ?? { fileName: '', size: 0, expiresAt: null }
    return { ...job, artifact: fileName === '' ? null : { fileName, size }, artifactsExpireAt: expiresAt }
  })
}

/** The newest pipeline of each job that starts others, if the current user can read it. */
const readDownstream = async (ctx: Context, jobs: readonly PipelineJob[]): Promise<ReadonlyMap<number, Pipeline>> => {
  const ids = jobs.flatMap(({ id, kind }) => (kind === 'bridge' ? [id] : []))
  if (!ids.length) return new Map()
  const rows = await ctx.db
    .selectFrom('pipeline')
    .where('upstreamJobId', 'in', ids)
    .orderBy('id')
    .select(['id', 'projectId', 'upstreamJobId'])
    .execute()
  const readable = await findProjectsWithReadablePipelines(
    ctx,
    rows.map(({ projectId }) => projectId),
  )
  const projectIds = [...readable]
  if (!projectIds.length) return new Map()
  const records = await selectPipelinesOf(ctx, projectIds)
    .where(
      'pipeline.id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const pipelines = new Map((await completePipelines(ctx, records)).map((pipeline) => [pipeline.id, pipeline]))
  return new Map(
    rows.flatMap(({ id, upstreamJobId }) => {
      const pipeline = pipelines.get(id)
      return pipeline ? [[defined(upstreamJobId), pipeline] as const] : []
    }),
  )
}

const readCommits = async (opened: OpenedRepository | undefined, jobs: readonly PipelineJob[]) => {
  const shas = [...new Set(jobs.map(({ pipeline }) => pipeline.sha))]
  const commits = await Promise.all(
    shas.map(async (sha) => {
      const commit = await opened?.repository.commit(sha)
      return [sha, opened && commit ? toCommit(commit, opened.projectPath) : null] as const
    }),
  )
  return new Map(commits)
}

/** Completes jobs of a project. Git is read after the transaction. */
export const describeJobs = async <T>(
  ctx: Context,
  subject: Subjects['project'],
  records: readonly PipelineJobRecord[],
  toResult: (jobs: readonly PipelineJobDetails[]) => T,
): Promise<Deferred<T>> => {
  const [opened, jobs] = await awaitAll([openRepository(ctx, subject), completeJobs(ctx, records)])
  const archiveTime = await readArchiveTime(ctx)
  const downstream = await readDownstream(ctx, jobs)
  const [users, runners, withArtifacts] = await awaitAll([
    userProfiles(
      ctx,
      records.map(({ userId }) => userId),
    ),
    readRunnersById(
      ctx,
      jobs.flatMap(({ runnerId }) => runnerId ?? []),
    ),
    addArtifacts(ctx, jobs),
  ])
  const described = withArtifacts.map((job) => ({
    ...job,
    user: users.get(job.user?.id ?? 0) ?? null,
    downstreamPipeline: downstream.get(job.id) ?? null,
    runner: runners.get(job.runnerId ?? 0) ?? null,
    archived: job.pipeline.createdAt < archiveTime,
  }))
  return afterTransaction(async () => {
    const commits = await readCommits(opened, described)
    return toResult(described.map((job) => ({ ...job, commit: commits.get(job.pipeline.sha) ?? null })))
  })
}

/** Completes one job. */
export const describeJob = (
  ctx: Context,
  subject: Subjects['project'],
  record: PipelineJobRecord,
): Promise<Deferred<PipelineJobDetails>> => describeJobs(ctx, subject, [record], ([job]) => defined(job))
