import type { Generated } from 'kysely'
import type { ScheduleInput } from './schedule-input.ts'

export interface PipelineScheduleTables {
  /** Creates pipelines of a project at recurring times. */
  pipelineSchedule: {
    id: Generated<number>
    projectId: number
    /** The user for whom it creates pipelines; null after the removal of that user. */
    ownerId: number | null
    description: string
    ref: string
    cron: string
    cronTimezone: string
    active: boolean
    inputs: readonly ScheduleInput[]
    /** Null if it is not active, or its pattern matches no later time. */
    nextRunAt: string | null
    /** The encrypted variables as JSON; null for none. */
    sealedVariables: string | null
    createdAt: string
    updatedAt: string
  }
  /** A pipeline that a schedule has created. */
  pipelineScheduleRun: {
    scheduleId: number
    pipelineId: number
  }
}
