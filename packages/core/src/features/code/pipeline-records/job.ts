import type { UserSummary } from '../../accounts/users/user.ts'
import type { JobEnvironmentOptions } from './job-environment.ts'
import type { Pipeline } from './pipeline.ts'
import type { PipelineStatus } from './status.ts'

/** `build`: a job of the pipeline file. `bridge`: starts another pipeline. `external`: a commit status. */
export type PipelineJobKind = 'build' | 'bridge' | 'external'

/** When a job starts: after success of the earlier jobs, after a failure, always, on request, or after a delay. */
export const jobStartConditions = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const

export type JobStartCondition = (typeof jobStartConditions)[number]

/** The other pipeline that a job starts. */
export interface JobTrigger {
  /** Full path of its project; null for a child pipeline of the same commit. */
  project: string | null
  /** Its branch or tag; null for the default branch, and for a child pipeline. */
  ref: string | null
  /** Text of the pipeline file of a child pipeline; null for another project. */
  config: string | null
  /** Whether the job waits for the result of the pipeline and has the same one. */
  dependsOnResult: boolean
  /** Variables that the pipeline receives. */
  variables: Readonly<Record<string, string>>
  /** Values for the inputs of the pipeline file of another project by name, as JSON; null for none. */
  inputs: string | null
}

/** A job of a pipeline as stored. */
export interface PipelineJobRecord {
  /** Unique on the instance. */
  id: number
  /** Id of the project. */
  projectId: number
  /** Id of the pipeline. */
  pipelineId: number
  /** `build`: a job of the pipeline file. `bridge`: starts another pipeline. `external`: a commit status. */
  kind: PipelineJobKind
  /** Name of the job, unique within the pipeline apart from retries. */
  name: string
  /** Name of the stage; `external` for commit statuses. */
  stage: string
  /** Position of the stage in the pipeline, from 0. */
  stageIndex: number
  /** Status of the job, such as `pending`, `running` or `success`. */
  status: PipelineStatus
  /** When the job starts, relative to the earlier jobs. */
  startsWhen: JobStartCondition
  /** Delay of a job that starts `delayed`, such as `30 minutes`; null for none. */
  startIn: string | null
  /** When a delayed job starts: ISO 8601, UTC, with milliseconds; null before the delay begins, and for other jobs. */
  scheduledAt: string | null
  /** How long the artifacts of the job are kept, such as `1 week` or `never`; null for the default of the instance. */
  artifactsExpireIn: string | null
  /** Whether a failure of the job does not make the pipeline fail. */
  allowFailure: boolean
  /** Whether the job may be canceled after its start when a newer push makes it redundant. */
  interruptible: boolean
  /** Whether a newer job replaces this one. */
  retried: boolean
  /** Names of the jobs that the job waits for; null for all jobs of earlier stages. */
  needs: readonly string[] | null
  /** Tags of the runners that could execute the job. */
  tags: readonly string[]
  /** The other pipeline that the job starts; null for jobs that start none. */
  trigger: JobTrigger | null
  /** Name of the environment that the job deploys to; null for none. */
  environment: string | null
  /** What the job does with the environment, and how it describes it; null without an environment, or with its name only. */
  environmentOptions: JobEnvironmentOptions | null
  /** Test coverage in percent; null if unknown. */
  coverage: number | null
  /** Why the job failed, such as `script_failure`; null if it did not fail. */
  failureReason: string | null
  /** Text of a commit status; null for none. */
  description: string | null
  /** URL of a commit status; null for none. */
  targetUrl: string | null
  /** Id of the user who started the job; null for the host, and after the removal of the user. */
  userId: number | null
  /** Id of the runner that took the job; null for none, and after the removal of the runner. */
  runnerId: number | null
  /** When the job was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the job could start: ISO 8601, UTC, with milliseconds; null before. */
  queuedAt: string | null
  /** When the job started: ISO 8601, UTC, with milliseconds; null before. */
  startedAt: string | null
  /** When the job ended: ISO 8601, UTC, with milliseconds; null before. */
  finishedAt: string | null
  /** When the log and the artifacts were erased: ISO 8601, UTC, with milliseconds; null if they were not. */
  erasedAt: string | null
}

/** A job of a pipeline. */
export interface PipelineJob extends Omit<PipelineJobRecord, 'userId'> {
  /** The user who started the job; null for the host, and after the removal of the user. */
  user: UserSummary | null
  /** The pipeline that contains the job. */
  pipeline: Pipeline
}
