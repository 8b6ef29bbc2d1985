import type { UserSummary } from '../../accounts/users/user.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import type { PipelineVariable } from '../pipelines/variables.ts'
import type { ScheduleInput } from './schedule-input.ts'

/** Creates pipelines of a project at recurring times, with the permissions of its owner. */
export interface PipelineSchedule {
  /** Unique on the instance. */
  id: number
  /** Name for people. */
  description: string
  /** Branch or tag of the pipelines. */
  ref: string
  /** When it creates pipelines: minute, hour, day of the month, month and day of the week, such as `0 1 * * *`. */
  cron: string
  /** Time zone of `cron`, an IANA name such as `Europe/Berlin`. */
  cronTimezone: string
  /** When it creates the next pipeline; null if it is not active, or `cron` matches no later time. */
  nextRunAt: string | null
  /** Whether it creates pipelines. */
  active: boolean
  /** Values for the inputs of the pipeline file. */
  inputs: readonly ScheduleInput[]
  /** Time of the creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
  /** The user for whom it creates pipelines; null after the removal of that user. */
  owner: UserSummary | null
}

/** A schedule with its newest pipeline and its variables. */
export interface PipelineScheduleDetails extends PipelineSchedule {
  /** The newest pipeline that it has created; null if there is none. */
  lastPipeline: Pipeline | null
  /** Variables of its pipelines; empty for users who may not change the schedule. */
  variables: readonly PipelineVariable[]
}

/** A schedule as the database stores it. */
export interface PipelineScheduleRecord extends Omit<PipelineSchedule, 'owner'> {
  readonly projectId: number
  readonly ownerId: number | null
}
