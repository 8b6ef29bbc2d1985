import type { UserSummary } from '../../accounts/users/user.ts'
import type { UserProfile } from '../../accounts/users/user-detail.ts'

/** The statuses that callers report. */
export const reportedStatuses = ['created', 'running', 'success', 'failed', 'canceled'] as const

/** `skipped` and `blocked` follow from the job only: it was skipped, or waits for a person. */
export const deploymentStatuses = [...reportedStatuses, 'skipped', 'blocked'] as const

export type DeploymentStatus = (typeof deploymentStatuses)[number]

/** The statuses in which a deployment has ended. */
export const finishedStatuses: readonly DeploymentStatus[] = ['success', 'failed', 'canceled']

/** A deployment of a project to an environment. */
export interface Deployment {
  /** Unique among deployments. */
  id: number
  /** Number of the deployment within the project, from 1. */
  iid: number
  /** Name of the deployed branch or tag. */
  ref: string
  /** SHA of the deployed commit, in hexadecimal. */
  sha: string
  /**
   * `created` (not started), `running`, `success`, `failed` or `canceled`, as reported. That of a deployment by a pipeline job
   * follows the job, and can also be `skipped`, or `blocked` while the job waits for a person.
   */
  status: DeploymentStatus
  /** The user who deployed; null after the removal of the user. */
  user: UserSummary | null
  /** The job that deployed; null for a deployment without a job. */
  deployable: DeploymentJob | null
  /** Time of the record; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}

/** A pipeline job as the host describes it: specification 2, "Environment". */
export interface DeploymentJob extends Omit<DeploymentJobRecord, 'userId'> {
  /** The user who started the job; null after the removal of the user. */
  user: UserProfile | null
  /** Full path of the project: `acme/web`. */
  projectPath: string
  /** Whether the job is one of a pipeline of the platform, instead of one that the host described. */
  isPipelineJob: boolean
}

/** A pipeline job as stored. */
export interface DeploymentJobRecord {
  /** Id of the job in the host. */
  id: number
  /** Status of the job in the host, such as `success`. */
  status: string
  /** Name of the stage of the pipeline, such as `deploy`. */
  stage: string
  /** Name of the job, such as `deploy-production`. */
  name: string
  /** Branch or tag on which the job ran. */
  ref: string
  /** Whether `ref` is a tag. */
  tag: boolean
  /** Test coverage in percent; null if unknown. */
  coverage: number | null
  /** Time of creation of the job; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Start of the job, ISO 8601 in UTC with milliseconds; null if it has not started or the time is unknown. */
  startedAt: string | null
  /** End of the job, ISO 8601 in UTC with milliseconds; null if it has not finished or the time is unknown. */
  finishedAt: string | null
  /** Duration in seconds; null if unknown. */
  duration: number | null
  /** The user who started the job; null after the removal of the user. */
  userId: number | null
  /** The commit on which the job ran; null if unknown. */
  commit: JobCommit | null
  /** The pipeline that contains the job; null if unknown. */
  pipeline: JobPipeline | null
  /** URL of the job in the host; null if none was given. */
  webUrl: string | null
  /** Files that the job produced; empty for none. */
  artifacts: readonly JobArtifact[]
  /** The runner that executed the job; null if unknown. */
  runner: JobRunner | null
  /** Time after which the artifacts are removed, ISO 8601 in UTC with milliseconds; null if they do not expire. */
  artifactsExpireAt: string | null
  /** Whether a failure of the job does not make the pipeline fail; omitted for a job that the host described. */
  allowFailure?: boolean
  /** When the log and the artifacts were erased: ISO 8601, UTC; null if they were not, omitted for a job that the host described. */
  erasedAt?: string | null
  /** Seconds that the job waited for its start; null before, omitted for a job that the host described. */
  queuedDuration?: number | null
  /** Why the job failed; null if it did not fail, omitted for a job that the host described. */
  failureReason?: string | null
  /** Tags of the runners that could execute the job; omitted for a job that the host described. */
  tags?: readonly string[]
}

/** The commit of a job, as the host describes it. */
export interface JobCommit {
  /** SHA of the commit, in hexadecimal. */
  id: string
  /** First line of the message. */
  title: string
  /** Whole message, with its title. */
  message: string
  /** Name of the author in git. */
  authorName: string
  /** E-mail address of the author in git. */
  authorEmail: string
  /** Time of the commit; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** SHAs of the parents; omitted, like the next fields, for a commit that the host described. */
  parentIds?: string[]
  /** When the change was written: ISO 8601. */
  authoredDate?: string
  /** Name of the committer in git. */
  committerName?: string
  /** E-mail address of the committer in git. */
  committerEmail?: string
  /** When the commit was made: ISO 8601. */
  committedDate?: string
}

/** The pipeline of a job, as the host describes it. */
export interface JobPipeline {
  /** Id of the pipeline in the host. */
  id: number
  /** Branch or tag on which the pipeline ran. */
  ref: string
  /** SHA of the commit on which the pipeline ran, in hexadecimal. */
  sha: string
  /** Status of the pipeline in the host, such as `success`. */
  status: string
  /** URL of the pipeline in the host; null if none was given. */
  webUrl: string | null
  /** When the pipeline was created: ISO 8601, UTC; omitted for a pipeline that the host described. */
  createdAt?: string
  /** When the pipeline was last changed: ISO 8601, UTC; omitted for a pipeline that the host described. */
  updatedAt?: string
}

/** A file that a job produced, as the host describes it. */
export interface JobArtifact {
  /** Kind of artifact, such as `archive`, `trace` or `junit`. */
  fileType: string
  /** Name of the file, such as `artifacts.zip`. */
  filename: string
  /** Format of the file, such as `zip`; null if unknown. */
  fileFormat: string | null
  /** Size in bytes. */
  size: number
}

/** The runner of a job, as the host describes it. */
export interface JobRunner {
  /** Id of the runner in the host. */
  id: number
  /** Name of the runner for people. */
  description: string
  /** Whether the runner accepts jobs. */
  active: boolean
  /** Whether the runner is available to all projects. */
  isShared: boolean
}
