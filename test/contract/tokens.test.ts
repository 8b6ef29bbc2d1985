import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

const parents = ['/projects/acme%2Fweb', '/groups/acme']

describe.each(parents)('access tokens of %s', (parent) => {
  const path = `${parent}/access_tokens`

  test('are created, listed, rotated and revoked', async () => {
    const json = { name: 'robot', scopes: ['api'], access_level: 30, expires_at: '2999-01-01' }
    const { status, body } = await send(`POST ${path}`, { as: 'alice', json })
    expect(status).toBe(201)
    const { token, ...shown } = body
    expect(body).toEqual({
      id: expect.any(Number),
      user_id: expect.any(Number),
      name: 'robot',
      description: null,
      scopes: ['api'],
      active: true,
      revoked: false,
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: '2999-01-01',
      access_level: 30,
      token: expect.stringMatching(/^fgpat-/),
    })
    expect((await send(`GET ${path}`, { as: 'alice' })).body).toEqual([shown])
    expect((await send(`GET ${path}/${body.id}`, { as: 'alice' })).body).toEqual(shown)
    const { body: user } = await send('GET /user', { headers: { 'private-token': token } })
    expect(user).toMatchObject({ id: body.user_id, bot: true, name: 'robot' })
    const rotated = await send(`POST ${path}/${body.id}/rotate`, { as: 'alice', json: { expires_at: '2999-02-01' } })
    expect(rotated).toMatchObject({ status: 200, body: { expires_at: '2999-02-01', access_level: 30 } })
    expect((await send('GET /user', { headers: { 'private-token': token } })).status).toBe(401)
    expect((await send(`GET ${path}?state=active`, { as: 'alice' })).body).toMatchObject([{ id: rotated.body.id }])
    expect((await send(`DELETE ${path}/${rotated.body.id}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${path}/${rotated.body.id + 1}`, { as: 'alice' })).status).toBe(404)
  })

  test('rotate themselves, with the scope self_rotate and whatever their level', async () => {
    const json = { name: 'robot', scopes: ['self_rotate', 'read_api'], access_level: 10 }
    const { body } = await send(`POST ${path}`, { as: 'alice', json })
    const own = { headers: { 'private-token': body.token } }
    expect((await send(`POST ${path}/${body.id}/rotate`, own)).status).toBe(403)
    const rotated = await send(`POST ${path}/self/rotate`, own)
    expect(rotated).toMatchObject({ status: 200, body: { scopes: json.scopes, access_level: 10 } })
    expect((await send('GET /user', own)).status).toBe(401)
    expect((await send(`POST ${path}/self/rotate`, { as: 'alice' })).status).toBe(404)
  })

  test('are rejected without name or scopes, and with unknown levels and scopes', async () => {
    const valid = { name: 'robot', scopes: ['api'] }
    for (const json of [{ name: 'robot' }, { scopes: ['api'] }]) {
      expect((await send(`POST ${path}`, { as: 'alice', json })).status).toBe(400)
    }
    for (const change of [{ scopes: [] }, { scopes: ['sudo'] }, { access_level: 35 }, { expires_at: 'soon' }]) {
      expect((await send(`POST ${path}`, { as: 'alice', json: { ...valid, ...change } })).status).toBe(400)
    }
  })
})

describe.each(parents)('deploy tokens of %s', (parent) => {
  const path = `${parent}/deploy_tokens`

  test('are created, listed and removed', async () => {
    const json = { name: 'cluster', scopes: ['read_repository', 'read_registry'], expires_at: '2999-01-01' }
    const { status, body } = await send(`POST ${path}`, { as: 'alice', json })
    expect(status).toBe(201)
    const { token, ...shown } = body
    expect(token).toMatch(/^fgdt-/)
    expect(shown).toEqual({
      id: expect.any(Number),
      name: 'cluster',
      username: `gitlab+deploy-token-${shown.id}`,
      scopes: ['read_repository', 'read_registry'],
      expires_at: '2999-01-01T00:00:00.000Z',
      expired: false,
      revoked: false,
    })
    expect((await send(`GET ${path}?active=true`, { as: 'alice' })).body).toEqual([shown])
    expect((await send(`GET ${path}/${body.id}`, { as: 'alice' })).body).toEqual(shown)
    expect((await send('GET /deploy_tokens', { as: 'root' })).body).toEqual([shown])
    const read = await send(`GET ${parent}`, { headers: { 'deploy-token': token } })
    expect(read).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } })
    expect((await send(`DELETE ${path}/${body.id}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${path}/${body.id}`, { as: 'alice' })).status).toBe(404)
  })

  test('are rejected with unknown scopes, and with user names that HTTP cannot send', async () => {
    const valid = { name: 'cluster', scopes: ['read_repository'] }
    for (const change of [
      { name: '' },
      { scopes: [] },
      { scopes: ['api'] },
      { username: 'a:b' },
      { expires_at: 'soon' },
    ]) {
      expect((await send(`POST ${path}`, { as: 'alice', json: { ...valid, ...change } })).status).toBe(400)
    }
  })
})

test('bots can be left out of lists of users', async () => {
  await forge.host.accessTokens.create({ project: 'acme/web', name: 'robot', scopes: ['api'] })
  const search = async (query: string) => (await send(`GET /users?search=robot${query}`, { as: 'root' })).body
  expect(await search('')).toMatchObject([{ name: 'robot', bot: true }])
  expect(await search('&without_project_bots=true')).toEqual([])
})

test('users create short-lived tokens with narrow scopes for themselves', async () => {
  const path = '/user/personal_access_tokens'
  const json = { name: 'narrow', scopes: ['self_rotate'] }
  const { status, body } = await send(`POST ${path}`, { as: 'bob', json })
  const tomorrow = new Date(Date.parse(body.created_at) + 86_400_000).toISOString().slice(0, 10)
  expect({ status, body }).toMatchObject({ status: 201, body: { ...json, active: true, expires_at: tomorrow } })
  const own = { headers: { 'private-token': body.token } }
  expect((await send('GET /user', own)).status).toBe(403)
  const rotated = await send('POST /personal_access_tokens/self/rotate', own)
  expect(rotated).toMatchObject({ status: 200, body: { scopes: ['self_rotate'] } })
  const later = await send(`POST ${path}`, { as: 'bob', json: { ...json, expires_at: '2999-01-01' } })
  expect(later.body.expires_at).toBe('2999-01-01')
  for (const scopes of [['api'], ['self_rotate', 'read_api'], []])
    expect((await send(`POST ${path}`, { as: 'bob', json: { ...json, scopes } })).status).toBe(400)
})

test('the scopes of runners permit the creation and the changes of runners only', async () => {
  const create = async (scope: 'create_runner' | 'manage_runner') => {
    const { secret } = await forge.as('root').tokens.create({ scopes: [scope] })
    return { headers: { 'private-token': secret } }
  }
  const [creator, manager] = [await create('create_runner'), await create('manage_runner')]
  const json = { runner_type: 'instance_type', run_untagged: true }
  const runner = await send('POST /user/runners', { ...creator, json })
  expect(runner.status).toBe(201)
  expect((await send('POST /user/runners', { ...manager, json })).status).toBe(403)
  const path = `/runners/${runner.body.id}`
  expect((await send(`PUT ${path}`, { ...creator, json: { description: 'Fast' } })).status).toBe(403)
  expect((await send(`PUT ${path}`, { ...manager, json: { description: 'Fast' } })).status).toBe(200)
  expect((await send('GET /user', manager)).status).toBe(403)
  expect((await send(`DELETE ${path}`, manager)).status).toBe(204)
})

everyRouteCalled('access tokens', 'deploy tokens')
