import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const names = [
  'api',
  'API',
  'oauth',
  'users',
  'admin',
  '_forgelet',
  'robots.txt',
  'groups',
  'snippets',
  'uploads',
  'help',
]

test.each(names)('no user and no top-level group has the address %s', async (path) => {
  const group = await send('POST /groups', { as: 'alice', json: { name: 'x', path } })
  expect([group.status, group.body]).toEqual([400, { message: { path: ['is a reserved name'] } }])
  expect((await send('PUT /groups/acme', { as: 'alice', json: { path } })).status).toBe(400)
  const user = { username: path, email: 'new@example.org', name: 'x', password: 'long enough' }
  expect((await send('POST /users', { as: 'root', json: user })).status).toBe(400)
  expect((await send('POST /groups', { as: 'alice', json: { name: 'x', path, parent_id: 8 } })).status).not.toBe(500)
})

test.each(['tree', 'blob', 'raw', 'new', 'wikis'])('no project is named %s', async (path) => {
  expect((await send('POST /projects', { as: 'alice', json: { name: 'x', path } })).status).toBe(400)
  expect((await send('POST /projects', { as: 'alice', json: { name: path } })).status).toBe(400)
  expect((await send('PUT /projects/acme%2Fweb', { as: 'alice', json: { path } })).status).toBe(400)
})

test('the host can use names that no address of the server has, but not the others', async () => {
  expect(await forge.host.groups.create({ path: 'help', name: 'Help' })).toMatchObject({ fullPath: 'help' })
  await expect(forge.host.groups.create({ path: 'api', name: 'Api' })).rejects.toMatchObject({ code: 'invalid' })
})
