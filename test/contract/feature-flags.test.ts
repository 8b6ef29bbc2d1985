import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const flags = '/projects/acme%2Fweb/feature_flags'
const userLists = '/projects/acme%2Fweb/feature_flags_user_lists'
const as = 'bob'

const create = async (name: string, strategies: readonly object[] = []) =>
  (await send(`POST ${flags}`, { as, json: { name, version: 'new_version_flag', strategies } })).body

const createList = async (name = 'Testers', user_xids = 'user1,user2') =>
  (await send(`POST ${userLists}`, { as, json: { name, user_xids } })).body

test('a flag has strategies for environments', async () => {
  const userList = await createList()
  const scopes = [{ environment_scope: 'production' }, { environment_scope: 'review/*' }]
  const json = {
    name: 'new-search',
    version: 'new_version_flag',
    description: 'The new search',
    strategies: [
      { name: 'userWithId', parameters: { userIds: 'ann,ben' }, scopes },
      { name: 'gitlabUserList', user_list_id: userList.id, scopes: [{ environment_scope: '*' }] },
    ],
  }
  const { status, body } = await send(`POST ${flags}`, { as, json })
  expect(status).toBe(201)
  const id = expect.any(Number)
  expect(body).toEqual({
    name: 'new-search',
    description: 'The new search',
    active: true,
    version: 'new_version_flag',
    created_at: expect.any(String),
    updated_at: expect.any(String),
    scopes: [],
    strategies: [
      {
        id,
        name: 'userWithId',
        parameters: { userIds: 'ann,ben' },
        scopes: scopes.map((scope) => ({ id, ...scope })),
        user_list: null,
      },
      {
        id,
        name: 'gitlabUserList',
        parameters: {},
        scopes: [{ id, environment_scope: '*' }],
        user_list: { id: userList.id, iid: 1, name: 'Testers', user_xids: 'user1,user2' },
      },
    ],
  })
  expect((await send(`GET ${flags}/new-search`, { as })).body).toEqual(body)
  expect((await send(`GET ${flags}/other`, { as })).status).toBe(404)
})

test('lists are by name, of active or inactive flags', async () => {
  for (const name of ['zoom', 'audio']) await create(name)
  await send(`PUT ${flags}/zoom`, { as, json: { active: false } })
  const names = async (query: string) =>
    (await send(`GET ${flags}${query}`, { as })).body.map(({ name }: { name: string }) => name)
  expect(await names('')).toEqual(['audio', 'zoom'])
  expect(await names('?scope=enabled')).toEqual(['audio'])
  expect(await names('?scope=disabled')).toEqual(['zoom'])
  expect((await send(`DELETE ${flags}/zoom`, { as })).status).toBe(204)
  expect(await names('')).toEqual(['audio'])
})

test('a change adds, changes and removes strategies and scopes', async () => {
  const everywhere = [{ environment_scope: '*' }]
  const strategies = [
    { name: 'default', scopes: [{ environment_scope: 'staging' }, { environment_scope: 'qa' }] },
    { name: 'userWithId', parameters: { userIds: 'ann' }, scopes: everywhere },
  ]
  const { strategies: before } = await create('new-search', strategies)
  const json = {
    name: 'search',
    description: null,
    strategies: [
      {
        id: before[0].id,
        scopes: [
          { id: before[0].scopes[0].id, environment_scope: 'production' },
          { id: before[0].scopes[1].id, _destroy: true },
        ],
      },
      { id: before[1].id, _destroy: true },
      {
        name: 'flexibleRollout',
        parameters: { groupId: 'a', rollout: '25', stickiness: 'default' },
        scopes: everywhere,
      },
    ],
  }
  const { status, body } = await send(`PUT ${flags}/new-search`, { as, json })
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'search', description: null })
  expect(body.strategies).toMatchObject([
    { id: before[0].id, name: 'default', scopes: [{ environment_scope: 'production' }] },
    { name: 'flexibleRollout', parameters: { groupId: 'a', rollout: '25', stickiness: 'default' } },
  ])
  expect((await send(`PUT ${flags}/search`, { as, json: { strategies: [{ id: before[1].id }] } })).status).toBe(404)
})

test.each([
  [{ name: 'default', parameters: { a: 'b' } }, 'parameters must be empty'],
  [{ name: 'userWithId', parameters: { userIds: 'a,a' } }, 'userIds must be a string of unique comma separated'],
  [{ name: 'gradualRolloutUserId', parameters: { groupId: 'a' } }, 'parameters are invalid'],
  [{ name: 'gradualRolloutUserId', parameters: { groupId: 'A', percentage: '5' } }, 'groupId parameter is invalid'],
  [{ name: 'gradualRolloutUserId', parameters: { groupId: 'a', percentage: '101' } }, 'percentage must be'],
  [{ name: 'flexibleRollout', parameters: { groupId: 'a', rollout: '5', stickiness: 'x' } }, 'stickiness parameter'],
  [{ name: 'gitlabUserList', user_list_id: 999 }, 'user list must belong to the same project'],
  [{ name: 'default', user_list_id: 999 }, 'user list must be blank'],
  [{ name: 'default', scopes: [{ environment_scope: '*' }, { environment_scope: '*' }] }, 'has already been taken'],
])('the strategy %j is refused', async (strategy, problem) => {
  const json = { name: 'new-search', version: 'new_version_flag', strategies: [strategy] }
  const { status, body } = await send(`POST ${flags}`, { as, json })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain(problem)
  expect((await send(`GET ${flags}`, { as })).body).toEqual([])
})

test.each(['a', 'New', 'new_', '1st', 'new search'])('the name %j is refused', async (name) => {
  expect((await send(`POST ${flags}`, { as, json: { name, version: 'new_version_flag' } })).status).toBe(400)
})

test('names are unique in the project', async () => {
  await create('one')
  await create('two')
  const taken = { status: 400, body: { message: { name: ['has already been taken'] } } }
  expect(await send(`POST ${flags}`, { as, json: { name: 'one' } })).toMatchObject(taken)
  expect(await send(`PUT ${flags}/two`, { as, json: { name: 'one' } })).toMatchObject(taken)
  await createList('One')
  expect(await send(`POST ${userLists}`, { as, json: { name: 'One', user_xids: '' } })).toMatchObject(taken)
})

test('user lists are found, changed and removed while no strategy has them', async () => {
  const list = await createList('Testers', 'user1,user2')
  expect(list).toMatchObject({ iid: 1, name: 'Testers', user_xids: 'user1,user2', project_id: expect.any(Number) })
  await createList('Friends', '')
  expect((await send(`GET ${userLists}?search=TEST`, { as })).body).toEqual([list])
  expect((await send(`GET ${userLists}/1`, { as })).body).toEqual(list)
  const changed = await send(`PUT ${userLists}/1`, { as, json: { user_xids: 'user3' } })
  expect(changed.body).toMatchObject({ name: 'Testers', user_xids: 'user3' })
  expect((await send(`PUT ${userLists}/1`, { as, json: { user_xids: 'a, b' } })).status).toBe(400)
  await create('new-search', [{ name: 'gitlabUserList', user_list_id: list.id }])
  expect(await send(`DELETE ${userLists}/1`, { as })).toMatchObject({
    status: 409,
    body: { message: 'User list is associated with a strategy' },
  })
  expect((await send(`DELETE ${userLists}/2`, { as })).status).toBe(204)
})

describe('an application', () => {
  let projectId: number
  let unleash: string
  beforeEach(async () => {
    projectId = (await forge.host.projects.get({ project: 'acme/web' })).id
    unleash = `/feature_flags/unleash/${projectId}`
    await forge.host.featureFlags.rotateClientToken({ project: 'acme/web', secret: 'fgffct-secret' })
  })
  const headers = (environment?: string, token = 'fgffct-secret') => ({
    'UNLEASH-INSTANCEID': token,
    ...(environment !== undefined && { 'UNLEASH-APPNAME': environment }),
  })

  test('reads the strategies for its environment', async () => {
    const { id: user_list_id } = await createList()
    await create('everywhere', [{ name: 'default', scopes: [{ environment_scope: '*' }] }])
    await create('for-testers', [{ name: 'gitlabUserList', user_list_id, scopes: [{ environment_scope: 'review/*' }] }])
    await create('nowhere', [{ name: 'default' }])
    await send(`PUT ${flags}/everywhere`, { as, json: { active: false, description: 'All' } })
    const everywhere = {
      name: 'everywhere',
      description: 'All',
      enabled: false,
      strategies: [{ name: 'default', parameters: {} }],
    }
    const forTesters = {
      name: 'for-testers',
      description: '',
      enabled: true,
      strategies: [{ name: 'userWithId', parameters: { userIds: 'user1,user2' } }],
    }
    const read = async (environment?: string) =>
      (await send(`GET ${unleash}/client/features`, { headers: headers(environment) })).body
    expect(await read('production')).toEqual({ version: 1, features: [everywhere] })
    expect(await read('review/new.css')).toEqual({ version: 1, features: [everywhere, forTesters] })
    expect(await read()).toEqual({ version: 1, features: [] })
    const query = '?instance_id=fgffct-secret&app_name=production'
    expect((await send(`GET ${unleash}/features${query}`)).body).toEqual({ version: 1, features: [everywhere] })
  })

  test('needs the token of the project', async () => {
    const status = async (line: string, token?: string) =>
      (await send(line, { headers: headers('production', token) })).status
    for (const line of [`POST ${unleash}/client/register`, `POST ${unleash}/client/metrics`]) {
      expect(await status(line)).toBe(200)
      expect(await status(line, 'other')).toBe(401)
    }
    expect((await send(`GET ${unleash}/client/features`)).status).toBe(401)
    expect(
      (await send('GET /feature_flags/unleash/999/client/features', { headers: headers('production') })).status,
    ).toBe(401)
    await forge.host.featureFlags.rotateClientToken({ project: 'acme/web' })
    expect(await status(`GET ${unleash}/client/features`)).toBe(401)
  })

  test('reads nothing while the project has no feature flags', async () => {
    await create('everywhere')
    const change = (feature_flags_access_level: string) =>
      send('PUT /projects/acme%2Fweb', { as: 'root', json: { feature_flags_access_level } })
    await change('private')
    expect((await send(`GET ${unleash}/client/features`, { headers: headers('production') })).status).toBe(200)
    expect((await send(`GET ${flags}`, { as })).status).toBe(200)
    await change('disabled')
    expect((await send(`GET ${unleash}/client/features`, { headers: headers('production') })).status).toBe(401)
    expect((await send(`GET ${flags}`, { as })).status).toBe(403)
  })
})

everyRouteCalled('feature flags', 'feature flag user lists')
