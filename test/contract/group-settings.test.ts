import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const change = (json: object) => send('PUT /groups/acme', { as: 'alice', json })

/** Values other than the defaults. */
const listed = {
  auto_duo_code_review_enabled: true,
  default_branch: 'trunk',
  duo_core_features_enabled: true,
  duo_features_enabled: true,
  lock_duo_features_enabled: true,
  lock_math_rendering_limits_enabled: true,
  math_rendering_limits_enabled: false,
  max_artifacts_size: 10,
  shared_runners_setting: 'disabled_and_overridable',
  show_diff_preview_in_email: false,
  web_based_commit_signing_enabled: true,
  duo_availability: 'never_on',
  experiment_features_enabled: true,
  wiki_access_level: 'private',
}
const single = {
  membership_lock: true,
  prevent_forking_outside_group: true,
  prevent_sharing_groups_outside_hierarchy: true,
  enabled_git_access_protocol: 'http',
  allowed_email_domains_list: 'example.com',
}

test('settings are returned', async () => {
  const before = await send('GET /groups/acme', { as: 'alice' })
  for (const [name, value] of Object.entries({ ...listed, ...single }))
    expect(before.body).not.toHaveProperty(name, value)
  expect(await change({ ...listed, ...single })).toMatchObject({ status: 200, body: { ...listed, ...single } })
  const { body } = await send('GET /groups?search=acme', { as: 'alice' })
  expect(body.find(({ path }: { path: string }) => path === 'acme')).toMatchObject({ ...listed, emails_enabled: true })
})

test('values are checked', async () => {
  for (const json of [
    { default_branch: 'a..b' },
    { shared_runners_setting: 'off' },
    { max_artifacts_size: -1 },
    { organization_id: 2 },
  ])
    expect((await change(json)).status).toBe(400)
})

test('organization_id is that of the only organization', async () => {
  const create = (organization_id: number) =>
    send('POST /groups', { as: 'alice', json: { name: 'Other', path: 'other', organization_id } })
  expect((await create(2)).status).toBe(400)
  expect(await create(1)).toMatchObject({ status: 201, body: { organization_id: 1 } })
})

test('new projects have the default branch of the nearest group', async () => {
  await change({ default_branch: 'trunk' })
  const { body: tools } = await send('GET /groups/acme%2Ftools', { as: 'alice' })
  const create = async (name: string, id: number) =>
    (await forge.host.projects.create({ namespace: id, name })).defaultBranch
  expect(await create('one', tools.id)).toBe('trunk')
  await send('PUT /groups/acme%2Ftools', { as: 'alice', json: { default_branch: 'next' } })
  expect(await create('two', tools.id)).toBe('next')
  expect((await forge.host.projects.create({ namespace: 'bob', name: 'three' })).defaultBranch).toBe('main')
})

test('membership_lock forbids adding users to projects, but not access tokens', async () => {
  await change({ membership_lock: true })
  const { body: user } = await send('GET /users?username=mallory', { as: 'alice' })
  const json = { user_id: user[0].id, access_level: 30 }
  const path = '/projects/acme%2Fweb'
  expect((await send(`POST ${path}/members`, { as: 'alice', json })).status).toBe(403)
  const token = { name: 'bot', scopes: ['api'], expires_at: '2026-12-01' }
  expect((await send(`POST ${path}/access_tokens`, { as: 'alice', json: token })).status).toBeLessThan(300)
  await change({ membership_lock: false })
  expect((await send(`POST ${path}/members`, { as: 'alice', json })).status).toBeLessThan(300)
})

test('prevent_forking_outside_group limits the namespaces of forks', async () => {
  await change({ prevent_forking_outside_group: true })
  const fork = (json: object) => send('POST /projects/acme%2Fweb/fork', { as: 'alice', json })
  expect((await fork({ namespace_path: 'alice' })).status).toBe(403)
  expect((await fork({ namespace_path: 'acme/tools' })).status).toBe(201)
  await change({ prevent_forking_outside_group: false })
  expect((await fork({ namespace_path: 'alice' })).status).toBe(201)
})

test('prevent_sharing_groups_outside_hierarchy limits the groups that a group is shared with', async () => {
  await change({ prevent_sharing_groups_outside_hierarchy: true })
  const { id } = await forge.host.groups.create({ path: 'outside', visibility: 'public' })
  const share = () => send('POST /groups/acme%2Ftools/share', { as: 'alice', json: { group_id: id, group_access: 10 } })
  expect((await share()).status).toBe(400)
  await change({ prevent_sharing_groups_outside_hierarchy: false })
  expect((await share()).status).toBeLessThan(300)
})

test('wiki_access_level limits who uses the wiki of a group', async () => {
  const visible = await forge.host.groups.create({ path: 'open', visibility: 'public' })
  await forge.host.members.add({ group: 'open', users: ['alice'], accessLevel: 50 })
  const set = (wiki_access_level: string) =>
    send(`PUT /groups/${visible.id}`, { as: 'alice', json: { wiki_access_level } })
  const statuses = async () => {
    const read = (as?: string) => send('GET /groups/open/wikis', as === undefined ? {} : { as })
    const write = await send('POST /groups/open/wikis', { as: 'alice', json: { title: 'Home', content: 'Hello' } })
    return [(await read()).status, (await read('mallory')).status, (await read('alice')).status, write.status]
  }
  await set('private')
  expect(await statuses()).toEqual([401, 403, 200, 201])
  await set('disabled')
  expect(await statuses()).toEqual([401, 403, 403, 403])
  await set('enabled')
  expect((await statuses()).slice(0, 3)).toEqual([200, 200, 200])
})

test('allowed_email_domains_list limits new members of the group and everything below', async () => {
  await change({ allowed_email_domains_list: 'corp.example, *.corp.example' })
  await forge.host.users.create({ username: 'insider', email: 'insider@eu.corp.example' })
  const add = async (path: string, username: string) =>
    send(`POST ${path}/members`, {
      as: 'alice',
      json: { user_id: (await forge.host.users.get({ user: username })).id, access_level: 30 },
    })
  for (const path of ['/groups/acme%2Ftools', '/projects/acme%2Fweb']) {
    expect(await add(path, 'mallory')).toMatchObject({
      status: 400,
      body: { message: { user: ['email does not match the allowed domains of corp.example, *.corp.example'] } },
    })
    expect((await add(path, 'insider')).status).toBeLessThan(300)
  }
  const json = { email: 'new@else.example,new@corp.example', access_level: 10 }
  expect((await send('POST /groups/acme/invitations', { as: 'alice', json })).body).toEqual({
    status: 'error',
    message: { 'new@else.example': expect.stringContaining('does not match the allowed domains') },
  })
})

test('only administrators set the minutes of runners', async () => {
  const json = { shared_runners_minutes_limit: 100, extra_shared_runners_minutes_limit: 5 }
  expect((await change(json)).status).toBe(403)
  expect(await send('PUT /groups/acme', { as: 'root', json })).toMatchObject({ status: 200, body: json })
})

test('project_creation_level=owner permits only owners to create projects', async () => {
  const namespace_id = (await change({ project_creation_level: 'owner' })).body.id
  await forge.host.members.add({ group: 'acme', users: ['mallory'], accessLevel: 40 })
  const create = (as: string, name: string) => send('POST /projects', { as, json: { name, namespace_id } })
  expect((await create('mallory', 'first')).status).toBe(403)
  expect((await create('alice', 'second')).status).toBe(201)
  await change({ project_creation_level: 'administrator' })
  expect((await create('alice', 'third')).status).toBe(403)
  expect((await create('root', 'fourth')).status).toBe(201)
})

test('groups that a group is invited to and from are returned with their settings', async () => {
  const guest = await forge.host.groups.create({ path: 'guest', settings: { defaultBranch: 'trunk' } })
  await send('POST /groups/acme/share', { as: 'root', json: { group_id: guest.id, group_access: 10 } })
  const { body } = await send('GET /groups/acme/invited_groups', { as: 'root' })
  expect(body).toMatchObject([{ path: 'guest', default_branch: 'trunk', organization_id: 1 }])
})

test('enabled_git_access_protocol=ssh refuses git over HTTP in the group and everything below', async () => {
  const { gitTransport } = forge.as('alice')
  const fetch = () => gitTransport.advertiseUploadPack({ project: 'acme/tools/deploy' })
  await change({ enabled_git_access_protocol: 'ssh' })
  await expect(fetch()).rejects.toMatchObject({ code: 'forbidden' })
  await change({ enabled_git_access_protocol: 'http' })
  ;(await fetch()).destroy()
})
