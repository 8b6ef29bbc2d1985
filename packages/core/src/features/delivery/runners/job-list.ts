import { getProjectAccessLevels } from '../../../access/actor-levels.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, complete, type Deferred } from '../../../kernel/deferred.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { findProjectsWithReadablePipelines } from '../../code/pipeline-records/readable-projects.ts'
import type { ProjectRecord } from '../../spaces/projects/project-record.ts'
import { readForkSources } from '../../spaces/projects/record-queries.ts'
import { describeJobs, type PipelineJobDetails } from '../pipeline-jobs/job-details.ts'

/** A job with its project, for lists over several projects. */
export interface JobInProject extends PipelineJobDetails {
  /** The project of the job. */
  project: ProjectRecord
}

/** Completes jobs of several projects, in their order. Those of projects that the current user cannot see are left out. */
export const describeJobsOfProjects = async <T>(
  ctx: Context,
  records: readonly PipelineJobRecord[],
  toResult: (jobs: readonly JobInProject[]) => T,
): Promise<Deferred<T>> => {
  const ids = [...new Set(records.map(({ projectId }) => projectId))]
  const levelOf = await getProjectAccessLevels(ctx, ids)
  const described: Deferred<JobInProject[]>[] = []
  const readable = await findProjectsWithReadablePipelines(ctx, ids)
  for (const record of (await readForkSources(ctx, [...readable])).values()) {
    const project = { ...record, defaultBranch: record.defaultBranch ?? '', restrictedFeatures: null }
    const subject = { kind: 'project', project, access: levelOf(record.id) } as const
    const own = records.filter(({ projectId }) => projectId === record.id)
    described.push(
      await describeJobs(ctx, subject, own, (jobs) => jobs.map((job): JobInProject => ({ ...job, project: record }))),
    )
  }
  return afterTransaction(async (runner) => {
    const jobs = (await Promise.all(described.map(async (part) => complete(part, () => runner)))).flat()
    const byId = new Map(jobs.map((job) => [job.id, job]))
    return toResult(records.flatMap(({ id }) => byId.get(id) ?? []))
  })
}
