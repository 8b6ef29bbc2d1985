import type { JobStartCondition, PipelineJobKind } from '../../code/pipeline-records/job.ts'
import { composeStatus, isFinal, type JobOutcome, type PipelineStatus } from '../../code/pipeline-records/status.ts'

/** The part of a job that determines when it starts. */
interface PlannedJob extends JobOutcome {
  readonly name: string
  readonly kind: PipelineJobKind
  readonly stageIndex: number
  readonly startsWhen: JobStartCondition
  /** Names of the jobs that it waits for; null for all jobs of earlier stages. */
  readonly needs: readonly string[] | null
}

/** The results of the earlier jobs with which a job starts. With others, it is skipped. */
const startResults: Readonly<Record<JobStartCondition, readonly PipelineStatus[]>> = {
  on_success: ['success', 'skipped'],
  manual: ['success', 'skipped'],
  delayed: ['success', 'skipped'],
  on_failure: ['failed'],
  always: ['success', 'failed', 'skipped'],
}

/** The status of a job that starts: a job that waits for a person or a time is not pending yet. */
const startStatus = ({ startsWhen }: PlannedJob): PipelineStatus => {
  if (startsWhen === 'manual') return 'manual'
  return startsWhen === 'delayed' ? 'scheduled' : 'pending'
}

const isNotRun = ({ status, allowFailure }: JobOutcome) => status === 'skipped' || (status === 'manual' && allowFailure)

/** The result of earlier jobs; undefined while one of them can still change. */
const findResult = (earlier: readonly PlannedJob[]): PipelineStatus | undefined => {
  const result = composeStatus(earlier) ?? 'success'
  return isFinal(result) ? result : undefined
}

/** Returns the results of the jobs with some names. A needed job that was not run has no result to work with. */
const createNeedResults = (jobs: readonly PlannedJob[]) => {
  const byName = Map.groupBy(jobs, ({ name }) => name)
  return (job: PlannedJob, needs: readonly string[]) => {
    const needed = needs.flatMap((name) => byName.get(name) ?? []).filter((other) => other !== job)
    const result = findResult(needed)
    return result !== undefined && needed.some(isNotRun) ? 'canceled' : result
  }
}

/** Returns the results of the jobs of all earlier stages. Once they can still change, so can those of later stages. */
const createStageResults = (jobs: readonly PlannedJob[]) => {
  const known = new Map<number, PipelineStatus | undefined>()
  let firstOpen = Number.POSITIVE_INFINITY
  return ({ stageIndex }: PlannedJob) => {
    if (stageIndex >= firstOpen) return undefined
    if (!known.has(stageIndex)) {
      const result = findResult(jobs.filter((other) => other.stageIndex < stageIndex))
      known.set(stageIndex, result)
      if (result === undefined) firstOpen = stageIndex
    }
    return known.get(stageIndex)
  }
}

/** The new status of each job that has not started and for which all earlier jobs have ended: the rules of GitLab. */
export const findReadyJobs = <J extends PlannedJob>(jobs: readonly J[]): ReadonlyMap<J, PipelineStatus> => {
  const ready = new Map<J, PipelineStatus>()
  const needResult = createNeedResults(jobs)
  const stageResult = createStageResults(jobs)
  for (const job of jobs.toSorted((a, b) => a.stageIndex - b.stageIndex)) {
    if (job.status !== 'created' || job.kind === 'external') continue
    const result = job.needs === null ? stageResult(job) : needResult(job, job.needs)
    if (result === undefined) continue
    const mayStart =
      startResults[job.startsWhen].includes(result) || (job.startsWhen === 'always' && job.needs !== null)
    ready.set(job, mayStart ? startStatus(job) : 'skipped')
  }
  return ready
}
