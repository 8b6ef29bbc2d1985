import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const feed = `/projects/${encodeURIComponent(project)}/events`
const commit = 'a'.repeat(40)

const bob = expect.objectContaining({
  id: expect.any(Number),
  username: 'bob',
  name: 'Bob Builder',
  state: 'active',
  web_url: 'http://forge.test/bob',
})

test('a comment is told with its note', async () => {
  const { id } = await forge.as('bob').notes.create({ project, issue: 1, body: 'Hello' })
  const { status, body } = await send(`GET ${feed}`, { as: 'mallory' })
  expect(status).toBe(200)
  expect(body[0]).toEqual({
    id: expect.any(Number),
    title: null,
    project_id: expect.any(Number),
    action_name: 'commented on',
    target_id: id,
    target_iid: id,
    target_type: 'Note',
    target_title: 'The home page is slow',
    author_id: expect.any(Number),
    author: bob,
    author_username: 'bob',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    note: expect.objectContaining({
      id,
      body: 'Hello',
      attachment: null,
      author: bob,
      created_at: expect.any(String),
      system: false,
      noteable_id: expect.any(Number),
      noteable_type: 'Issue',
      noteable_iid: 1,
    }),
    data: null,
  })
  expect(body[0].author).not.toHaveProperty('created_at')
})

test('a push is told with what was pushed', async () => {
  const push = { project, ref: 'refs/heads/main', after: commit, commitCount: 1, commitTitle: 'Begin\n\nmore' }
  await forge.as('bob').events.create(push)
  const { body } = await send(`GET ${feed}?action=pushed`)
  expect(body).toMatchObject([
    { action_name: 'pushed new', target_id: null, target_iid: null, target_type: null, target_title: null },
  ])
  expect(body[0].push_data).toEqual({
    commit_count: 1,
    action: 'created',
    ref_type: 'branch',
    commit_from: null,
    commit_to: commit,
    ref: 'main',
    commit_title: 'Begin',
    ref_count: null,
  })
  expect(body[0]).not.toHaveProperty('note')
})

test('a merged merge request is accepted, and a reopened issue opened', async () => {
  await forge.as('alice').mergeRequests.merge({ project, mergeRequest: 1 })
  await forge.as('alice').issues.update({ project, issue: 4, stateEvent: 'reopen' })
  const { body } = await send(`GET ${feed}?per_page=2`)
  expect(body).toMatchObject([
    { action_name: 'opened', target_type: 'Issue', target_iid: 4 },
    { action_name: 'accepted', target_type: 'MergeRequest', target_iid: 1 },
  ])
})

test('a removed note takes its event along', async () => {
  const { id } = await forge.as('bob').notes.create({ project, issue: 1, body: 'Hello' })
  const base = `/projects/${encodeURIComponent(project)}/issues/1/notes/${id}`
  expect(await send(`DELETE ${base}`, { as: 'bob' })).toMatchObject({ status: 204 })
  const { body } = await send(`GET ${feed}?target_type=note`)
  expect(body).toEqual([])
})

test('totals and pages hold only what the reader may see', async () => {
  const totals = async (as?: string) => {
    const { headers, body } = await send(`GET ${feed}?per_page=100`, as === undefined ? {} : { as })
    expect(headers.get('x-total')).toBe(String(body.length))
    return body.length as number
  }
  const guest = await totals('dave')
  expect(await totals()).toBe(guest)
  // One issue is confidential.
  expect(await totals('carol')).toBe(guest + 1)
  const { headers, body } = await send(`GET ${feed}?per_page=2&page=2&sort=asc&target_type=issue`, { as: 'dave' })
  expect(body).toHaveLength(2)
  expect(headers.get('x-total')).toBe('4')
  expect(headers.get('x-next-page')).toBe('')
  expect(headers.get('link')).toContain('target_type=issue')
})

test('days are dates, and both are left out', async () => {
  // Not the day of the clock, which may change between the creation of the data and this line.
  const [newest] = (await send(`GET ${feed}?per_page=1`)).body
  const dayAt = (offset: number) => new Date(Date.parse(newest.created_at) + offset).toISOString().slice(0, 10)
  const [yesterday, today, tomorrow] = [-86_400_000, 0, 86_400_000].map(dayAt)
  const count = async (query: string) => (await send(`GET ${feed}?${query}`)).body.length
  expect(await count(`before=${today}`)).toBe(0)
  expect(await count(`after=${today}`)).toBe(0)
  expect(await count(`after=${yesterday}&before=${tomorrow}`)).toBeGreaterThan(3)
})

test.each([
  ['action=pushing', 'action does not have a valid value'],
  ['target_type=Issue', 'target_type does not have a valid value'],
  ['before=tomorrow', 'before is invalid'],
  ['after=2016-13-01', 'after is invalid'],
  ['sort=up', 'sort does not have a valid value'],
  ['page=abc', 'page is invalid'],
  ['action=x&target_type=y', 'action does not have a valid value, target_type does not have a valid value'],
])('%s is refused', async (query, error) => {
  for (const path of [feed, '/users/bob/events']) {
    expect(await send(`GET ${path}?${query}`, { as: 'bob' })).toMatchObject({ status: 400, body: { error } })
  }
  expect(await send(`GET /events?${query}`, { as: 'bob' })).toMatchObject({ status: 400, body: { error } })
})

test('own events, and with the scope those of all own projects', async () => {
  expect(await send('GET /events')).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } })
  expect(await send('GET /events?action=nonsense')).toMatchObject({ status: 401 })
  const names = async (query: string) =>
    new Set(
      (await send(`GET /events?per_page=100${query}`, { as: 'bob' })).body.map(
        (event: { author_username: string }) => event.author_username,
      ),
    )
  expect(await names('')).toEqual(new Set(['bob']))
  expect(await names('&scope=mine')).toEqual(new Set(['bob']))
  expect(await names('&scope=all')).toEqual(new Set(['bob', 'carol', 'dave']))
})

test('events of a user by id or username; private profiles have none, unknown users are missing', async () => {
  const { id } = await forge.host.users.get({ user: 'dave' })
  const byName = await send('GET /users/Dave/events')
  expect(byName.body.length).toBeGreaterThan(1)
  expect((await send(`GET /users/${id}/events`)).body).toEqual(byName.body)
  await forge.host.users.update({ user: 'dave', privateProfile: true })
  const hidden = await send('GET /users/dave/events', { as: 'bob' })
  expect(hidden).toMatchObject({ status: 200, body: [] })
  expect(hidden.headers.get('x-total')).toBe('0')
  expect((await send('GET /users/dave/events', { as: 'dave' })).body).toHaveLength(byName.body.length)
  for (const user of ['nobody', '4711']) {
    expect(await send(`GET /users/${user}/events`)).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    })
  }
})

test('the scope read_user opens events of people, not those of projects', async () => {
  const { secret } = await forge.host.tokens.create({ user: 'bob', scopes: ['read_user'] })
  const headers = { 'private-token': secret }
  expect(await send('GET /events', { headers })).toMatchObject({ status: 200 })
  expect(await send('GET /users/bob/events', { headers })).toMatchObject({ status: 200 })
  for (const path of [feed, '/todos', '/notification_settings']) {
    expect(await send(`GET ${path}`, { headers })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    })
  }
  const other = await forge.host.tokens.create({ user: 'bob', scopes: ['read_repository'] })
  expect(await send('GET /events', { headers: { 'private-token': other.secret } })).toMatchObject({ status: 403 })
})

test('a project that cannot be seen has no events to speak of', async () => {
  const missing = { status: 404, body: { message: '404 Project Not Found' } }
  expect(await send('GET /projects/acme%2Ftools%2Fdeploy/events')).toMatchObject(missing)
  expect(await send('GET /projects/4711/events', { as: 'bob' })).toMatchObject(missing)
  await forge.host.projects.archive({ project })
  expect(await send(`GET ${feed}`)).toMatchObject({ status: 200 })
})

test('activity sets the time of the last activity of the project, at most once an hour', async () => {
  const read = async () => (await forge.host.projects.get({ project: 'acme/web' })).lastActivityAt
  const now = () => new Date(forge.clock.now()).toISOString().slice(0, 16)
  await forge.clock.advance({ hours: 2 })
  await forge.as('bob').issues.create({ project: 'acme/web', title: 'New' })
  const after = await read()
  expect(after.slice(0, 16)).toBe(now())
  await forge.clock.advance({ minutes: 30 })
  await forge.as('bob').issues.create({ project: 'acme/web', title: 'Next' })
  expect(await read()).toBe(after)
})

everyRouteCalled('events')
