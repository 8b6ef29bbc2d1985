import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ ports: { dns: { addresses: async () => [], textRecords: async () => [] } } })
  send = client(forge)
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb/remote_mirrors'
const as = 'alice'
const url = 'https://robot:hushsecret@example.com/x.git'

test('a new mirror is disabled, masked and untouched', async () => {
  const made = await send(`POST ${base}`, { as, json: { url } })
  expect(made.status).toBe(200)
  expect(made.body).toEqual({
    id: expect.any(Number),
    enabled: false,
    url: 'https://*****:*****@example.com/x.git',
    update_status: 'none',
    last_update_at: null,
    last_update_started_at: null,
    last_successful_update_at: null,
    last_error: null,
    only_protected_branches: false,
    keep_divergent_refs: false,
    mirror_branch_regex: null,
    auth_method: 'password',
  })
  const list = await send(`GET ${base}`, { as })
  expect(list.body).toEqual([made.body])
  expect(list.headers.get('x-total')).toBe('1')
})

test.each([
  [url, 'https://*****:*****@example.com/x.git'],
  ['https://robot@example.com/x.git', 'https://*****@example.com/x.git'],
  ['ssh://git@example.com/x.git', 'ssh://*****@example.com/x.git'],
  ['git://example.com/x.git', 'git://example.com/x.git'],
])('%s is shown as %s', async (given, shown) => {
  expect((await send(`POST ${base}`, { as, form: { url: given } })).body).toMatchObject({ url: shown })
})

test('what is given on creation holds', async () => {
  const form = { url, enabled: 'true', only_protected_branches: '1', keep_divergent_refs: 'yes' }
  expect((await send(`POST ${base}`, { as, form })).body).toMatchObject({
    enabled: true,
    only_protected_branches: true,
    keep_divergent_refs: true,
  })
})

test('a pattern of branches replaces the protected ones, and the other way round', async () => {
  const { id } = (await send(`POST ${base}`, { as, json: { url, only_protected_branches: true } })).body
  const change = async (json: object) => (await send(`PUT ${base}/${id}`, { as, json })).body
  const selected = { only_protected_branches: false, mirror_branch_regex: '^release-' }
  expect(await change({ mirror_branch_regex: '^release-' })).toMatchObject(selected)
  expect(await change({ keep_divergent_refs: true })).toMatchObject(selected)
  expect(await change({ only_protected_branches: true })).toMatchObject({
    only_protected_branches: true,
    mirror_branch_regex: null,
  })
  const both = await send(`POST ${base}`, { as, json: { url, ...selected, only_protected_branches: true } })
  expect(both.status).toBe(400)
  expect(await change({ mirror_branch_regex: '(' })).toEqual({
    error: 'mirror_branch_regex is not a valid regular expression',
  })
})

test('a change touches what it names, and never the address', async () => {
  const { id } = (await send(`POST ${base}`, { as, json: { url } })).body
  const changed = await send(`PUT ${base}/${id}`, { as, json: { enabled: true, url: 'https://other.example.com/x' } })
  expect(changed).toMatchObject({
    status: 200,
    body: { id, enabled: true, keep_divergent_refs: false, url: 'https://*****:*****@example.com/x.git' },
  })
  expect(await send(`PUT ${base}/${id}`, { as, json: { enabled: 'perhaps' } })).toMatchObject({
    status: 400,
    body: { error: 'enabled is invalid' },
  })
})

test.each([
  [{}, { error: 'url is missing' }],
  [{ url: '' }, { message: { url: ["can't be blank"] } }],
  [{ url: 'ftp://example.com' }, { message: { url: ['is blocked: Only allowed schemes are ssh, git, http, https'] } }],
  [{ url: 'http://localhost/x' }, { message: { url: ['is blocked: Requests to localhost are not allowed'] } }],
  [{ url: 'http://0x7f.1/x' }, { message: { url: ['is blocked: Requests to loopback addresses are not allowed'] } }],
  [{ url: 'http://10.0.0.1/x' }, { message: { url: ['is blocked: Requests to the local network are not allowed'] } }],
  [{ url: 'https://example.com/\nx' }, { message: { url: ['is blocked: URI is invalid'] } }],
])('a creation by %j is refused', async (json, body) => {
  expect(await send(`POST ${base}`, { as, json })).toMatchObject({ status: 400, body })
})

test('addresses of the local network are allowed by the setting', async () => {
  const form = { allow_local_requests_from_web_hooks_and_services: 'true' }
  await send('PUT /application/settings', { as: 'root', form })
  expect(await send(`POST ${base}`, { as, json: { url: 'http://10.0.0.1/x' } })).toMatchObject({ status: 200 })
})

test('what is not there is not found, and others are not told', async () => {
  const missing = { status: 404, body: { message: '404 Not found' } }
  expect(await send(`PUT ${base}/999`, { as, json: { enabled: true } })).toMatchObject(missing)
  expect(await send(`PUT ${base}/999`, { as: 'bob', json: { enabled: true } })).toMatchObject({ status: 403 })
  expect(await send(`GET ${base}`, { as: 'bob' })).toMatchObject({ status: 403, body: { message: '403 Forbidden' } })
  expect(await send(`GET ${base}`)).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } })
})

test('beyond the documents a mirror can be looked at, pushed to and removed', async () => {
  const { id } = (await send(`POST ${base}`, { as, json: { url, enabled: true } })).body
  expect(await send(`GET ${base}/${id}`, { as })).toMatchObject({ status: 200, body: { id } })
  expect(await send(`POST ${base}/${id}/sync`, { as })).toMatchObject({ status: 204, text: '' })
  expect(await send(`DELETE ${base}/${id}`, { as })).toMatchObject({ status: 204, text: '' })
  expect(await send(`GET ${base}/${id}`, { as })).toMatchObject({ status: 404 })
})

test('no answer holds the password', async () => {
  const asked = [await send(`POST ${base}`, { as, json: { url } })]
  const { id } = asked[0]?.body ?? {}
  asked.push(
    await send(`GET ${base}`, { as: 'root' }),
    await send(`PUT ${base}/${id}`, { as, json: { enabled: true } }),
  )
  asked.push(await send(`POST ${base}`, { as, json: { url: url.replace('example.com', '10.0.0.1') } }))
  for (const { text } of asked) expect(text).not.toMatch(/hushsecret|robot/)
})

describe('a pull mirror', () => {
  const pull = '/projects/acme%2Fweb/mirror/pull'

  test('is a part of its project, without secrets', async () => {
    expect(await send(`GET ${pull}`, { as })).toMatchObject({
      status: 400,
      body: { message: 'The project is not mirrored' },
    })
    const none = (await send('GET /projects/acme%2Fweb', { as })).body
    expect([none.mirror, 'mirror_user_id' in none]).toEqual([false, false])
    const json = { mirror: true, import_url: url, mirror_branch_regex: '^main$' }
    const { body } = await send('PUT /projects/acme%2Fweb', { as, json })
    const user = (await send('GET /user', { as })).body.id
    expect(body).toMatchObject({
      mirror: true,
      mirror_user_id: user,
      mirror_trigger_builds: false,
      only_mirror_protected_branches: false,
      mirror_branch_regex: '^main$',
      mirror_overwrites_diverged_branches: false,
      import_url: 'https://*****:*****@example.com/x.git',
    })
    const mirror = (await send(`GET ${pull}`, { as })).body
    expect(mirror).toEqual({
      id: expect.any(Number),
      enabled: true,
      url: 'https://*****:*****@example.com/x.git',
      update_status: 'scheduled',
      last_error: null,
      last_update_at: null,
      last_update_started_at: null,
      last_successful_update_at: null,
      next_update_at: expect.any(String),
      mirror_trigger_builds: false,
      only_mirror_protected_branches: false,
      mirror_branch_regex: '^main$',
      mirror_overwrites_diverged_branches: false,
    })
    expect((await send(`POST ${pull}`, { as })).status).toBe(200)
    const off = await send(`PUT ${pull}`, { as, json: { enabled: false, only_mirror_protected_branches: true } })
    expect(off.body).toMatchObject({ enabled: false, mirror_branch_regex: null, only_mirror_protected_branches: true })
    expect(await send(`POST ${pull}`, { as })).toMatchObject({ status: 400 })
  })

  test('needs an address that the instance permits; its user is chosen by administrators', async () => {
    expect(await send('PUT /projects/acme%2Fweb', { as, json: { mirror: true } })).toMatchObject({
      status: 400,
      body: { message: { import_url: ["can't be blank"] } },
    })
    const json = { mirror: true, import_url: 'http://127.0.0.1/x.git' }
    expect((await send('PUT /projects/acme%2Fweb', { as, json })).body.message.import_url[0]).toContain('is blocked')
    const bob = (await send('GET /users?username=bob', { as })).body[0].id
    const change = { mirror: true, import_url: url, mirror_user_id: bob }
    const user = async (as: string, json: object) =>
      (await send('PUT /projects/acme%2Fweb', { as, json })).body.mirror_user_id
    expect(await user(as, change)).not.toBe(bob)
    expect(await user('root', { mirror_user_id: bob })).toBe(bob)
  })

  test('is created with a project', async () => {
    const json = { path: 'copy', import_url: url, mirror: true, mirror_trigger_builds: true }
    const { body } = await send('POST /projects', { as, json })
    expect(body).toMatchObject({ mirror: true, mirror_trigger_builds: true, import_status: 'scheduled' })
    expect((await send('POST /projects', { as, json: { path: 'other', mirror: true } })).status).toBe(400)
  })
})

everyRouteCalled('remote mirrors', 'pull mirrors')
