import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import { formatPercentage } from './status.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const first = { name: 'first', url: 'https://first.example.com', primary: true }
const second = { name: 'second', url: 'https://second.example.com/' }

test('a new node has the documented defaults and URLs with a trailing slash', async () => {
  expect(await forge.as('root').replicaNodes.create(first)).toEqual({
    id: expect.any(Number),
    name: 'first',
    url: 'https://first.example.com/',
    internalUrl: 'https://first.example.com/',
    primary: true,
    enabled: true,
    current: false,
    filesMaxCapacity: 10,
    reposMaxCapacity: 25,
    verificationMaxCapacity: 100,
    containerRepositoriesMaxCapacity: 10,
    syncObjectStorage: false,
    selectiveSyncType: null,
    selectiveSyncShards: [],
    selectiveSyncNamespaceIds: [],
    minimumReverificationInterval: 7,
  })
})

test('reports all problems at once', async () => {
  const { replicaNodes } = forge.host
  await replicaNodes.create(first)
  const invalid = {
    name: 'FIRST',
    url: 'javascript:alert(1)',
    internalUrl: 'ftp://x',
    primary: true,
    enabled: false,
    selectiveSyncType: 'some',
    filesMaxCapacity: -1,
    minimumReverificationInterval: 0,
  }
  await expect(replicaNodes.create(invalid)).rejects.toMatchObject({
    code: 'invalid',
    problems: [
      { fields: ['name'], message: 'has already been taken' },
      { fields: ['url'], message: 'is blocked: Only allowed schemes are http, https' },
      { fields: ['internalUrl'], message: 'is blocked: Only allowed schemes are http, https' },
      { fields: ['primary'], message: 'node already exists' },
      { fields: ['enabled'], message: 'Geo primary node cannot be disabled' },
      { fields: ['selectiveSyncType'], message: 'is not included in the list' },
      { fields: ['minimumReverificationInterval'], message: 'must be greater than or equal to 1' },
      { fields: ['filesMaxCapacity'], message: 'must be greater than or equal to 0' },
    ],
  })
  await expect(replicaNodes.create({ name: ' ', url: '' })).rejects.toMatchObject({
    problems: [
      { fields: ['name'], message: "can't be blank" },
      { fields: ['url'], message: "can't be blank" },
    ],
  })
})

test('an update keeps omitted values', async () => {
  const { replicaNodes } = forge.host
  const primary = await replicaNodes.create(first)
  const node = await replicaNodes.create({ ...second, selectiveSyncType: 'shards', selectiveSyncShards: ['a'] })
  const updated = await replicaNodes.update({ node: node.id, ...second, reposMaxCapacity: 5 })
  expect(updated).toEqual({ ...node, reposMaxCapacity: 5 })
  expect(await replicaNodes.update({ node: node.id, ...second, selectiveSyncType: '' })).toMatchObject({
    selectiveSyncType: null,
  })
  await expect(
    replicaNodes.update({ node: primary.id, name: 'first', url: first.url, enabled: false }),
  ).rejects.toMatchObject({ problems: [{ fields: ['enabled'] }] })
  await expect(replicaNodes.update({ node: node.id, name: 'First', url: second.url })).rejects.toMatchObject({
    problems: [{ fields: ['name'], message: 'has already been taken' }],
  })
  expect((await replicaNodes.list()).items.map(({ name }) => name)).toEqual(['first', 'second'])
  await replicaNodes.remove({ node: node.id })
  await expect(replicaNodes.get({ node: node.id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a secondary node rejects changes', async () => {
  const { id } = await forge.host.replicaNodes.create({
    name: 'https://here.example.com',
    url: 'https://x.example.com',
  })
  const session = forge.platform.as({ user: 'root' }, { siteUrl: 'https://here.example.com' })
  expect((await session.replicaNodes.get({ node: id })).current).toBe(true)
  const rejected = { code: 'forbidden', reason: 'secondary' }
  await expect(session.replicaNodes.update({ node: id, ...second })).rejects.toMatchObject(rejected)
  await expect(session.replicaNodes.repair({ node: id })).rejects.toMatchObject(rejected)
  await expect(session.replicaNodes.remove({ node: id })).rejects.toMatchObject(rejected)
  await forge.host.replicaNodes.remove({ node: id })
  const primary = await forge.host.replicaNodes.create({ ...first, url: 'https://HERE.example.com/' })
  await expect(session.replicaNodes.repair({ node: primary.id })).resolves.toMatchObject({ current: true })
})

test('a node reports its status; a repair clears the missing OAuth application', async () => {
  const { replicaNodes } = forge.host
  const { id: node } = await replicaNodes.create(second)
  expect((await replicaNodes.listStatuses()).items).toEqual([])
  await expect(replicaNodes.getStatus({ node })).rejects.toMatchObject({ code: 'not_found' })
  const status = await replicaNodes.report({
    node,
    healthy: false,
    health: 'Too slow',
    missingOauthApplication: true,
    repositoriesCount: 41,
    repositoriesSyncedCount: 40,
    repositoriesVerifiedCount: 20,
    wikisCount: 3,
    wikisChecksummedCount: 3,
    replicationSlotsCount: 2,
    replicationSlotsUsedCount: 1,
    lastEventId: 23,
    version: '1.0.0',
  })
  expect(status).toMatchObject({
    geoNodeId: node,
    health: 'Too slow',
    healthStatus: 'Unhealthy',
    repositoriesSyncedInPercentage: '97.56%',
    repositoriesVerifiedInPercentage: '48.78%',
    wikisChecksummedInPercentage: '100.00%',
    wikisSyncedInPercentage: '0.00%',
    replicationSlotsUsedInPercentage: '50.00%',
    attachmentsCount: null,
    lastEventId: 23,
    revision: null,
  })
  expect(await replicaNodes.getStatus({ node })).toEqual(status)
  await replicaNodes.repair({ node })
  expect((await replicaNodes.listStatuses()).items).toEqual([{ ...status, missingOauthApplication: false }])
  expect(await replicaNodes.report({ node, healthy: true })).toMatchObject({
    health: 'Healthy',
    repositoriesCount: null,
    missingOauthApplication: false,
  })
})

test('nodes require an administrator and a paid tier', async () => {
  await expect(forge.as('alice').replicaNodes.list()).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.as('alice').replicaNodes.get({ node: 99_999 })).rejects.toMatchObject({ code: 'forbidden' })
  const free = await world({ tier: 'free' })
  try {
    await expect(free.host.replicaNodes.list()).rejects.toMatchObject({ code: 'not_licensed' })
  } finally {
    await free.close()
  }
})

test.each([
  [1, 3, '33.33%'],
  [40, 41, '97.56%'],
  [0, 0, '0.00%'],
  [null, 5, '0.00%'],
  [5, null, '0.00%'],
])('%s of %s is %s', (part, whole, text) => {
  expect(formatPercentage(part, whole)).toBe(text)
})
