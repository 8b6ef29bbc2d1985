import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { openDemo } from '../support/open-demo.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'
import { newSshKey } from './ssh-keys.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb/hooks'
const as = 'alice'
const url = 'https://bot.example.com/events'

const newHook = {
  id: expect.any(Number),
  url,
  name: null,
  description: null,
  branch_filter_strategy: 'wildcard',
  custom_webhook_template: null,
  url_variables: [],
  repository_update_events: false,
  created_at: expect.any(String),
  push_events: true,
  tag_push_events: false,
  merge_requests_events: false,
  push_events_branch_filter: '',
  enable_ssl_verification: true,
  custom_headers: [],
  alert_status: 'executable',
  disabled_until: null,
}

const newContainerHook = {
  ...newHook,
  issues_events: false,
  confidential_issues_events: false,
  note_events: false,
  confidential_note_events: false,
  job_events: false,
  pipeline_events: false,
  wiki_page_events: false,
  deployment_events: false,
  releases_events: false,
  milestone_events: false,
  emoji_events: false,
  feature_flag_events: false,
  resource_access_token_events: false,
  vulnerability_events: false,
}

test('a new hook of a project receives pushes', async () => {
  const made = await send(`POST ${base}`, { as, json: { url } })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({ ...newContainerHook, project_id: 1 })
  const list = await send(`GET ${base}`, { as })
  expect(list.body).toEqual([made.body])
  expect(list.headers.get('x-total')).toBe('1')
  expect((await send(`GET ${base}/${made.body.id}`, { as })).body).toEqual(made.body)
  expect(await send(`DELETE ${base}/${made.body.id}`, { as })).toMatchObject({ status: 204, text: '' })
  expect(await send(`GET ${base}/${made.body.id}`, { as })).toMatchObject({
    status: 404,
    body: { message: '404 Not found' },
  })
})

test('every flag is stored, and a change keeps the others', async () => {
  const flags = {
    push_events: false,
    tag_push_events: true,
    merge_requests_events: true,
    issues_events: true,
    confidential_issues_events: true,
    note_events: true,
    confidential_note_events: true,
    job_events: true,
    pipeline_events: true,
    wiki_page_events: true,
    deployment_events: true,
    releases_events: true,
    feature_flag_events: true,
    push_events_branch_filter: 'release/*',
    enable_ssl_verification: false,
  }
  const { body } = await send(`POST ${base}`, { as, json: { url, ...flags } })
  expect(body).toMatchObject(flags)
  const changed = await send(`PUT ${base}/${body.id}`, { as, form: { issues_events: 'false' } })
  expect(changed).toMatchObject({ status: 200, body: { ...flags, issues_events: false } })
})

test('a hook of a group also has events of subgroups and members', async () => {
  const json = { url, subgroup_events: true, push_events: false }
  const made = await send('POST /groups/acme/hooks', { as, json })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    ...newContainerHook,
    push_events: false,
    group_id: expect.any(Number),
    subgroup_events: true,
    member_events: false,
  })
  const path = `/groups/acme/hooks/${made.body.id}`
  expect((await send('GET /groups/acme/hooks', { as })).body).toEqual([made.body])
  expect((await send(`GET ${path}`, { as })).body).toEqual(made.body)
  expect((await send(`PUT ${path}`, { as, json: { member_events: true } })).body).toMatchObject({ member_events: true })
  expect(await send(`GET ${base}/${made.body.id}`, { as })).toMatchObject({ status: 404 })
  expect(await send(`DELETE ${path}`, { as })).toMatchObject({ status: 204, text: '' })
  expect(await send(`GET ${path}`, { as })).toMatchObject({ status: 404 })
})

test('administrators manage system hooks', async () => {
  const made = await send('POST /hooks', { as: 'root', json: { url } })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({ ...newHook, repository_update_events: true })
  const path = `/hooks/${made.body.id}`
  expect((await send('GET /hooks', { as: 'root' })).body).toEqual([made.body])
  expect((await send(`GET ${path}`, { as: 'root' })).body).toEqual(made.body)
  const changed = await send(`PUT ${path}`, { as: 'root', json: { repository_update_events: false } })
  expect(changed.body).toMatchObject({ repository_update_events: false, push_events: true })
  expect(await send(`DELETE ${path}`, { as: 'root' })).toMatchObject({ status: 204, text: '' })
  expect(await send(`GET ${path}`, { as: 'root' })).toMatchObject({ status: 404 })
})

test('no response contains a secret', async () => {
  const secretUrl = 'https://robot:hushsecret@bot.example.com/events'
  const json = { url: secretUrl, token: 'hushtoken', custom_headers: [{ key: 'X-Bot', value: 'hushvalue' }] }
  const made = await send(`POST ${base}`, { as, json })
  expect(made.body).toMatchObject({
    url: 'https://*****:*****@bot.example.com/events',
    custom_headers: [{ key: 'X-Bot' }],
  })
  const changed = await send(`PUT ${base}/${made.body.id}`, { as, json: { url: made.body.url, issues_events: true } })
  for (const { text } of [made, changed, await send(`GET ${base}`, { as })]) expect(text).not.toMatch(/hush|robot/)
  await forge.as('bob').issues.create({ project: 'acme/web', title: 'Broken' })
  const request = await forge.hooks.waitFor({ event: 'issue' })
  expect(request.headers).toMatchObject({
    'x-gitlab-token': 'hushtoken',
    'x-bot': 'hushvalue',
    authorization: `Basic ${btoa('robot:hushsecret')}`,
  })
})

test.each([
  [{}, { error: 'url is missing' }],
  [{ url: '' }, { message: { url: ["can't be blank"] } }],
  [{ url: 'ftp://example.com' }, { message: { url: ['is blocked: Only allowed schemes are http, https'] } }],
  [{ url: 'http://localhost/x' }, { message: { url: ['is blocked: Requests to localhost are not allowed'] } }],
  [{ url: 'http://0x7f.1/x' }, { message: { url: ['is blocked: Requests to loopback addresses are not allowed'] } }],
  [{ url: 'http://10.0.0.1/x' }, { message: { url: ['is blocked: Requests to the local network are not allowed'] } }],
  [{ url, token: 'a\nb' }, { error: 'token is invalid' }],
  [{ url, custom_headers: [{ key: 'Host', value: 'x' }] }, { error: 'custom_headers[0][key] is invalid' }],
  [{ url, custom_headers: [{ key: 'X-Bot', value: 'a\r\nb: c' }] }, { error: 'custom_headers[0][value] is invalid' }],
])('a creation with %j is rejected', async (json, body) => {
  expect(await send(`POST ${base}`, { as, json })).toMatchObject({ status: 400, body })
})

test('addresses of the local network are allowed by separate settings', async () => {
  const local = { url: 'http://10.0.0.1/x' }
  expect(await send('POST /hooks', { as: 'root', json: local })).toMatchObject({ status: 201 })
  expect(await send(`POST ${base}`, { as, json: local })).toMatchObject({ status: 400 })
  const form = {
    allow_local_requests_from_web_hooks_and_services: 'true',
    allow_local_requests_from_system_hooks: 'false',
  }
  await send('PUT /application/settings', { as: 'root', form })
  expect(await send(`POST ${base}`, { as, json: local })).toMatchObject({ status: 201 })
  expect(await send('POST /hooks', { as: 'root', json: local })).toMatchObject({ status: 400 })
})

test('a project has at most 100 hooks', async () => {
  for (let count = 0; count < 100; count++) await forge.host.hooks.create({ project: 'acme/web', url })
  expect(await send(`POST ${base}`, { as, json: { url } })).toMatchObject({
    status: 400,
    body: { message: { base: ['Maximum number of hooks (100) exceeded'] } },
  })
})

test.each([
  ['projects', base, 'acme/web'],
  ['groups', '/groups/acme/hooks', 'acme'],
])('the requests to hooks of %s are listed without secrets, and sent again', async (_, path) => {
  const json = { url: 'https://robot:hush@bot.example.com/events', token: 'hushtoken', issues_events: true }
  const { body: hook } = await send(`POST ${path}`, { as, json })
  await send('POST /projects/acme%2Fweb/issues', { as, json: { title: 'Broken' } })
  expect((await send(`GET ${path}/${hook.id}/events`, { as })).body).toEqual([])
  await forge.hooks.drain()
  const { body: log, text } = await send(`GET ${path}/${hook.id}/events`, { as })
  expect(log).toEqual([
    {
      id: expect.any(Number),
      url: 'https://*****:*****@bot.example.com/events',
      trigger: 'issue_hooks',
      request_headers: expect.objectContaining({ 'X-Gitlab-Event': 'Issue Hook', 'X-Gitlab-Token': '[REDACTED]' }),
      request_data: expect.objectContaining({ object_kind: 'issue' }),
      response_headers: expect.any(Object),
      response_body: expect.any(String),
      execution_duration: expect.any(Number),
      response_status: '200',
    },
  ])
  expect(text).not.toContain('hush')
  const again = await send(`POST ${path}/${hook.id}/events/${log[0].id}/resend`, { as })
  expect(again.body).toEqual({ response_status: '200' })
  const { body: both } = await send(`GET ${path}/${hook.id}/events`, { as })
  expect(both).toMatchObject([{ request_data: log[0].request_data }, { id: log[0].id }])
  const keys = both.map((delivery: typeof hook) => delivery.request_headers['Idempotency-Key'])
  expect(new Set(keys).size).toBe(2)
  expect((await send(`POST ${path}/${hook.id}/events/999/resend`, { as })).status).toBe(404)
})

describe.each([
  ['a project', base],
  ['a group', '/groups/acme/hooks'],
])('a test of a hook of %s', (_, path) => {
  const create = async (json: object) => (await send(`POST ${path}`, { as, json: { url, ...json } })).body
  const trigger = (id: number, kind: string) => send(`POST ${path}/${id}/test/${kind}`, { as })
  const created = { status: 201, body: { message: '201 Created' } }

  beforeEach(async () => {
    const host = forge.as('alice')
    const project = 'acme/web'
    await forge.as('bob').commits.import({
      project,
      commits: [{ message: 'Begin', files: [{ path: 'a.txt', content: 'a' }] }],
    })
    await forge.as('alice').tags.create({ project, tagName: 'v1' })
    await forge.as('bob').issues.create({ project, title: 'Secret', confidential: true })
    await host.notes.create({ project, issue: 1, body: 'Hello' })
    await host.notes.create({ project, issue: 1, body: 'Among us', internal: true })
    await forge.as('alice').releases.create({ project, tagName: 'v1' })
    const { id } = await forge.as('alice').environments.create({ project, name: 'production' })
    const sha = '1'.repeat(40)
    await forge.as('bob').featureFlags.create({ project, name: 'new-search' })
    await host.deployments.create({ project, environment: id, ref: 'main', sha, status: 'success' })
  })

  test.each([
    ['push_events', 'Push Hook', { object_kind: 'push', ref: 'refs/heads/main', commits: [{ title: 'Begin' }] }],
    ['tag_push_events', 'Tag Push Hook', { object_kind: 'tag_push', ref: 'refs/tags/v1' }],
    ['issues_events', 'Issue Hook', { object_attributes: { confidential: false } }],
    ['confidential_issues_events', 'Confidential Issue Hook', { object_attributes: { title: 'Secret' } }],
    ['note_events', 'Note Hook', { object_attributes: { note: 'Hello' } }],
    ['confidential_note_events', 'Confidential Note Hook', { object_attributes: { note: 'Among us' } }],
    ['merge_requests_events', 'Merge Request Hook', { object_kind: 'merge_request' }],
    ['releases_events', 'Release Hook', { tag: 'v1' }],
    ['feature_flag_events', 'Feature Flag Hook', { object_attributes: { name: 'new-search', active: true } }],
    ['deployment_events', 'Deployment Hook', { object_kind: 'deployment', status: 'success' }],
  ])('sends the newest item: %s', async (kind, event, body) => {
    const { id } = await create({ push_events: false })
    expect(await trigger(id, kind)).toMatchObject(created)
    expect(forge.hooks.deliveries.at(-1)).toMatchObject({ headers: { 'x-gitlab-event': event }, body })
    const { body: log } = await send(`GET ${path}/${id}/events`, { as })
    expect(log[0]).toMatchObject({ response_status: '200', request_data: body })
  })

  test('is an error for an unknown kind and for a kind without items', async () => {
    const { id } = await create({})
    expect((await trigger(id, 'unknown_events')).status).toBe(400)
    expect((await trigger(99, 'push_events')).status).toBe(404)
    await forge.host.releases.remove({ project: 'acme/web', tagName: 'v1' })
    const { status, body } = await trigger(id, 'releases_events')
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toMatch(/Ensure the .* a release\./)
  })
})

test('a test that the receiver rejects is an error and part of the log', async () => {
  const rejecting = await world({ seed: openDemo, hooks: () => new Response('no', { status: 500 }) })
  const call = client(rejecting)
  const { body: hook } = await call(`POST ${base}`, { as, json: { url } })
  expect(await call(`POST ${base}/${hook.id}/test/issues_events`, { as })).toMatchObject({
    status: 422,
    body: { message: ['The hook answered: 500'] },
  })
  const { body: log } = await call(`GET ${base}/${hook.id}/events`, { as })
  expect(log).toMatchObject([{ trigger: 'issue_hooks', response_status: '500', response_body: 'no' }])
  await rejecting.close()
})

test('variables are parts of the URL that responses do not contain', async () => {
  const template = 'https://bot.example.com/{team}/events?key={key}'
  const variable = (key: string, value: string) => ({ key, value })
  const url_variables = [variable('team', 'web'), variable('key', 's3cret')]
  expect((await send(`POST ${base}`, { as, json: { url: template } })).status).toBe(400)
  const made = await send(`POST ${base}`, {
    as,
    json: { url: template, url_variables, token: 'abc', name: 'Bot', description: 'Chat', issues_events: true },
  })
  expect(made.body).toMatchObject({ url: template, url_variables: [{ key: 'team' }, { key: 'key' }], name: 'Bot' })
  expect(made.text).not.toContain('s3cret')
  const path = `${base}/${made.body.id}`
  const open = async () => {
    await forge.as('alice').issues.create({ project: 'acme/web', title: 'New' })
    await forge.hooks.drain()
    return forge.hooks.deliveries.at(-1)
  }
  expect(await open()).toMatchObject({
    url: 'https://bot.example.com/web/events?key=s3cret',
    headers: { 'x-gitlab-token': 'abc' },
  })
  expect((await send(`PUT ${path}/url_variables/team`, { as, json: { value: 'api' } })).status).toBe(204)
  expect((await send(`PUT ${path}/custom_headers/X-Team`, { as, json: { value: 'api' } })).status).toBe(204)
  expect(await open()).toMatchObject({
    url: 'https://bot.example.com/api/events?key=s3cret',
    headers: { 'x-gitlab-token': 'abc', 'x-team': 'api' },
  })
  expect((await send(`DELETE ${path}/url_variables/team`, { as })).status).toBe(400)
  expect((await send(`DELETE ${path}/url_variables/other`, { as })).status).toBe(404)
  await send(`PUT ${path}/url_variables/unused`, { as, json: { value: 'x' } })
  expect((await send(`DELETE ${path}/url_variables/unused`, { as })).status).toBe(204)
  expect((await send(`DELETE ${path}/custom_headers/X-Team`, { as })).status).toBe(204)
  expect((await send(`GET ${path}`, { as })).body.custom_headers).toEqual([])
})

test('a variable that changes the host removes the token', async () => {
  const hook = await send(`POST ${base}`, {
    as,
    json: { url: 'https://{host}/events', url_variables: [{ key: 'host', value: 'bot.example.com' }], token: 'abc' },
  })
  const path = `${base}/${hook.body.id}`
  expect((await send(`PUT ${path}/url_variables/host`, { as, json: { value: 'evil.example.com' } })).status).toBe(204)
  await send(`POST ${path}/test/issues_events`, { as })
  const { url, headers } = forge.hooks.deliveries.at(-1) ?? {}
  expect(url).toBe('https://evil.example.com/events')
  expect(headers).not.toHaveProperty('x-gitlab-token')
})

test('a template makes the body, and must result in JSON', async () => {
  const template = '{"text":"{{object_attributes.title}}","iid":{{object_attributes.iid}},"none":"{{missing}}"}'
  const { body: hook } = await send(`POST ${base}`, { as, json: { url, custom_webhook_template: template } })
  await forge.as('alice').issues.create({ project: 'acme/web', title: 'A "quoted" title' })
  const path = `${base}/${hook.id}`
  expect((await send(`POST ${path}/test/issues_events`, { as })).status).toBe(201)
  expect(forge.hooks.deliveries.at(-1)?.body).toEqual({ text: 'A "quoted" title', iid: expect.any(Number), none: '' })
  await send(`PUT ${path}`, { as, json: { custom_webhook_template: '{{object_kind}}' } })
  expect((await send(`POST ${path}/test/issues_events`, { as })).status).toBe(422)
  const log = async (status: string) => (await send(`GET ${path}/events?status[]=${status}`, { as })).body.length
  expect([await log('successful'), await log('200'), await log('server_failure')]).toEqual([1, 1, 0])
})

test('the branch filter can be a regular expression', async () => {
  const filter = { push_events_branch_filter: '^release/', branch_filter_strategy: 'regex' }
  await send(`POST ${base}`, { as, json: { url, ...filter } })
  const invalid = { ...filter, url, push_events_branch_filter: '(' }
  expect((await send(`POST ${base}`, { as, json: invalid })).status).toBe(400)
  const { host } = forge
  const author = { name: 'Alice', email: 'alice@example.com' }
  const commits = [{ message: 'Begin', author, files: [{ path: 'a.txt', content: 'a' }] }]
  await host.commits.import({ project: 'acme/web', commits })
  const push = (branch: string) => host.branches.create({ project: 'acme/web', branch, ref: 'main' })
  await push('release/1')
  await push('other')
  await forge.hooks.drain()
  expect(forge.hooks.deliveries.map(({ body }) => (body as { ref: string }).ref)).toEqual(['refs/heads/release/1'])
})

test('milestones and emoji are sent', async () => {
  await send(`POST ${base}`, { as, json: { url, push_events: false, milestone_events: true, emoji_events: true } })
  const { milestones, issues, notes, awardEmoji } = forge.as('alice')
  const project = 'acme/web'
  const { iid: milestone } = await milestones.create({ project, title: 'v2' })
  await milestones.update({ project, milestone, state: 'closed' })
  await milestones.remove({ project, milestone })
  const { iid: issue, id } = await issues.create({ project, title: 'Emoji' })
  const award = await awardEmoji.create({ project, issue, name: 'thumbsup' })
  await awardEmoji.remove({ project, issue, award: award.id })
  const note = (await notes.create({ project, issue, body: 'Hello' })) as { id: number }
  await awardEmoji.create({ project, issue, note: note.id, name: 'tada' })
  await forge.hooks.drain()
  const events = forge.hooks.deliveries.map(({ headers, body }) => ({ event: headers['x-gitlab-event'], body }))
  const emoji = { object_kind: 'emoji', user: { username: 'alice' }, project_id: 1 }
  expect(events).toMatchObject([
    { event: 'Milestone Hook', body: { action: 'create', object_attributes: { title: 'v2', state: 'active' } } },
    { event: 'Milestone Hook', body: { action: 'close', object_attributes: { state: 'closed' } } },
    { event: 'Milestone Hook', body: { action: 'delete' } },
    {
      event: 'Emoji Hook',
      body: { ...emoji, event_type: 'award', issue: { id }, object_attributes: { name: 'thumbsup' } },
    },
    { event: 'Emoji Hook', body: { ...emoji, event_type: 'revoke', object_attributes: { awardable_id: id } } },
    {
      event: 'Emoji Hook',
      body: { note: { note: 'Hello' }, object_attributes: { awardable_type: 'Note', awardable_id: note.id } },
    },
  ])
})

test('a system hook is tested with the newest project, and its secrets are changed', async () => {
  const { body: hook } = await send('POST /hooks', {
    as: 'root',
    json: { url: 'https://bot.example.com/{path}', url_variables: [{ key: 'path', value: 'a' }] },
  })
  const tested = await send(`POST /hooks/${hook.id}`, { as: 'root' })
  expect(tested).toMatchObject({ status: 201, body: { event_name: 'project_create', project_id: expect.any(Number) } })
  expect(forge.hooks.deliveries.at(-1)).toMatchObject({ url: 'https://bot.example.com/a', body: tested.body })
  for (const path of ['custom_headers/X-A', 'url_variables/b'])
    for (const [method, options] of [
      ['PUT', { json: { value: 'c' } }],
      ['DELETE', {}],
    ] as const)
      expect((await send(`${method} /hooks/${hook.id}/${path}`, { as: 'root', ...options })).status).toBe(204)
  const groupHooks = '/groups/acme/hooks'
  const { body: groupHook } = await send(`POST ${groupHooks}`, { as, json: { url } })
  for (const path of ['custom_headers/X-A', 'url_variables/b'])
    for (const [method, options] of [
      ['PUT', { json: { value: 'c' } }],
      ['DELETE', {}],
    ] as const)
      expect((await send(`${method} ${groupHooks}/${groupHook.id}/${path}`, { as, ...options })).status).toBe(204)
})

test('approvals are sent with their effect', async () => {
  await send(`POST ${base}`, { as, json: { url, push_events: false, merge_requests_events: true } })
  const project = 'acme/web'
  const { iid: mergeRequest } = await forge.host.mergeRequests.create({
    project,
    author: 'carol',
    title: 'Approved',
    sourceBranch: 'approved',
    targetBranch: 'main',
  })
  await forge.hooks.drain()
  const from = forge.hooks.deliveries.length
  const { mergeRequestApprovals } = forge.host
  await mergeRequestApprovals.update({ project, mergeRequest, approvalsRequired: 2 })
  for (const user of ['alice', 'bob']) await mergeRequestApprovals.approve({ project, mergeRequest, user })
  for (const user of ['alice', 'bob']) await mergeRequestApprovals.unapprove({ project, mergeRequest, user })
  await forge.hooks.drain()
  const actions = forge.hooks.deliveries
    .slice(from)
    .map(({ body }) => body as { user: { username: string }; object_attributes: { action: string } })
    .map(({ user, object_attributes: { action } }) => `${user.username} ${action}`)
  expect(actions).toEqual(['alice approval', 'bob approved', 'alice unapproved', 'bob unapproval'])
})

test('system hooks receive keys, and not the author of the contributions of removed users', async () => {
  await send('POST /hooks', { as: 'root', json: { url, push_events: false, repository_update_events: false } })
  const { keys, users } = forge.host
  const { id, key } = await keys.create({ user: 'bob', key: newSshKey('bob@laptop') })
  await keys.remove({ user: 'bob', key: id })
  await users.create({ username: 'temp' })
  await users.remove({ user: 'temp' })
  await forge.platform.jobs.drain()
  await forge.hooks.drain()
  const events = forge.hooks.deliveries.map(({ body }) => body as { event_name: string; username: string })
  expect(events.slice(0, 2)).toMatchObject([
    { event_name: 'key_create', username: 'bob', key, id },
    { event_name: 'key_destroy', username: 'bob', key, id },
  ])
  expect(events.filter(({ event_name }) => event_name === 'user_create')).toMatchObject([{ username: 'temp' }])
})

everyRouteCalled('hooks')
