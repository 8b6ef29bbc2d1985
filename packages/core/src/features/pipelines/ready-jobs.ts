import type { JobStartCondition, PipelineJobKind } from '../pipeline-records/job.ts'
import { composeStatus, isFinal, type JobOutcome, type PipelineStatus } from '../pipeline-records/status.ts'

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

/** The result of the jobs that a job waits for; undefined while one of them can still change. */
const findEarlierResult = (job: PlannedJob, jobs: readonly PlannedJob[]): PipelineStatus | undefined => {
  const { needs } = job
  const earlier = jobs.filter((other) =>
    needs === null ? other.stageIndex < job.stageIndex : needs.includes(other.name) && other !== job,
  )
  const result = composeStatus(earlier) ?? 'success'
  if (!isFinal(result)) return undefined
  // A needed job that was not run has no result to work with, unlike one of an earlier stage.
  return needs !== null && earlier.some(isNotRun) ? 'canceled' : result
}

/** The new status of each job that has not started and for which all earlier jobs have ended: the rules of GitLab. */
export const findReadyJobs = <J extends PlannedJob>(jobs: readonly J[]): ReadonlyMap<J, PipelineStatus> => {
  const ready = new Map<J, PipelineStatus>()
  for (const job of jobs) {
    if (job.status !== 'created' || job.kind === 'external') continue
    const result = findEarlierResult(job, jobs)
    if (result === undefined) continue
    const mayStart =
      startResults[job.startsWhen].includes(result) || (job.startsWhen === 'always' && job.needs !== null)
    ready.set(job, mayStart ? startStatus(job) : 'skipped')
  }
  return ready
}
