import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb/environments'
const sha = '0123456789'.repeat(4)

const add = async (json: object, as = 'bob') => (await send(`POST ${base}`, { as, json })).body as { id: number }

describe('an environment', () => {
  test('answers 201 with the documented fields and no others; its slug outlives a rename', async () => {
    const { status, body } = await send(`POST ${base}`, { as: 'bob', form: { name: 'review/fix', external_url: '' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'review/fix',
      slug: expect.stringMatching(/^review-fix-[a-z0-9]{6}$/),
      external_url: null,
      state: 'available',
      tier: 'development',
      auto_stop_at: null,
      auto_stop_setting: 'always',
      description: null,
      created_at: expect.any(String),
      updated_at: body.created_at,
    })
    const changed = { ...body, updated_at: expect.any(String) }
    const renamed = await send(`PUT ${base}/${body.id}`, { as: 'bob', json: { name: 'review/other' } })
    expect(renamed).toMatchObject({ status: 200, body: { ...changed, name: 'review/other' } })
    expect(await send(`POST ${base}/${body.id}/stop`, { as: 'bob' })).toMatchObject({
      status: 200,
      body: { ...changed, name: 'review/other', state: 'stopped' },
    })
    expect((await send(`GET ${base}/${body.id}`, { as: 'bob' })).body).toEqual({
      ...changed,
      name: 'review/other',
      state: 'stopped',
      last_deployment: null,
    })
    expect(await send(`DELETE ${base}/${body.id}`, { as: 'bob' })).toMatchObject({ status: 204, text: '' })
    for (const line of [`GET ${base}/${body.id}`, `DELETE ${base}/${body.id}`, `POST ${base}/${body.id}/stop`]) {
      expect(await send(line, { as: 'bob' })).toMatchObject({ status: 404, body: { message: '404 Not found' } })
    }
  })

  test('has a description and the times of its creation and last change', async () => {
    const created = await send(`POST ${base}`, { as: 'bob', json: { name: 'qa', description: 'For testers' } })
    expect(created.body).toMatchObject({ description: 'For testers' })
    const path = `${base}/${created.body.id}`
    await forge.clock.advance({ minutes: 1 })
    const kept = await send(`PUT ${path}`, { as: 'bob', json: { description: 'For testers' } })
    expect(kept.body).toEqual(created.body)
    const { body } = await send(`PUT ${path}`, { as: 'bob', json: { description: null } })
    expect(body).toEqual({ ...created.body, description: null, updated_at: expect.any(String) })
    expect(Date.parse(body.updated_at) - Date.parse(body.created_at)).toBeGreaterThanOrEqual(60_000)
    expect((await send(`GET ${base}?name=qa`, { as: 'bob' })).body).toEqual([body])
    const long = { description: 'x'.repeat(10_001) }
    expect((await send(`PUT ${path}`, { as: 'bob', json: long })).status).toBe(400)
  })

  test('tells its last deployment with the job', async () => {
    const { id } = await add({ name: 'production' })
    await forge.as('bob').deployments.create({
      project: 'acme/web',
      environment: id,
      ref: 'main',
      sha,
      job: {
        id: 42,
        commit: {
          id: sha,
          title: 'Fix',
          message: 'Fix',
          authorName: 'B',
          authorEmail: 'b@x.y',
          createdAt: '2026-01-01',
        },
        pipeline: { id: 9, ref: 'main', sha, status: 'success' },
        runner: { id: 3, description: 'shared' },
        artifacts: [{ fileType: 'trace', filename: 'job.log', size: 7 }],
        finishedAt: '2026-01-02T03:04:05+01:00',
        duration: 1.5,
      },
    })
    const { body } = await send(`GET ${base}/${id}`, { as: 'carol' })
    expect(body.last_deployment).toEqual({
      id: expect.any(Number),
      iid: 1,
      ref: 'main',
      sha,
      created_at: expect.stringMatching(/Z$/),
      status: 'success',
      user: expect.objectContaining({ username: 'bob', web_url: `${forge.url}/bob` }),
      deployable: {
        id: 42,
        status: 'success',
        stage: 'deploy',
        name: 'deploy',
        ref: 'main',
        tag: false,
        coverage: null,
        created_at: expect.any(String),
        started_at: null,
        finished_at: '2026-01-02T02:04:05.000Z',
        duration: 1.5,
        user: expect.objectContaining({ username: 'bob' }),
        commit: {
          id: sha,
          short_id: '01234567',
          title: 'Fix',
          message: 'Fix',
          author_name: 'B',
          author_email: 'b@x.y',
          created_at: '2026-01-01T00:00:00.000Z',
        },
        pipeline: { id: 9, ref: 'main', sha, status: 'success', web_url: null },
        web_url: `${forge.url}/acme/web/-/jobs/42`,
        artifacts: [{ file_type: 'trace', filename: 'job.log', file_format: null, size: 7 }],
        runner: { id: 3, description: 'shared', active: true, is_shared: false },
        artifacts_expire_at: '2026-02-01T02:04:05.000Z',
      },
    })
    const list = await send(`GET ${base}`, { as: 'carol' })
    expect(list.body).toEqual([expect.not.objectContaining({ last_deployment: expect.anything() })])
    expect(list.headers.get('x-total')).toBe('1')
  })

  test.each([
    [{}, { error: 'name is missing' }],
    [{ name: 'x', slug: 'y' }, { error: 'slug is automatically generated and cannot be changed' }],
    [{ name: 'production' }, { message: { name: ['has already been taken'] } }],
    [
      { name: 'a:b' },
      {
        message: {
          name: [
            "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
          ],
        },
      },
    ],
    [
      { name: 'x', external_url: 'javascript:alert(1)' },
      { message: { external_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
  ])('is refused: %j', async (json, body) => {
    await add({ name: 'production' })
    expect(await send(`POST ${base}`, { as: 'bob', json })).toMatchObject({ status: 400, body })
  })

  test('is removed only as the caller has seen it', async () => {
    const { id } = await add({ name: 'production' })
    const headers = { 'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }
    expect(await send(`DELETE ${base}/${id}`, { as: 'bob', headers })).toMatchObject({
      status: 412,
      body: { message: '412 Precondition Failed' },
    })
  })
})

test('the list says why name and search do not go together', async () => {
  await add({ name: 'production' })
  await add({ name: 'staging' })
  expect((await send(`GET ${base}?search=prod`, { as: 'carol' })).body).toHaveLength(1)
  expect(await send(`GET ${base}?name=a&search=b`, { as: 'carol' })).toMatchObject({
    status: 400,
    body: { error: 'name, search cannot be used together' },
  })
  expect(await send(`GET ${base}?per_page=0`, { as: 'carol' })).toMatchObject({ status: 400 })
})

describe('a protected environment', () => {
  const place = '/projects/acme%2Fweb/protected_environments'

  test('is made from JSON and from forms', async () => {
    const levels = [{ access_level: 40 }, { access_level: 60 }]
    const { status, body } = await send(`POST ${place}`, {
      as: 'alice',
      json: { name: 'review/*', deploy_access_levels: levels },
    })
    expect(status).toBe(200)
    const none = { user_id: null, group_id: null }
    expect(body).toEqual({
      name: 'review/*',
      deploy_access_levels: [
        { access_level: 40, access_level_description: 'Maintainers', ...none },
        { access_level: 60, access_level_description: 'Administrator', ...none },
      ],
      required_approval_count: 0,
      approval_rules: [],
    })
    const { id } = await forge.host.users.get({ user: 'bob' })
    const made = await send(`POST ${place}`, {
      as: 'alice',
      form: { name: 'production', 'deploy_access_levels[][user_id]': String(id) },
    })
    expect(made.body.deploy_access_levels).toEqual([
      { access_level: null, access_level_description: 'Bob Builder', user_id: id, group_id: null },
    ])
    const names = (await send(`GET ${place}`, { as: 'alice' })).body.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['production', 'review/*'])
    expect((await send(`GET ${place}/review%2F*`, { as: 'alice' })).body).toEqual(body)
    expect(await send(`DELETE ${place}/review%2F*`, { as: 'alice' })).toMatchObject({ status: 204, text: '' })
    expect(await send(`GET ${place}/review%2F*`, { as: 'alice' })).toMatchObject({
      status: 404,
      body: { message: '404 Not found' },
    })
  })

  test.each([
    [{}, 400, { error: 'name is missing, deploy_access_levels is missing' }],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 20 }] },
      400,
      { error: 'deploy_access_levels[0][access_level] does not have a valid value' },
    ],
    [
      { name: 'x', deploy_access_levels: [{ user_id: 1, group_id: 1 }] },
      400,
      { error: 'deploy_access_levels[0][user_id], deploy_access_levels[0][group_id] are mutually exclusive' },
    ],
    [
      { name: 'x', deploy_access_levels: [{ user_id: 99_999 }, {}] },
      422,
      { message: ['Deploy access levels user 99999 cannot access the project, an entry is empty'] },
    ],
    [
      { name: 'x', deploy_access_levels: [] },
      422,
      { message: ['Deploy access levels is too short (minimum is 1 character)'] },
    ],
    [{ name: 'x', deploy_access_levels: 40 }, 400, { error: 'deploy_access_levels is invalid' }],
    [
      { name: 'taken', deploy_access_levels: [{ access_level: 30 }] },
      409,
      { message: "Protected environment 'taken' already exists" },
    ],
  ])('is refused: %j', async (json, status, body) => {
    await forge.host.protectedEnvironments.create({
      project: 'acme/web',
      name: 'taken',
      deployAccessLevels: [{ accessLevel: 30 }],
    })
    expect(await send(`POST ${place}`, { as: 'alice', json })).toMatchObject({ status, body })
  })

  test('needs a licensed tier', async () => {
    const free = await world({ seed: openDemo, tier: 'free' })
    try {
      expect((await client(free)(`GET ${place}`, { as: 'alice' })).status).toBe(403)
      expect((await client(free)(`GET ${base}`, { as: 'alice' })).status).toBe(200)
    } finally {
      await free.close()
    }
  })
})

test('a deployment is recorded, listed, changed and removed', async () => {
  const path = '/projects/acme%2Fweb/deployments'
  const json = { environment: 'review/new', sha: 'a'.repeat(40), ref: 'main', tag: false, status: 'running' }
  const { status, body } = await send(`POST ${path}`, { as: 'alice', json })
  expect(status).toBe(201)
  expect(body).toMatchObject({ ref: 'main', status: 'running', environment: { name: 'review/new' }, deployable: null })
  expect((await send(`GET ${path}/${body.id}`, { as: 'alice' })).body).toEqual(body)
  const { approvals, pending_approval_count, approval_summary, ...listed } = body
  expect({ approvals, pending_approval_count, approval_summary }).toEqual({
    ...{ approvals: [], pending_approval_count: 0 },
    approval_summary: { rules: [] },
  })
  expect((await send(`GET ${path}?environment=review/new&status=running`, { as: 'alice' })).body).toEqual([listed])
  expect((await send(`GET ${path}?environment=other`, { as: 'alice' })).body).toEqual([])
  expect((await send(`GET ${path}?order_by=updated_at&sort=asc`, { as: 'alice' })).body).toContainEqual(listed)
  expect(await send(`DELETE ${path}/${body.id}`, { as: 'alice' })).toMatchObject({ status: 400 })
  const changed = await send(`PUT ${path}/${body.id}`, { as: 'alice', json: { status: 'success' } })
  expect(changed.body.status).toBe('success')
  expect(await send(`DELETE ${path}/${body.id}`, { as: 'alice' })).toMatchObject({ status: 204 })
  expect(await send(`GET ${path}/${body.id}`, { as: 'alice' })).toMatchObject({ status: 404 })
})

describe('a deployment that requires approvals', () => {
  const project = 'acme/web'
  const path = '/projects/acme%2Fweb'
  const deploy = async (protection: object, user = 'bob') => {
    const json = { name: 'production', deploy_access_levels: [{ access_level: 30 }], ...protection }
    const { body } = await send(`POST ${path}/protected_environments`, { as: 'alice', json })
    const jobs = [{ name: 'deploy', environment: 'production' }]
    const pipeline = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), user, jobs })
    const [job] = (await forge.host.pipelineJobs.list({ project, pipeline: pipeline.id })).items
    const [deployment] = (await forge.host.deployments.list({ project })).items
    return { protection: body, job: job?.id, id: deployment?.id }
  }
  const decide = (id: number | undefined, as: string, json: object = { status: 'approved' }) =>
    send(`POST ${path}/deployments/${id}/approval`, { as, json })
  const read = async (id: number | undefined) => (await send(`GET ${path}/deployments/${id}`, { as: 'alice' })).body

  test('is blocked until enough users who can deploy approve it, and then started by hand', async () => {
    const { id, job, protection } = await deploy({ required_approval_count: 2 })
    expect(protection.required_approval_count).toBe(2)
    const waiting = { status: 'blocked', pending_approval_count: 2, approvals: [], approval_summary: { rules: [] } }
    expect(await read(id)).toMatchObject({ ...waiting, deployable: { status: 'manual' } })
    const play = () => send(`POST ${path}/jobs/${job}/play`, { as: 'bob' })
    expect(await play()).toMatchObject({ status: 400, body: { message: 'Unplayable Job' } })
    expect((await decide(id, 'bob')).body.message).toContain('You cannot approve your own deployment.')
    const { status, body } = await decide(id, 'alice', { status: 'approved', comment: 'Tested' })
    expect(status).toBe(201)
    expect(body).toEqual({
      user: expect.objectContaining({ username: 'alice' }),
      status: 'approved',
      created_at: expect.any(String),
      comment: 'Tested',
    })
    await decide(id, 'alice')
    expect(await read(id)).toMatchObject({ pending_approval_count: 1, approvals: [{ user: { username: 'alice' } }] })
    await forge.host.projects.update({ project, settings: { allowPipelineTriggerApproveDeployment: true } })
    expect((await decide(id, 'bob')).status).toBe(201)
    expect(await read(id)).toMatchObject({ status: 'created', pending_approval_count: 0 })
    expect((await decide(id, 'alice')).body.message).toContain('This deployment is not waiting for approvals.')
    expect((await play()).body).toMatchObject({ status: 'pending' })
  })

  test('counts approvals by rule, for the rule that a user names', async () => {
    const { id: user_id } = await forge.host.users.get({ user: 'alice' })
    const rules = [{ access_level: 40, required_approvals: 2 }, { user_id }]
    const { id, protection } = await deploy({ required_approval_count: 1, approval_rules: rules })
    expect(protection.approval_rules).toEqual([
      {
        id: expect.any(Number),
        ...{ access_level: 40, access_level_description: 'Maintainers', user_id: null, group_id: null },
        required_approvals: 2,
      },
      expect.objectContaining({ user_id, access_level: null, required_approvals: 1 }),
    ])
    expect((await decide(id, 'bob')).body.message).toContain("You don't have permission to approve this deployment.")
    const as = (represented_as: string) => decide(id, 'alice', { status: 'approved', represented_as })
    expect((await as('Nobody')).body.message).toContain('There are no approval rules for the given')
    await as(protection.approval_rules[1].access_level_description)
    const { pending_approval_count, approval_summary } = await read(id)
    expect(pending_approval_count).toBe(2)
    const counts = approval_summary.rules.map(
      (rule: { deployment_approvals: unknown[] }) => rule.deployment_approvals.length,
    )
    expect(counts).toEqual([0, 1])
  })

  test('fails after a rejection', async () => {
    const { id, job } = await deploy({ required_approval_count: 1 })
    await decide(id, 'alice', { status: 'rejected', comment: 'Not now' })
    expect(await read(id)).toMatchObject({ status: 'failed', approvals: [{ status: 'rejected', comment: 'Not now' }] })
    const failed = { status: 'failed', failure_reason: 'deployment_rejected' }
    expect((await send(`GET ${path}/jobs/${job}`, { as: 'alice' })).body).toMatchObject(failed)
    expect((await decide(id, 'alice')).status).toBe(400)
  })
})

const daysBefore = (days: number) => new Date(forge.clock.now() - days * 86_400_000).toISOString()
const createdBefore = async (days: number, name: string) => {
  const now = forge.clock.now()
  forge.clock.set(now - days * 86_400_000)
  const { id } = await forge.host.environments.create({ project: 'acme/web', name })
  forge.clock.set(now)
  return id
}
const stateOf = async (environment: number) =>
  (await forge.host.environments.get({ project: 'acme/web', environment })).state

test('stale environments are stopped, except protected ones and those with new deployments', async () => {
  const stale = await createdBefore(30, 'stale')
  const guarded = await createdBefore(30, 'guarded')
  const used = await createdBefore(30, 'used')
  const fresh = await createdBefore(1, 'fresh')
  const project = 'acme/web'
  await forge.host.protectedEnvironments.create({ project, name: 'guarded', deployAccessLevels: [{ accessLevel: 40 }] })
  await forge.host.deployments.create({ project, environment: 'used', user: 'bob', sha, ref: 'main', status: 'failed' })
  const stop = (before: string) => send(`POST ${base}/stop_stale`, { as: 'bob', json: { before } })
  const { status, body } = await stop(daysBefore(8))
  expect(status).toBe(200)
  expect(body).toEqual({ message: 'Successfully requested stop for all stale environments' })
  const states = [await stateOf(stale), await stateOf(guarded), await stateOf(used), await stateOf(fresh)]
  expect(states).toEqual(['stopped', 'available', 'available', 'available'])
  for (const before of [daysBefore(6), daysBefore(4_000), 'yesterday']) expect((await stop(before)).status).toBe(400)
})

test('environments of review apps are removed', async () => {
  const now = forge.clock.now()
  forge.clock.set(now - 40 * 86_400_000)
  const ids: Record<string, number> = {}
  for (const name of ['review/one', 'review/two', 'production']) {
    const { id } = await forge.host.environments.create({ project: 'acme/web', name })
    ids[name] = id
    if (name !== 'review/two') await forge.host.environments.stop({ project: 'acme/web', environment: id })
  }
  forge.clock.set(now)
  const remove = (query = '') => send(`DELETE ${base}/review_apps${query}`, { as: 'bob' })
  const { body } = await remove()
  expect(body).toMatchObject({ scheduled_entries: [{ id: ids['review/one'] }], unprocessable_entries: [] })
  expect((await remove(`?before=${daysBefore(50)}`)).body.scheduled_entries).toEqual([])
  expect((await remove('?dry_run=false')).body.scheduled_entries).toHaveLength(1)
  expect((await remove()).body.scheduled_entries).toEqual([])
  expect(await stateOf(ids.production as number)).toBe('stopped')
})

test('the merge requests of a deployment', async () => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const file = (content: string) => [{ path: 'a.txt', content }]
  const commits = [
    { branch: 'main', message: 'Begin', author, files: file('one') },
    { branch: 'topic', message: 'Change', author, parents: [0], files: file('two') },
  ]
  await forge.host.commits.import({ project: 'acme/web', commits })
  const path = '/projects/acme%2Fweb'
  const json = { title: 'A topic', source_branch: 'topic', target_branch: 'main' }
  const { body: opened } = await send(`POST ${path}/merge_requests`, { as: 'bob', json })
  const { body: merged } = await send(`PUT ${path}/merge_requests/${opened.iid}/merge`, { as: 'bob' })
  const deployment = { environment: 'production', ref: 'main', sha: merged.merge_commit_sha, status: 'success' }
  const { body } = await send(`POST ${path}/deployments`, { as: 'bob', json: deployment })
  const list = (query = '') => send(`GET ${path}/deployments/${body.id}/merge_requests${query}`, { as: 'carol' })
  expect(await list()).toMatchObject({ status: 200, body: [{ title: 'A topic', state: 'merged' }] })
  const deployedAt = async (as: string) =>
    (await send(`GET ${path}/merge_requests/${opened.iid}`, { as })).body.first_deployed_to_production_at
  expect([await deployedAt('carol'), await deployedAt('mallory')]).toEqual([body.updated_at, null])
  expect((await list('?view=simple')).body[0]).not.toHaveProperty('author')
  expect((await list('?state=closed')).body).toEqual([])
  expect(await list('?state=new')).toMatchObject({ status: 400 })
  expect(await send(`GET ${path}/deployments/999999/merge_requests`, { as: 'carol' })).toMatchObject({ status: 404 })
})

everyRouteCalled('deployments', 'environments', 'protected environments')
