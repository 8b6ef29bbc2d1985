import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { isActive, isFinal, type PipelineStatus } from '../../code/pipeline-records/status.ts'

type TimedJob = Pick<PipelineJobRecord, 'status' | 'queuedAt' | 'startedAt' | 'finishedAt' | 'failureReason'>

/** A job with a new status, and the times that follow from it. Jobs that ended without a start have started at their end. */
export const withStatus = <J extends TimedJob>(job: J, status: PipelineStatus, now: string): J => {
  const hasResult = status === 'success' || status === 'failed'
  const queuedAt = job.queuedAt ?? (isActive(status) || hasResult ? now : null)
  const startedAt = job.startedAt ?? (status === 'running' || hasResult ? now : null)
  const finishedAt = isFinal(status) && status !== 'skipped' ? now : null
  return {
    ...job,
    status,
    queuedAt,
    startedAt,
    finishedAt,
    failureReason: status === 'failed' ? job.failureReason : null,
  }
}
