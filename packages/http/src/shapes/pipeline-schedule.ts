import type { PipelineSchedule, PipelineScheduleDetails } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime } from '../reply/field-types.ts'
import { list, nullable, wire } from '../reply/wire.ts'
import { PipelineSummaryWire, PipelineVariableWire } from './pipeline.ts'
import { UserSummaryWire } from './user.ts'

export const PipelineScheduleWire = wire<PipelineSchedule>('PipelineSchedule')({
  id: Integer,
  description: v.string(),
  ref: v.string(),
  cron: v.string(),
  cron_timezone: v.string(),
  next_run_at: NullableDateTime,
  active: v.boolean(),
  created_at: DateTime,
  updated_at: DateTime,
  owner: nullable(UserSummaryWire),
})

export const PipelineScheduleDetailsWire = wire<PipelineScheduleDetails>('PipelineScheduleDetails')({
  ...PipelineScheduleWire.fields,
  last_pipeline: nullable(PipelineSummaryWire),
  variables: list(PipelineVariableWire),
})
