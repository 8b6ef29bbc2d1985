import { features, type PipelineTrigger } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { PipelineWire } from '../shapes/pipeline.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const PipelineTriggerWire = wire<PipelineTrigger>('PipelineTrigger')({
  id: Integer,
  description: v.string(),
  token: v.string(),
  expires_at: NullableDateTime,
  created_at: DateTime,
  updated_at: DateTime,
  last_used: NullableDateTime,
  owner: UserSummaryWire,
})

const { pipelineTriggers } = features

const base = '/projects/:id/triggers'
const triggerPath = `${base}/:trigger_id` as const
const extension = { extension: true } satisfies RouteOptions
const options = { ...extension, names: { trigger_id: 'trigger' } } satisfies RouteOptions

/** The second path is the older one, which senders of webhooks use because the ref is in it. */
const runPaths = ['/projects/:id/trigger/pipeline', '/projects/:id/ref/:ref/trigger/pipeline'] as const

export const pipelineTriggerRoutes = [
  route(`GET ${base}`, pipelineTriggers.list, page(PipelineTriggerWire), extension),
  route(`POST ${base}`, pipelineTriggers.create, one(PipelineTriggerWire), {
    ...extension,
    hidden: ['owner', 'secret'],
  }),
  route(`GET ${triggerPath}`, pipelineTriggers.get, one(PipelineTriggerWire), options),
  route(`PUT ${triggerPath}`, pipelineTriggers.update, one(PipelineTriggerWire), options),
  route(`DELETE ${triggerPath}`, pipelineTriggers.remove, empty(), options),
  ...runPaths.map((path) => route(`POST ${path}`, pipelineTriggers.run, one(PipelineWire), extension)),
]
