import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseSshKey } from '../../packages/core/src/features/accounts/keys/ssh-key.ts'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'
import { newSshKey } from './ssh-keys.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const sha256 = (text: string) => {
  const result = parseSshKey(text)
  return 'key' in result ? result.key.sha256 : ''
}

test('the user of a key has linked identities', async () => {
  await forge.host.identities.link({ user: 'bob', provider: 'openid', externalUid: 'bob@login.example' })
  const { id } = await forge.host.keys.create({ user: 'bob', key: newSshKey('bob@laptop') })
  const { body } = await send(`GET /keys/${id}`, { as: 'root' })
  const identity = { provider: 'openid', extern_uid: 'bob@login.example', saml_provider_id: null }
  expect(body.user.identities).toEqual([identity])
})

/** Fingerprints whose base64 holds both signs that an address must not. */
const awkwardKey = (): string => {
  for (;;) {
    const key = newSshKey('bob@laptop')
    if (sha256(key).includes('/') && sha256(key).includes('+')) return key
  }
}

test('a key has the documented fields and no others', async () => {
  const key = newSshKey('bob@laptop')
  const { id } = await forge.host.keys.create({ user: 'bob', key })
  const { status, body } = await send(`GET /keys/${id}`, { as: 'root' })
  expect(status).toBe(200)
  expect(body).toEqual({
    id,
    title: 'bob@laptop',
    key,
    created_at: expect.stringMatching(/\.\d{3}Z$/),
    expires_at: null,
    user: {
      id: expect.any(Number),
      name: 'Bob Builder',
      username: 'bob',
      state: 'active',
      avatar_url: expect.any(String),
      web_url: `${forge.url}/bob`,
      created_at: expect.any(String),
      bio: '',
      location: '',
      public_email: '',
      locked: false,
      skype: '',
      discord: '',
      github: '',
      job_title: '',
      pronouns: '',
      bot: false,
      work_information: null,
      followers: 0,
      following: 0,
      is_followed: false,
      local_time: null,
      commit_email: 'bob@example.com',
      linkedin: '',
      twitter: '',
      website_url: '',
      organization: '',
      last_sign_in_at: null,
      confirmed_at: expect.any(String),
      last_activity_on: null,
      email: 'bob@example.com',
      theme_id: 1,
      color_scheme_id: 1,
      projects_limit: 100_000,
      current_sign_in_at: null,
      identities: [],
      can_create_group: true,
      can_create_project: true,
      two_factor_enabled: false,
      external: false,
      private_profile: false,
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: null,
    },
  })
})

test('a key is found by its fingerprint, whose signs are encoded', async () => {
  const key = awkwardKey()
  const { id } = await forge.host.keys.create({ user: 'bob', key })
  const by = (fingerprint: string) => send(`GET /keys?fingerprint=${fingerprint}`, { as: 'root' })
  expect((await by(encodeURIComponent(`SHA256:${sha256(key)}`))).body).toMatchObject({ id, user: { username: 'bob' } })
  // A plain plus sign of a query is a blank.
  expect(await by(`SHA256:${sha256(key)}`)).toMatchObject({
    status: 400,
    body: { message: 'Failed to return the key' },
  })
})

test('a deploy key also says which projects it opens', async () => {
  const made = await forge
    .as('alice')
    .deployKeys.create({ project: 'acme/web', key: newSshKey('robot'), canPush: true })
  const { body } = await send(`GET /keys/${made.id}`, { as: 'root' })
  expect(body.user).toMatchObject({ username: 'alice' })
  expect(body.deploy_keys_projects).toEqual([
    {
      id: expect.any(Number),
      deploy_key_id: made.id,
      project_id: (await forge.host.projects.get({ project: 'acme/web' })).id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      can_push: true,
    },
  ])
})

test.each([
  ['/keys', 400, { error: 'fingerprint is missing' }],
  ['/keys?fingerprint=nonsense', 400, { message: 'Failed to return the key' }],
  [`/keys?fingerprint=${Array(16).fill('00').join(':')}`, 404, { message: '404 Key Not Found' }],
  ['/keys/99999', 404, { message: '404 Not found' }],
  ['/keys/abc', 400, { error: 'id is invalid' }],
])('GET %s is refused', async (path, status, body) => {
  expect(await send(`GET ${path}`, { as: 'root' })).toMatchObject({ status, body })
})

test('users have keys', async () => {
  const { body } = await send('POST /user/keys', { as: 'bob', json: { title: 'Laptop', key: newSshKey('laptop') } })
  expect(body).toMatchObject({ title: 'Laptop' })
  expect((await send('GET /user/keys', { as: 'bob' })).body).toEqual([body])
  expect((await send(`GET /user/keys/${body.id}`, { as: 'bob' })).body).toEqual(body)
  const { id: bob } = await forge.host.users.get({ user: 'bob' })
  expect((await send(`GET /users/${bob}/keys/${body.id}`, { as: 'alice' })).body).toEqual(body)
  expect((await send(`GET /users/${bob + 1}/keys/${body.id}`, { as: 'alice' })).status).toBe(404)
  expect((await send('GET /users/bob/keys', { as: 'carol' })).body).toEqual([body])
  expect((await send(`DELETE /user/keys/${body.id}`, { as: 'carol' })).status).toBe(404)
  expect((await send(`DELETE /user/keys/${body.id}`, { as: 'bob' })).status).toBe(204)
  const path = `/users/${(await forge.host.users.get({ user: 'bob' })).id}/keys`
  const added = await send(`POST ${path}`, { as: 'root', json: { key: newSshKey('server') } })
  expect((await send(`DELETE ${path}/${added.body.id}`, { as: 'root' })).status).toBe(204)
})

everyRouteCalled('keys')
