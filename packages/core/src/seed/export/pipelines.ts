import type { PipelineJob } from '../../features/code/pipeline-records/job.ts'
import { defined } from '../../shared/defined.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, present, readShown } from './exporter.ts'

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

/** The numbers of the merge requests that pipelines belong to, by id; without those from forks, which a seed creates later. */
const readMergeRequestNumbers = async (
  { host }: Exporter,
  project: number,
  pipelines: readonly { readonly mergeRequestId: number | null }[],
): Promise<ReadonlyMap<number, number>> => {
  if (pipelines.every(({ mergeRequestId }) => mergeRequestId === null)) return new Map()
  const mergeRequests = await readShown(host.mergeRequests.list, { project })
  return new Map(mergeRequests.filter(({ fromFork }) => !fromFork).map(({ id, iid }) => [id, iid]))
}

/** Pipelines with their current jobs, oldest first. */
export const exportPipelines = async (exporter: Exporter, project: number): Promise<SeedPipelines> => {
  const { host, omit } = exporter
  const list = await readShown(host.pipelines.list, { project, sort: 'asc' })
  if (list.some(({ source }) => source === 'external')) omit('commit statuses')
  if (list.length) omit('variables, logs, artifacts and earlier attempts of pipelines')
  const numbers = await readMergeRequestNumbers(exporter, project, list)
  const pipelines = []
  for (const { id, ref, sha, source, status, tag, name, user, createdAt, mergeRequestId } of list) {
    const mergeRequest = mergeRequestId === null ? undefined : numbers.get(mergeRequestId)
    if (mergeRequestId !== null && mergeRequest === undefined) omit('pipelines of merge requests from forks')
    if (source === 'external' || (mergeRequestId !== null && mergeRequest === undefined)) continue
    const jobs = await exportJobs(exporter, project, id)
    const details = present({ tag, name, mergeRequest, user: user?.username, jobs })
    pipelines.push({ ref, sha, source, status, createdAt, ...details })
  }
  return pipelines
}

/** Schedules without their variables. Triggers are not exported: their tokens are not stored. */
export const exportPipelineSchedules = async (
  { host, omit }: Exporter,
  project: number,
): Promise<NonNullable<SeedProject['pipelineSchedules']>> => {
  const triggers = await readShown(host.pipelineTriggers.list, { project })
  if (triggers.length) omit('pipeline triggers, because only digests of their tokens are stored')
  const list = await readShown(host.pipelineSchedules.list, { project })
  const owned = list.filter(({ owner }) => owner !== null)
  if (owned.length < list.length) omit('pipeline schedules of removed users')
  if (owned.length) omit('variables of pipeline schedules, which can contain secrets')
  return owned.map(({ description, ref, cron, cronTimezone, active, inputs, owner, createdAt }) => ({
    description,
    ref,
    cron,
    cronTimezone,
    active,
    ...(inputs.length && { inputs: [...inputs] }),
    owner: defined(owner).username,
    createdAt,
    variables: [],
  }))
}
