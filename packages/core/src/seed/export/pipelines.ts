import type { PipelineJob } from '../../features/code/pipeline-records/job.ts'
import { defined } from '../../shared/defined.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, present } from './exporter.ts'

type SeedProject = NonNullable<Seed['projects']>[number]
type SeedPipelines = NonNullable<SeedProject['pipelines']>

const exportEnvironment = ({
  environment: name,
  environmentOptions,
}: Pick<PipelineJob, 'environment' | 'environmentOptions'>) =>
  name === null || environmentOptions === null ? name : { name, ...present({ ...environmentOptions }) }

const exportJobs = async (
  { host }: Exporter,
  project: number,
  pipeline: number,
): Promise<SeedPipelines[number]['jobs']> => {
  const jobs = await readAll(host.pipelineJobs.list, { project, pipeline })
  return jobs.toReversed().map(({ name, stage, status, startsWhen, ...job }) => ({
    name,
    stage,
    status,
    startsWhen,
    ...present({
      startIn: job.startIn,
      artifactsExpireIn: job.artifactsExpireIn,
      allowFailure: job.allowFailure,
      needs: job.needs,
      tags: job.tags,
      environment: exportEnvironment(job),
      coverage: job.coverage,
      startedAt: job.startedAt,
      finishedAt: job.finishedAt,
    }),
  })) as SeedPipelines[number]['jobs']
}

/** Pipelines with their current jobs, oldest first. */
export const exportPipelines = async (exporter: Exporter, project: number): Promise<SeedPipelines> => {
  const { host, omit } = exporter
  const list = await readAll(host.pipelines.list, { project, sort: 'asc' })
  if (list.some(({ source }) => source === 'external')) omit('commit statuses')
  if (list.length) omit('variables, logs, artifacts and earlier attempts of pipelines')
  const pipelines = []
  for (const { id, ref, sha, source, status, tag, name, user, createdAt } of list.filter(
    ({ source, mergeRequestId }) => source !== 'external' && mergeRequestId === null,
  )) {
    const jobs = await exportJobs(exporter, project, id)
    pipelines.push({ ref, sha, source, status, createdAt, ...present({ tag, name, user: user?.username, jobs }) })
  }
  return pipelines
}

/** Schedules without their variables. Triggers are not exported: their tokens are not stored. */
export const exportPipelineSchedules = async (
  { host, omit }: Exporter,
  project: number,
): Promise<NonNullable<SeedProject['pipelineSchedules']>> => {
  const { items: triggers } = await host.pipelineTriggers.list({ project, perPage: 1 })
  if (triggers.length) omit('pipeline triggers, because only digests of their tokens are stored')
  const list = await readAll(host.pipelineSchedules.list, { project })
  const owned = list.filter(({ owner }) => owner !== null)
  if (owned.length < list.length) omit('pipeline schedules of removed users')
  if (owned.length) omit('variables of pipeline schedules, which can contain secrets')
  return owned.map(({ description, ref, cron, cronTimezone, active, owner, createdAt }) => ({
    description,
    ref,
    cron,
    cronTimezone,
    active,
    owner: defined(owner).username,
    createdAt,
    variables: [],
  }))
}
