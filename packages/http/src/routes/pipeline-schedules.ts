import {
  features,
  type PipelineSchedule,
  type PipelineScheduleDetails,
  type ScheduleInput,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime } from '../reply/field-types.ts'
import { created, empty, one, page } from '../reply/responders.ts'
import { list, nullable, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { PipelineSummaryWire, PipelineVariableWire } from '../shapes/pipeline.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const ScheduleInputWire = wire<ScheduleInput>('ScheduleInput')({
  name: v.string(),
  value: v.unknown(),
})

const PipelineScheduleWire = wire<PipelineSchedule>('PipelineSchedule')({
  id: Integer,
  description: v.string(),
  ref: v.string(),
  cron: v.string(),
  cron_timezone: v.string(),
  next_run_at: NullableDateTime,
  active: v.boolean(),
  inputs: list(ScheduleInputWire),
  created_at: DateTime,
  updated_at: DateTime,
  owner: nullable(UserSummaryWire),
})

const PipelineScheduleDetailsWire = wire<PipelineScheduleDetails>('PipelineScheduleDetails')({
  ...PipelineScheduleWire.fields,
  last_pipeline: nullable(PipelineSummaryWire),
  variables: list(PipelineVariableWire),
})

const { pipelineSchedules } = features

const base = '/projects/:id/pipeline_schedules'
const schedulePath = `${base}/:pipeline_schedule_id` as const
const variablesPath = `${schedulePath}/variables` as const
const extension = { extension: true } satisfies RouteOptions
const options = { ...extension, names: { pipeline_schedule_id: 'schedule' } } satisfies RouteOptions
const owned = { ...options, hidden: ['owner'] } satisfies RouteOptions

export const pipelineScheduleRoutes = [
  route(`GET ${base}`, pipelineSchedules.list, page(PipelineScheduleWire), extension),
  route(`POST ${base}`, pipelineSchedules.create, one(PipelineScheduleDetailsWire), {
    ...extension,
    hidden: ['owner'],
  }),
  route(`GET ${schedulePath}`, pipelineSchedules.get, one(PipelineScheduleDetailsWire), options),
  route(`GET ${schedulePath}/pipelines`, pipelineSchedules.listPipelines, page(PipelineSummaryWire), options),
  route(`PUT ${schedulePath}`, pipelineSchedules.update, one(PipelineScheduleDetailsWire), options),
  route(
    `POST ${schedulePath}/take_ownership`,
    pipelineSchedules.takeOwnership,
    one(PipelineScheduleDetailsWire),
    owned,
  ),
  route(`POST ${schedulePath}/play`, pipelineSchedules.run, created(), options),
  route(`DELETE ${schedulePath}`, pipelineSchedules.remove, empty(), options),
  route(`POST ${variablesPath}`, pipelineSchedules.createVariable, one(PipelineVariableWire), options),
  route(`PUT ${variablesPath}/:key`, pipelineSchedules.updateVariable, one(PipelineVariableWire), options),
  route(`DELETE ${variablesPath}/:key`, pipelineSchedules.removeVariable, one(PipelineVariableWire, 202), options),
]
