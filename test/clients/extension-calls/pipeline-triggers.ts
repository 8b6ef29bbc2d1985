import { byOwner, type ClientCalls, type ClientWorld, type UnsupportedRoutes } from './client-world.ts'
import { branchWithFile } from './pipelines.ts'

const trigger = ({ host, project }: ClientWorld) =>
  host.pipelineTriggers.create({ project, description: 'Build', owner: 'alice' })

/** A schedule with a variable; a project has at most ten schedules. */
const schedule = async (world: ClientWorld) => {
  const { host, project } = world
  const { items } = await host.pipelineSchedules.list({ project })
  for (const { id } of items) await host.pipelineSchedules.remove({ project, schedule: id })
  const fields = { description: 'Nightly', ref: await branchWithFile(world), cron: '0 1 * * *', owner: 'alice' }
  const { id } = await host.pipelineSchedules.create({ project, ...fields })
  await host.pipelineSchedules.createVariable({ project, schedule: id, key: 'KEY', value: 'x' })
  return id
}

const freezePeriod = async ({ host, project }: ClientWorld) =>
  (await host.freezePeriods.create({ project, freezeStart: '0 23 * * 5', freezeEnd: '0 8 * * 1' })).id

/** Triggers and schedules of pipelines, and freeze periods. */
export const pipelineTriggerCalls: ClientCalls = {
  'GET /projects/:id/triggers': byOwner(({ PipelineTriggerTokens }) => PipelineTriggerTokens.all('acme/web')),
  'POST /projects/:id/triggers': byOwner(({ PipelineTriggerTokens }) =>
    PipelineTriggerTokens.create('acme/web', 'Build'),
  ),
  'GET /projects/:id/triggers/:trigger_id': byOwner(async ({ PipelineTriggerTokens }, world) =>
    PipelineTriggerTokens.show('acme/web', (await trigger(world)).id),
  ),
  'PUT /projects/:id/triggers/:trigger_id': byOwner(async ({ PipelineTriggerTokens }, world) =>
    PipelineTriggerTokens.edit('acme/web', (await trigger(world)).id, { description: 'Release' }),
  ),
  'DELETE /projects/:id/triggers/:trigger_id': byOwner(async ({ PipelineTriggerTokens }, world) =>
    PipelineTriggerTokens.remove('acme/web', (await trigger(world)).id),
  ),
  'POST /projects/:id/trigger/pipeline': byOwner(async ({ PipelineTriggerTokens }, world) => {
    // The token alone decides; the refused user cannot create one.
    const created = await PipelineTriggerTokens.create('acme/web', 'Build').catch(() => undefined)
    return PipelineTriggerTokens.trigger('acme/web', await branchWithFile(world), created?.token ?? 'unknown', {
      variables: { A: 'x' },
    })
  }),
  'GET /projects/:id/freeze_periods': byOwner(({ FreezePeriods }) => FreezePeriods.all('acme/web')),
  'POST /projects/:id/freeze_periods': byOwner(({ FreezePeriods }) =>
    FreezePeriods.create('acme/web', '0 23 * * 5', '0 8 * * 1'),
  ),
  'GET /projects/:id/freeze_periods/:freeze_period_id': byOwner(async ({ FreezePeriods }, world) =>
    FreezePeriods.show('acme/web', await freezePeriod(world)),
  ),
  'PUT /projects/:id/freeze_periods/:freeze_period_id': byOwner(async ({ FreezePeriods }, world) =>
    FreezePeriods.edit('acme/web', await freezePeriod(world), { cronTimezone: 'Europe/Berlin' }),
  ),
  'DELETE /projects/:id/freeze_periods/:freeze_period_id': byOwner(async ({ FreezePeriods }, world) =>
    FreezePeriods.remove('acme/web', await freezePeriod(world)),
  ),
  'GET /projects/:id/pipeline_schedules': byOwner(({ PipelineSchedules }) =>
    PipelineSchedules.all('acme/web', { scope: 'active' }),
  ),
  'POST /projects/:id/pipeline_schedules': byOwner(async ({ PipelineSchedules }, world) => {
    await schedule(world)
    return PipelineSchedules.create('acme/web', 'Weekly', 'main', '0 1 * * 1', { cronTimezone: 'UTC' })
  }),
  'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id': byOwner(async ({ PipelineSchedules }, world) =>
    PipelineSchedules.show('acme/web', await schedule(world)),
  ),
  'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines': byOwner(
    async ({ PipelineSchedules }, world) => PipelineSchedules.allTriggeredPipelines('acme/web', await schedule(world)),
  ),
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': byOwner(async ({ PipelineSchedules }, world) =>
    PipelineSchedules.edit('acme/web', await schedule(world), { cron: '0 2 * * *' }),
  ),
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership': byOwner(
    async ({ PipelineSchedules }, world) => PipelineSchedules.takeOwnership('acme/web', await schedule(world)),
  ),
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play': byOwner(async ({ PipelineSchedules }, world) =>
    PipelineSchedules.run('acme/web', await schedule(world)),
  ),
  'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id': byOwner(async ({ PipelineSchedules }, world) =>
    PipelineSchedules.remove('acme/web', await schedule(world)),
  ),
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables': byOwner(
    async ({ PipelineScheduleVariables }, world) =>
      PipelineScheduleVariables.create('acme/web', await schedule(world), 'NEW', 'x'),
  ),
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': byOwner(
    async ({ PipelineScheduleVariables }, world) =>
      PipelineScheduleVariables.edit('acme/web', await schedule(world), 'KEY', 'y'),
  ),
  'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': byOwner(
    async ({ PipelineScheduleVariables }, world) =>
      PipelineScheduleVariables.remove('acme/web', await schedule(world), 'KEY'),
  ),
}

export const unsupportedPipelineTriggerRoutes: UnsupportedRoutes = {
  'POST /projects/:id/ref/:ref/trigger/pipeline': 'the client calls the newer form',
}
