import { addSeconds } from '../../../kernel/jobs/times.ts'
import { defined } from '../../../shared/defined.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { isActive, type PipelineStatus } from '../../code/pipeline-records/status.ts'
import { withStatus } from './job-times.ts'
import { findReadyJobs } from './ready-jobs.ts'

/** The results that a job can have. */
export const jobResults = ['success', 'failed', 'canceled', 'skipped'] as const

export type JobResult = (typeof jobResults)[number]

/** Why a job cannot start: it fails with this reason, or waits for the approval of its deployment. */
export type StartBarrier = { readonly failureReason: string } | 'approval'

/** Why jobs cannot start, by their ids. */
export type StartBarriers = ReadonlyMap<number, StartBarrier>

/** Seconds of a week, the longest delay of GitLab. */
const maxDelay = 604_800

/** When a delayed job starts whose turn comes now; null without a valid delay. */
export const findDelayedStart = ({ startIn }: { readonly startIn: string | null }, now: string): string | null => {
  const delay = startIn === null ? undefined : parseHumanDuration(startIn)
  return delay === undefined ? null : addSeconds(now, Math.min(delay, maxDelay))
}

/** Gives a job the status with which it starts, or the one that follows from its barrier. */
export const startJob = (
  job: PipelineJobRecord,
  status: PipelineStatus,
  now: string,
  barriers: StartBarriers,
): PipelineJobRecord => {
  const barrier = status === 'pending' || status === 'scheduled' ? barriers.get(job.id) : undefined
  // A user starts the job after the approval, as in GitLab.
  if (barrier === 'approval') return withStatus(job, 'manual', now)
  if (barrier !== undefined) return withStatus({ ...job, ...barrier }, 'failed', now)
  return withStatus(status === 'scheduled' ? { ...job, scheduledAt: findDelayedStart(job, now) } : job, status, now)
}

/** Starts jobs until all that remain wait for others. */
export const startReadyJobs = (
  jobs: readonly PipelineJobRecord[],
  now: string,
  barriers: StartBarriers,
): readonly PipelineJobRecord[] => {
  const ready = findReadyJobs(jobs)
  if (ready.size === 0) return jobs
  const started = jobs.map((job) => {
    const status = ready.get(job)
    return status === undefined ? job : startJob(job, status, now, barriers)
  })
  return startReadyJobs(started, now, barriers)
}

/**
 * Gives every job that runs or can run a result, stage by stage: the named one, or `success`. Jobs that wait for a person run only
 * if they are named; jobs that an earlier result skips stay skipped.
 */
export const finishJobs = (
  jobs: readonly PipelineJobRecord[],
  results: Readonly<Record<string, JobResult>>,
  now: string,
  barriers: StartBarriers,
): readonly PipelineJobRecord[] => {
  const started = startReadyJobs(jobs, now, barriers)
  const canRun = ({ status, name }: PipelineJobRecord) =>
    isActive(status) || (status === 'manual' && Object.hasOwn(results, name))
  if (!started.some(canRun)) return started
  const finished = started.map((job) => {
    if (!canRun(job)) return job
    const result = Object.hasOwn(results, job.name) ? defined(results[job.name]) : 'success'
    return withStatus({ ...job, failureReason: result === 'failed' ? 'script_failure' : null }, result, now)
  })
  return finishJobs(finished, results, now, barriers)
}
