import type { UserSummary } from '../../accounts/users/user.ts'
import type { PipelineStatus } from '../../code/pipeline-records/status.ts'

export const commitStatusStates = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const

/** A status that another system reported for a commit, or the status of a job of one of its pipelines. */
export interface CommitStatus {
  /** Unique on the instance, also among jobs. */
  id: number
  /** Full hexadecimal SHA of the commit. */
  sha: string
  /** Name of the branch or tag. */
  ref: string
  /** Reported status, or the status of the job. */
  status: PipelineStatus
  /** Name that distinguishes the statuses of a commit. */
  name: string
  /** URL with more information; null for none. */
  targetUrl: string | null
  /** Text about the status; null for none. */
  description: string | null
  /** Test coverage in percent; null if it was not reported. */
  coverage: number | null
  /** Whether a failure does not make the pipeline fail. */
  allowFailure: boolean
  /** Id of the pipeline that contains the status. */
  pipelineId: number
  /** The user who reported the status; null for the host, and after the removal of the user. */
  author: UserSummary | null
  /** When the status was first reported: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the work started: ISO 8601, UTC, with milliseconds; null before. */
  startedAt: string | null
  /** When the work ended: ISO 8601, UTC, with milliseconds; null before. */
  finishedAt: string | null
}
