import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world()
  send = client(forge)
})
afterAll(() => forge.close())

const web = '/projects/acme%2Fweb'

/** The newest events of a project, a group or the instance. */
const newest = async (path: string, count: number) =>
  (await send(`GET ${path}/audit_events?per_page=${count}`, { as: 'root' })).body

test('seeds leave no audit events', async () => {
  expect((await send('GET /audit_events', { as: 'root' })).body).toEqual([])
})

test('the life of a membership is recorded with its roles', async () => {
  const { id: user } = await forge.host.users.create({ username: 'nora', email: 'nora@example.com' })
  await send(`POST ${web}/members`, { as: 'alice', json: { user_id: user, access_level: 20 } })
  await send(`PUT ${web}/members/${user}`, { as: 'alice', json: { access_level: 30, expires_at: '2999-01-01' } })
  await send(`DELETE ${web}/members/${user}`, { as: 'alice' })
  const { id: project } = await forge.host.projects.get({ project: 'acme/web' })
  const alice = await forge.host.users.get({ user: 'alice' })
  const shared = { author_name: alice.name, author_class: 'User', author_email: expect.stringContaining('@') }
  const target = { target_id: user, target_type: 'User', target_details: 'nora' }
  const events = await newest(web, 4)
  expect(events.map(({ event_name: name }: { event_name: string }) => name)).toEqual([
    'member_destroyed',
    'member_updated',
    'member_updated',
    'member_created',
  ])
  expect(events[1]).toEqual({
    id: expect.any(Number),
    author_id: alice.id,
    entity_id: project,
    entity_type: 'Project',
    event_name: 'member_updated',
    details: {
      change: 'expires at',
      from: null,
      to: '2999-01-01',
      ...shared,
      ...target,
      ip_address: null,
      entity_path: 'acme/web',
    },
    created_at: expect.any(String),
  })
  expect(events[2].details).toMatchObject({ change: 'access level', from: 'Reporter', to: 'Developer', ...target })
  expect(events[3].details).toMatchObject({ custom_message: 'Added as Reporter', ...target })
  expect((await send(`GET ${web}/audit_events/${events[0].id}`, { as: 'alice' })).body).toEqual(events[0])
})

test('each changed field of a project is an event, and a call that changes nothing is none', async () => {
  const change = { visibility: 'private', merge_method: 'ff', description: 'New' }
  await send(`PUT ${web}`, { as: 'alice', json: change })
  const events = await newest(web, 2)
  expect(events.map((event: Record<string, unknown>) => event.event_name).toSorted()).toEqual([
    'project_merge_method_updated',
    'project_visibility_level_updated',
  ])
  const [method] = events.filter(
    (event: Record<string, unknown>) => event.event_name === 'project_merge_method_updated',
  )
  expect(method.details).toMatchObject({ change: 'merge method', from: 'merge', to: 'ff' })
  await send(`PUT ${web}`, { as: 'alice', json: change })
  expect(await newest(web, 2)).toEqual(events)
})

test('the IP address of the client is recorded', async () => {
  const session = forge.platform.as({ user: 'alice' }, { ipAddress: '192.0.2.7' })
  await session.projects.archive({ project: 'acme/web' })
  await session.projects.unarchive({ project: 'acme/web' })
  const [event] = await newest(web, 1)
  expect(event).toMatchObject({ event_name: 'project_unarchived', details: { ip_address: '192.0.2.7' } })
})

test('a failed call is not recorded', async () => {
  const before = await newest('', 1)
  expect((await send(`DELETE ${web}/members/999`, { as: 'alice' })).status).toBe(404)
  expect((await send(`POST ${web}/hooks`, { as: 'alice', json: { url: 'nonsense' } })).status).toBe(400)
  expect((await send(`PUT ${web}`, { as: 'alice', json: { visibility: 'public', path: 'a b' } })).status).toBe(400)
  expect(await newest('', 1)).toEqual(before)
})

test('no event contains a secret', async () => {
  const json = { url: 'https://user:opensesame@hooks.example.com/', token: 'opensesame', name: 'Deploy' }
  await send(`POST ${web}/hooks`, { as: 'alice', json })
  await send(`POST ${web}/variables`, { as: 'alice', json: { key: 'KEY', value: 'opensesame' } })
  await send('PUT /application/settings', {
    as: 'root',
    json: { spamfilter_api_key: 'opensesame', signup_enabled: false },
  })
  await send('PUT /users/2', { as: 'root', json: { password: 'opensesame', admin: true } })
  await send(`POST ${web}/deploy_tokens`, { as: 'alice', json: { name: 'deploy', scopes: ['read_repository'] } })
  const { body: all } = await send('GET /audit_events?per_page=100', { as: 'root' })
  expect(JSON.stringify(all)).not.toContain('opensesame')
  const names = all.map((event: Record<string, unknown>) => event.event_name)
  for (const name of [
    'webhook_created',
    'ci_variable_created',
    'application_setting_updated',
    'user_password_updated',
    'user_admin_status_updated',
    'deploy_token_created',
  ])
    expect(names).toContain(name)
  const setting = all.find((event: { details: { change?: string } }) => event.details.change === 'spamfilter api key')
  expect(setting).toMatchObject({ entity_type: 'Gitlab::Audit::InstanceScope', entity_id: 1 })
  expect(setting.details).toMatchObject({ target_details: 'gitlab_instance' })
  expect(setting.details).not.toHaveProperty('to')
})

test('a rotated access token is two events, and a new project is one', async () => {
  const token = await forge
    .as('alice')
    .accessTokens.create({ project: 'acme/web', name: 'ci', scopes: ['api'], accessLevel: 20 })
  await forge.as('alice').accessTokens.rotate({ project: 'acme/web', token: token.id, expiresAt: '2999-01-01' })
  expect((await newest(web, 3)).map((event: Record<string, unknown>) => event.event_name)).toEqual([
    'project_access_token_created',
    'project_access_token_deleted',
    'project_access_token_created',
  ])
  const { body } = await send('POST /projects', { as: 'alice', json: { name: 'Fresh', initialize_with_readme: true } })
  const [event] = await newest(`/projects/${body.id}`, 1)
  expect(event).toMatchObject({ event_name: 'project_created', entity_id: body.id })
  await send(
    `DELETE /projects/${body.id}?permanently_remove=true&full_path=${encodeURIComponent(body.path_with_namespace)}`,
    {
      as: 'alice',
    },
  )
})

test('developers see their own events of a project, owners those of a group', async () => {
  await send('PUT /groups/acme', { as: 'alice', json: { description: 'Tools and services' } })
  const [event] = await newest('/groups/acme', 1)
  expect(event).toMatchObject({ event_name: 'group_description_updated', entity_type: 'Group' })
  expect((await send(`GET /groups/acme/audit_events/${event.id}`, { as: 'alice' })).body).toEqual(event)
  expect((await send(`GET ${web}/audit_events/${event.id}`, { as: 'alice' })).status).toBe(404)
  expect((await send(`GET ${web}/audit_events`, { as: 'bob' })).body).toEqual([])
})

test('events are filtered by time and entity, and have keyset pages', async () => {
  const all = (query: string) => send(`GET /audit_events?${query}`, { as: 'root' })
  expect((await all('created_before=2020-01-01T00:00:00Z')).body).toEqual([])
  expect((await all('created_after=2020-01-01T00:00:00Z')).body.length).toBeGreaterThan(5)
  expect((await all('entity_id=1')).status).toBe(400)
  const groups = (await all('entity_type=Group')).body
  expect(groups.map((event: Record<string, unknown>) => event.event_name)).toEqual(['group_description_updated'])
  expect((await all(`entity_type=Group&entity_id=${groups[0].entity_id}`)).body).toEqual(groups)
  const { body, headers } = await all('pagination=keyset&order_by=id&sort=desc&per_page=2')
  expect(body).toHaveLength(2)
  expect(headers.get('link')).toContain('rel="next"')
  const [single] = body
  expect((await send(`GET /audit_events/${single.id}`, { as: 'root' })).body).toEqual(single)
})

everyRouteCalled('audit events')
