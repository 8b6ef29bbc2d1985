import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ ports: { dns: { addresses: async () => [], textRecords: async () => [] } } })
  send = client(forge)
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'

test.each(['/projects', '/groups/acme/projects', '/users/alice/projects', '/users/alice/starred_projects'])(
  'simple=true has only ids, names, paths and URLs: %s',
  async (path) => {
    await forge.host.projects.star({ project: 'acme/web', user: 'alice' })
    await forge.host.projects.create({ namespace: 'alice', path: 'own', name: 'Own' })
    const { body } = await send(`GET ${path}?simple=true`, { as: 'alice' })
    expect(body.length).toBeGreaterThan(0)
    for (const item of body) {
      expect(Object.keys(item).sort()).toEqual(
        `http_url_to_repo id name name_with_namespace path path_with_namespace readme_url ssh_url_to_repo web_url`.split(
          ' ',
        ),
      )
    }
  },
)

test.each(['git@', 'git:hushsecret@', ':hushsecret@', 'robot@', 'robot:hushsecret@'])(
  'the address of a mirror shows nothing of %s',
  async (credentials) => {
    const json = { url: `https://${credentials}mirror.example/x.git` }
    const made = await send(`POST ${web}/remote_mirrors`, { as: 'alice', json })
    const read = await send(`GET ${web}/remote_mirrors`, { as: 'root' })
    expect(made.status).toBe(200)
    for (const { text } of [made, read]) {
      expect(text).toContain('@mirror.example/x.git')
      expect(text).not.toMatch(/hushsecret|robot|git[:@]/)
    }
    expect(made.body.update_status).toBe('none')
  },
)

describe('mirrors below maintainer', () => {
  test.each([
    ['GET', 'remote_mirrors'],
    ['POST', 'remote_mirrors'],
    ['PUT', 'remote_mirrors/1'],
    ['POST', 'remote_mirrors/1/sync'],
    ['DELETE', 'remote_mirrors/1'],
  ])('%s %s is 403, and 401 without a credential', async (method, path) => {
    const url = 'https://mirror.example/x.git'
    const { id } = await forge.host.remoteMirrors.create({ project: 'acme/web', url })
    const json = method === 'POST' || method === 'PUT' ? { url, enabled: true } : undefined
    const call = `${method} ${web}/${path.replace('1', String(id))}`
    expect((await send(call, { as: 'bob', json })).status).toBe(403)
    expect((await send(call, { json })).status).toBe(401)
  })
})

test.each(['POST /projects/none%2Fx/labels', 'POST /groups/none/labels', 'POST /projects/none%2Fx/issues'])(
  '%s without a credential is 401, with one 404',
  async (call) => {
    const json = { name: 'x', color: 'red', title: 'x' }
    expect((await send(call, { json })).status).toBe(401)
    expect((await send(call, { as: 'bob', json })).status).toBe(404)
  },
)

test('lists of custom attributes have pages', async () => {
  const { id } = await forge.host.users.get({ user: 'bob' })
  for (const path of [`/users/${id}/custom_attributes`, `${web}/custom_attributes`, '/groups/acme/custom_attributes']) {
    for (const key of ['a', 'b', 'c']) await send(`PUT ${path}/${key}`, { as: 'root', json: { value: key } })
    const { body, headers } = await send(`GET ${path}?per_page=2`, { as: 'root' })
    expect(body).toHaveLength(2)
    expect(headers.get('x-next-page')).toBe('2')
    expect((await send(`GET ${path}?per_page=0`, { as: 'root' })).status).toBe(400)
  }
})

test('events of the same time are ordered by id', async () => {
  await forge.clock.set('2030-01-01T00:00:00Z')
  for (const title of ['a', 'b', 'c']) await send(`POST ${web}/issues`, { as: 'bob', json: { title } })
  const titles = async (query: string) =>
    (await send(`GET ${web}/events?after=2029-12-30&${query}`, { as: 'bob' })).body.map(
      ({ target_title }: { target_title: string }) => target_title,
    )
  expect(await titles('sort=asc')).toEqual(['a', 'b', 'c'])
  expect(await titles('sort=desc')).toEqual(['c', 'b', 'a'])
})

test('the status of creations and the tier change no other response', async () => {
  await using created = await world({ http: { createdStatus: 201 } })
  await using free = await world({ tier: 'free' })
  const paths = [web, `${web}/issues`, `${web}/labels`, `${web}/members`, '/groups/acme', '/user', '/todos', '/none']
  for (const path of paths) {
    const expected = await send(`GET ${path}`, { as: 'alice' })
    const other = await client(created)(`GET ${path}`, { as: 'alice' })
    expect([path, other.status, Object.keys(other.body)]).toEqual([path, expected.status, Object.keys(expected.body)])
    expect((await client(free)(`GET ${path}`, { as: 'alice' })).status).toBe(expected.status)
  }
})

test('epic to-do items exist in the paid tier only', async () => {
  await using free = await world({ tier: 'free' })
  expect((await client(free)('POST /groups/acme/epics/1/todo', { as: 'alice' })).status).toBe(403)
})

test.each([
  ['labels/bug', { new_name: 'bug' }],
  ['issues/1', { state_event: 'reopen' }],
])('a value that is already set changes nothing: %s', async (path, json) => {
  const before = (await send(`GET ${web}/${path}`, { as: 'alice' })).body
  await forge.clock.advance({ hours: 1 })
  await send(`PUT ${web}/${path}`, { as: 'alice', json })
  expect((await send(`GET ${web}/${path}`, { as: 'alice' })).body).toEqual(before)
})
