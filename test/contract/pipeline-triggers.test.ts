import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { openDemo } from '../support/open-demo.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

const time = '2026-01-01T00:00:00.000Z'
const pipelineFile = 'build: { script: make }\nnightly: { script: make, rules: [{ if: $NIGHT }] }\n'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo, time })
  send = client(forge)
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const files = [{ path: '.gitlab-ci.yml', content: pipelineFile }]
  const commits = [{ branch: 'main', message: 'Build', author, files }]
  await forge.host.commits.import({ project: 'acme/web', commits })
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'
const summaryOf = (username: string) => expect.objectContaining({ username })
const jobsOf = async (pipeline: number) =>
  (await forge.host.pipelineJobs.list({ project: 'acme/web', pipeline })).items.map(({ name }) => name).sort()

const commitInputs = async () => {
  const content = `spec:
  inputs:
    count: { type: number, default: 1 }
    targets: { type: array, default: [] }
---
build: { script: make, parallel: "$[[ inputs.count ]]" }
"$[[ inputs.targets[0] ]]": { script: make }
`
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const commits = [{ branch: 'main', message: 'Inputs', author, files: [{ path: '.gitlab-ci.yml', content }] }]
  await forge.host.commits.import({ project: 'acme/web', commits })
}

describe('triggers', () => {
  const path = `${web}/triggers`
  const create = async (json: object = {}) =>
    (await send(`POST ${path}`, { as: 'alice', json: { description: 'nightly', ...json } })).body

  test('are created, listed, changed and removed', async () => {
    const created = await create()
    expect(created).toEqual({
      id: expect.any(Number),
      description: 'nightly',
      token: expect.stringMatching(/^fgtt-[\w-]{27}$/),
      expires_at: null,
      created_at: time,
      updated_at: time,
      last_used: null,
      owner: summaryOf('alice'),
    })
    const shown = { ...created, token: created.token.slice(5, 9) }
    const get = `${path}/${created.id}`
    expect((await send(`GET ${path}`, { as: 'alice' })).body).toEqual([shown])
    expect((await send(`GET ${get}`, { as: 'alice' })).body).toEqual(shown)
    const changed = await send(`PUT ${get}`, { as: 'alice', json: { description: 'weekly' } })
    expect(changed.body).toEqual({ ...shown, description: 'weekly' })
    expect((await send(`DELETE ${get}`, { as: 'alice' })).status).toBe(204)
    expect(await send(`GET ${get}`, { as: 'alice' })).toMatchObject({
      status: 404,
      body: { message: '404 Trigger Not Found' },
    })
    expect((await send(`POST ${path}`, { as: 'alice', json: {} })).status).toBe(400)
    const other = '/projects/acme%2Ftools%2Fdeploy/triggers'
    const { id } = await create()
    expect((await send(`GET ${other}/${id}`, { as: 'alice' })).status).toBe(404)
  })

  test('create pipelines for their owner without another credential', async () => {
    const { id, token } = await create()
    const json = { token, ref: 'main', variables: { NIGHT: '1' } }
    const { status, body } = await send(`POST ${web}/trigger/pipeline`, { json })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ref: 'main', source: 'trigger', user: { username: 'alice' } })
    expect(await jobsOf(body.id)).toEqual(['build', 'nightly'])
    const older = await send(`POST ${web}/ref/main/trigger/pipeline?token=${token}`)
    expect(older).toMatchObject({ status: 201, body: { source: 'trigger' } })
    expect(await jobsOf(older.body.id)).toEqual(['build'])
    const form = await send(`POST ${web}/trigger/pipeline?token=${token}&ref=main&variables[NIGHT]=yes`)
    expect(await jobsOf(form.body.id)).toEqual(['build', 'nightly'])
    expect((await send(`GET ${path}/${id}`, { as: 'alice' })).body.last_used).toBe(time)
  })

  test('and the API give values to the inputs of the pipeline file', async () => {
    await commitInputs()
    const { token } = await create()
    const inputs = { count: 3, targets: ['deploy'] }
    const jobs = ['build 1/3', 'build 2/3', 'build 3/3', 'deploy']
    const triggered = await send(`POST ${web}/trigger/pipeline`, { json: { token, ref: 'main', inputs } })
    expect(await jobsOf(triggered.body.id)).toEqual(jobs)
    const form = await send(
      `POST ${web}/ref/main/trigger/pipeline?token=${token}&inputs[count]=3&inputs[targets]=["deploy"]`,
    )
    expect(await jobsOf(form.body.id)).toEqual(jobs)
    const created = await send(`POST ${web}/pipeline`, { as: 'alice', json: { ref: 'main', inputs } })
    expect(await jobsOf(created.body.id)).toEqual(jobs)
    const wrong = await send(`POST ${web}/pipeline`, { as: 'alice', json: { ref: 'main', inputs: { count: 'many' } } })
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: { base: ['`count` input: provided value is not a number'] } },
    })
  })

  test('reject unknown, foreign and expired tokens, missing refs and names of variables that are not valid', async () => {
    const { token } = await create({ expires_at: '2026-01-01T01:00:00Z' })
    const run = (json: object, project = web) =>
      send(`POST ${project}/trigger/pipeline`, { json: { token, ref: 'main', ...json } })
    expect(await run({ token: 'fgtt-unknown' })).toMatchObject({ status: 404, body: { message: '404 Not found' } })
    expect((await run({}, '/projects/acme%2Ftools%2Fdeploy')).status).toBe(404)
    expect((await run({}, '/projects/missing')).status).toBe(404)
    expect(await run({ ref: 'missing' })).toMatchObject({
      status: 400,
      body: { message: { base: ['Reference not found'] } },
    })
    expect((await run({ variables: { 'not valid': 'x' } })).status).toBe(400)
    expect((await run({ token: undefined })).status).toBe(400)
    forge.clock.set('2026-01-01T01:00:00Z')
    expect((await run({})).status).toBe(404)
  })

  test('end with the permission of their owner', async () => {
    const { token } = await create()
    const run = () => send(`POST ${web}/trigger/pipeline`, { json: { token, ref: 'main' } })
    await forge.host.users.block({ user: 'alice' })
    expect((await run()).status).toBe(404)
    await forge.host.users.unblock({ user: 'alice' })
    expect((await run()).status).toBe(201)
    await forge.host.projects.archive({ project: 'acme/web' })
    expect((await run()).status).toBe(404)
  })
})

describe('schedules', () => {
  const path = `${web}/pipeline_schedules`
  const nightly = { description: 'Nightly', ref: 'main', cron: '0 1 * * *' }
  const create = async (json: object = {}, as = 'bob') =>
    (await send(`POST ${path}`, { as, json: { ...nightly, ...json } })).body
  const pipelinesOf = async (id: number) => (await send(`GET ${path}/${id}/pipelines`, { as: 'bob' })).body

  test('are created, listed, changed and removed', async () => {
    const created = await create()
    const schedule = {
      id: expect.any(Number),
      ...nightly,
      cron_timezone: 'UTC',
      next_run_at: '2026-01-01T01:00:00.000Z',
      active: true,
      inputs: [],
      created_at: time,
      updated_at: time,
      owner: summaryOf('bob'),
    }
    const details = { ...schedule, last_pipeline: null, variables: [] }
    expect(created).toEqual(details)
    const get = `${path}/${created.id}`
    expect((await send(`GET ${path}`, { as: 'carol' })).body).toEqual([schedule])
    expect((await send(`GET ${path}?scope=inactive`, { as: 'carol' })).body).toEqual([])
    expect((await send(`GET ${get}`, { as: 'carol' })).body).toEqual(details)
    const change = { cron: '30 6 * * mon', cron_timezone: 'Europe/Berlin' }
    const changed = await send(`PUT ${get}`, { as: 'bob', json: change })
    expect(changed.body).toEqual({ ...details, ...change, next_run_at: '2026-01-05T05:30:00.000Z' })
    const inactive = await send(`PUT ${get}`, { as: 'bob', json: { active: false } })
    expect(inactive.body).toMatchObject({ active: false, next_run_at: null })
    const owned = await send(`POST ${get}/take_ownership`, { as: 'alice' })
    expect(owned.body.owner).toEqual(summaryOf('alice'))
    expect((await send(`PUT ${get}`, { as: 'bob', json: { active: true } })).status).toBe(403)
    expect((await send(`DELETE ${get}`, { as: 'bob' })).status).toBe(403)
    expect((await send(`DELETE ${get}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`GET ${get}`, { as: 'alice' })).status).toBe(404)
  })

  test('need valid patterns and time zones, and are at most ten', async () => {
    const rejected = async (json: object) =>
      (await send(`POST ${path}`, { as: 'bob', json: { ...nightly, ...json } })).body
    for (const cron of ['', '* * * *', '@daily', '61 * * * *', '0 0 0 1 * *', 'every day'])
      expect(await rejected({ cron }), cron).toMatchObject({ message: { cron: ['is invalid syntax'] } })
    expect(await rejected({ cron_timezone: 'Mars/North' })).toMatchObject({
      message: { cron_timezone: ['is invalid syntax'] },
    })
    for (let count = 0; count < 10; count++) await create()
    expect(await rejected({})).toMatchObject({
      message: { base: ['Maximum number of ci pipeline schedules (10) exceeded'] },
    })
  })

  test('have variables, which only those see who may change the schedule', async () => {
    const { id } = await create()
    const variables = `${path}/${id}/variables`
    const variable = { key: 'NIGHT', value: '1', variable_type: 'env_var', raw: false }
    const added = await send(`POST ${variables}`, { as: 'bob', json: { key: 'NIGHT', value: '1' } })
    expect(added).toMatchObject({ status: 201, body: variable })
    expect((await send(`POST ${variables}`, { as: 'bob', json: { key: 'NIGHT', value: '2' } })).status).toBe(400)
    expect((await send(`GET ${path}/${id}`, { as: 'bob' })).body.variables).toEqual([variable])
    expect((await send(`GET ${path}/${id}`, { as: 'carol' })).body.variables).toEqual([])
    const changed = await send(`PUT ${variables}/NIGHT`, { as: 'bob', json: { value: '2' } })
    expect(changed.body).toEqual({ ...variable, value: '2' })
    expect(await send(`DELETE ${variables}/NIGHT`, { as: 'bob' })).toMatchObject({ status: 202, body: changed.body })
    expect((await send(`DELETE ${variables}/NIGHT`, { as: 'bob' })).status).toBe(404)
    expect((await send(`PUT ${variables}/NIGHT`, { as: 'bob', json: { value: '2' } })).status).toBe(404)
  })

  test('have inputs, which changes replace by name', async () => {
    await commitInputs()
    const inputs = [
      { name: 'count', value: 2 },
      { name: 'targets', value: ['a'] },
    ]
    const { id, ...created } = await create({ inputs })
    expect(created.inputs).toEqual(inputs)
    const get = `${path}/${id}`
    await send(`POST ${get}/play`, { as: 'bob' })
    expect(await jobsOf((await pipelinesOf(id))[0].id)).toEqual(['a', 'build 1/2', 'build 2/2'])
    const json = {
      inputs: [
        { name: 'targets', destroy: true },
        { name: 'count', value: 1 },
      ],
    }
    const changed = [{ name: 'count', value: 1 }]
    expect((await send(`PUT ${get}`, { as: 'bob', json })).body.inputs).toEqual(changed)
    expect((await send(`PUT ${get}`, { as: 'bob', json: { active: false } })).body.inputs).toEqual(changed)
    expect((await send(`GET ${path}`, { as: 'bob' })).body[0].inputs).toEqual(changed)
    const refused = { inputs: [{ name: 'count' }] }
    expect((await send(`PUT ${get}`, { as: 'bob', json: refused })).body.message).toEqual({
      inputs: ['value of count is missing'],
    })
  })

  test('create a pipeline on request', async () => {
    const { id } = await create()
    await send(`POST ${path}/${id}/variables`, { as: 'bob', json: { key: 'NIGHT', value: '1' } })
    const played = await send(`POST ${path}/${id}/play`, { as: 'alice' })
    expect(played).toMatchObject({ status: 201, body: { message: '201 Created' } })
    const [pipeline] = await pipelinesOf(id)
    expect(pipeline).toMatchObject({ source: 'schedule', ref: 'main', status: 'pending' })
    expect(await jobsOf(pipeline.id)).toEqual(['build', 'nightly'])
    expect((await send(`GET ${path}/${id}`, { as: 'bob' })).body.last_pipeline).toEqual(pipeline)
    await send(`PUT ${path}/${id}`, { as: 'bob', json: { ref: 'missing' } })
    expect((await send(`POST ${path}/${id}/play`, { as: 'bob' })).status).toBe(400)
  })

  test('create pipelines when they are due, for their owner', async () => {
    const { id } = await create({ cron: '0 1 3 * *' })
    await forge.clock.advance({ days: 40 })
    const details = (await send(`GET ${path}/${id}`, { as: 'bob' })).body
    expect(details.next_run_at).toBe('2026-03-03T01:00:00.000Z')
    const pipelines = await pipelinesOf(id)
    expect(pipelines.map(({ created_at }: { created_at: string }) => created_at.slice(0, 16))).toEqual([
      '2026-01-03T01:00',
      '2026-02-03T01:00',
    ])
    const { user } = await forge.host.pipelines.get({ project: 'acme/web', pipeline: pipelines[0].id })
    expect(user?.username).toBe('bob')
  })

  test('skip times without a pipeline, and end with the permission of their owner', async () => {
    const { id } = await create({ ref: 'missing' })
    await forge.clock.advance({ days: 2 })
    expect(await pipelinesOf(id)).toEqual([])
    const stillActive = (await send(`GET ${path}/${id}`, { as: 'alice' })).body
    expect(stillActive).toMatchObject({ active: true, next_run_at: '2026-01-03T01:00:00.000Z' })
    await send(`PUT ${path}/${id}`, { as: 'bob', json: { ref: 'main' } })
    await forge.host.users.block({ user: 'bob' })
    await forge.clock.advance({ days: 2 })
    const ended = (await send(`GET ${path}/${id}`, { as: 'alice' })).body
    expect(ended).toMatchObject({ active: false, next_run_at: null, last_pipeline: null })
  })
})

describe('freeze periods', () => {
  const path = `${web}/freeze_periods`
  // The time of the world is a Thursday.
  const weekend = { freeze_start: '0 23 * * 5', freeze_end: '0 8 * * 1' }
  const create = async (json: object) => send(`POST ${path}`, { as: 'alice', json })

  test('are created, listed, changed and removed', async () => {
    const { status, body: created } = await create(weekend)
    const period = { id: created.id, ...weekend, cron_timezone: 'UTC', created_at: time, updated_at: time }
    expect({ status, created }).toEqual({ status: 201, created: period })
    const later = (await create({ ...weekend, cron_timezone: 'Europe/Berlin' })).body
    expect((await send(`GET ${path}`, { as: 'alice' })).body).toEqual([period, later])
    expect((await send(`GET ${path}?per_page=1&page=2`, { as: 'alice' })).body).toEqual([later])
    const get = `${path}/${created.id}`
    expect((await send(`GET ${get}`, { as: 'alice' })).body).toEqual(period)
    await forge.clock.advance({ minutes: 1 })
    const changed = await send(`PUT ${get}`, { as: 'alice', json: { freeze_end: '30 7 * * mon' } })
    expect(changed.body).toMatchObject({ ...weekend, freeze_end: '30 7 * * mon', created_at: time })
    expect(changed.body.updated_at).not.toBe(time)
    expect((await send(`DELETE ${get}`, { as: 'alice' })).status).toBe(204)
    const missing = { status: 404, body: { message: '404 Freeze Period Not Found' } }
    expect(await send(`GET ${get}`, { as: 'alice' })).toMatchObject(missing)
  })

  test('need valid patterns and time zones', async () => {
    const message = ['is invalid syntax']
    expect(await create({ freeze_start: 'x', freeze_end: '@daily' })).toMatchObject({
      status: 400,
      body: { message: { freeze_start: message, freeze_end: message } },
    })
    expect((await create({ ...weekend, cron_timezone: 'Mars' })).body).toEqual({ message: { cron_timezone: message } })
    expect((await create({ freeze_start: '* * * * *' })).status).toBe(400)
    const { id } = (await create(weekend)).body
    expect((await send(`PUT ${path}/${id}`, { as: 'alice', json: { freeze_end: '61 * * * *' } })).status).toBe(400)
  })

  test('define CI_DEPLOY_FREEZE from their beginning to their end, in their time zone', async () => {
    const isFrozenAt = async (now: string) => {
      forge.clock.set(now)
      const content = 'deploy: { script: x, rules: [{ if: $CI_DEPLOY_FREEZE == "true" }] }\nbuild: { script: x }'
      const json = { content, dry_run: true, include_jobs: true }
      const { jobs } = (await send(`POST ${web}/ci/lint`, { as: 'bob', json })).body
      return jobs.some(({ name }: { name: string }) => name === 'deploy')
    }
    await create({ ...weekend, cron_timezone: 'Europe/Berlin' })
    // A pattern that never matches, and one whose beginning and end are the same.
    await create({ freeze_start: '0 0 30 2 *', freeze_end: '0 0 * * *' })
    await create({ freeze_start: '0 0 * * *', freeze_end: '0 0 * * *' })
    expect(await isFrozenAt('2026-01-02T21:59:59.999Z')).toBe(false)
    expect(await isFrozenAt('2026-01-02T22:00:00.000Z')).toBe(true)
    expect(await isFrozenAt('2026-01-05T06:59:59.999Z')).toBe(true)
    expect(await isFrozenAt('2026-01-05T07:00:00.000Z')).toBe(false)
  })
})

everyRouteCalled('pipeline triggers', 'pipeline schedules', 'freeze periods')
