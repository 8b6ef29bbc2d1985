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
}
const single = {
  membership_lock: true,
  prevent_forking_outside_group: true,
  prevent_sharing_groups_outside_hierarchy: true,
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
  for (const json of [{ default_branch: 'a..b' }, { shared_runners_setting: 'off' }, { max_artifacts_size: -1 }])
    expect((await change(json)).status).toBe(400)
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
