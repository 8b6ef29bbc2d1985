import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const author = { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' }
const files = [{ path: '.gitlab-ci.yml', content: 'build: { script: make }' }]

/** Tokens of triggers by the visibility of their project. */
const tokens = new Map<string, string>()

/** A trigger of a developer, and a schedule of the owner with a variable. */
const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    await host.commits.import({ project, commits: [{ message: 'x', author, files }] })
    const { token } = await host.pipelineTriggers.create({ project, description: 'x', owner: 'developer' })
    tokens.set(visibility, token)
    const nightly = { description: 'x', ref: 'main', cron: '0 1 * * *', owner: 'owner' }
    const { id } = await host.pipelineSchedules.create({ project, ...nightly })
    await host.pipelineSchedules.createVariable({ project, schedule: id, key: 'KEY', value: 'x' })
  }
}

const readTrigger = async ({ visibility }: { visibility: string }, { host }: FakeForge) =>
  (await host.pipelineTriggers.list({ project: `${visibility}/code` })).items[0]?.id
const readSchedule = async ({ visibility }: { visibility: string }, { host }: FakeForge) =>
  (await host.pipelineSchedules.list({ project: `${visibility}/code` })).items[0]?.id

const readers = '200·404·404 200·200·404 200 200 200 200 200 200'
const owner = (status = 200) => `401 403·403·404 403 403 403 403 ${status} 403`
const developers = (status = 200) => `401 403·403·404 403 403 ${status} ${status} ${status} ${status}`
const maintainers = (status = 200) => `401 403·403·404 403 403 403 ${status} ${status} ${status}`

describe('triggers', () => {
  const base = '/projects/:id/triggers'
  permissionTable(
    [
      `GET ${base} ${maintainers()}`,
      `POST ${base} ${maintainers(201)}`,
      `GET ${base}/:trigger_id ${maintainers()}`,
      `PUT ${base}/:trigger_id ${maintainers()}`,
      `DELETE ${base}/:trigger_id ${maintainers(204)}`,
      // Only the token matters.
      'POST /projects/:id/ref/main/trigger/pipeline?token=unknown 404 404 404 404 404 404 404 404',
      'POST /projects/:id/trigger/pipeline 201 201 201 201 201 201 201 201',
      'POST /projects/:id/ref/main/trigger/pipeline 201 201 201 201 201 201 201 201',
    ].join('\n'),
    {
      prepare,
      path: { trigger_id: readTrigger },
      bodies: {
        [`POST ${base}`]: { description: 'x' },
        [`PUT ${base}/:trigger_id`]: { description: 'y' },
        'POST /projects/:id/trigger/pipeline': ({ visibility }) => ({ token: tokens.get(visibility), ref: 'main' }),
        'POST /projects/:id/ref/main/trigger/pipeline': ({ visibility }) => ({ token: tokens.get(visibility) }),
      },
    },
  )
})

describe('schedules', () => {
  const base = '/projects/:id/pipeline_schedules'
  const path = `${base}/:schedule_id`
  permissionTable(
    [
      `GET ${base} ${readers}`,
      `POST ${base} ${developers(201)}`,
      `GET ${path} ${readers}`,
      `GET ${path}/pipelines ${readers}`,
      `PUT ${path} ${owner()}`,
      `POST ${path}/take_ownership ${maintainers(201)}`,
      `POST ${path}/play ${developers(201)}`,
      `DELETE ${path} ${maintainers(204)}`,
      `POST ${path}/variables ${owner(201)}`,
      `PUT ${path}/variables/KEY ${owner()}`,
      `DELETE ${path}/variables/KEY ${owner(202)}`,
    ].join('\n'),
    {
      prepare,
      path: { schedule_id: readSchedule },
      bodies: {
        [`POST ${base}`]: { description: 'x', ref: 'main', cron: '0 1 * * *' },
        [`PUT ${path}`]: { ref: 'x' },
        [`POST ${path}/variables`]: { key: 'NEW', value: 'x' },
        [`PUT ${path}/variables/KEY`]: { value: 'y' },
      },
    },
  )
})

describe('freeze periods', () => {
  const base = '/projects/:id/freeze_periods'
  const period = { freezeStart: '0 23 * * 5', freezeEnd: '0 8 * * 1' }
  const reporters = '401 403·403·404 403 200 200 200 200 200'
  permissionTable(
    [
      `GET ${base} ${reporters}`,
      `GET ${base}/:freeze_period_id ${reporters}`,
      `POST ${base} ${maintainers(201)}`,
      `PUT ${base}/:freeze_period_id ${maintainers()}`,
      `DELETE ${base}/:freeze_period_id ${maintainers(204)}`,
    ].join('\n'),
    {
      prepare: async ({ host }) => {
        for (const visibility of visibilities)
          await host.freezePeriods.create({ project: `${visibility}/code`, ...period })
      },
      path: { freeze_period_id: ({ visibility }) => visibilities.indexOf(visibility) + 1 },
      bodies: {
        [`POST ${base}`]: { freeze_start: period.freezeStart, freeze_end: period.freezeEnd },
        [`PUT ${base}/:freeze_period_id`]: { cron_timezone: 'Europe/Berlin' },
      },
    },
  )
})

everyRouteOf('pipeline triggers', 'pipeline schedules', 'freeze periods')
