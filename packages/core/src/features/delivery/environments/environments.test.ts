import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const sha = 'a'.repeat(40)

test('generates the slug from the first name and keeps it after a rename', async () => {
  const { environments } = forge.as('bob')
  const created = await environments.create({ project, name: 'review/fix', externalUrl: 'https://fix.example.com' })
  expect(created).toEqual({
    id: expect.any(Number),
    name: 'review/fix',
    slug: expect.stringMatching(/^review-fix-[a-z0-9]{6}$/),
    externalUrl: 'https://fix.example.com',
    state: 'available',
    tier: 'development',
    autoStopAt: null,
    autoStopSetting: 'always',
    description: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  const renamed = await environments.update({ project, environment: created.id, name: 'review/other' })
  expect(renamed).toEqual({ ...created, name: 'review/other', updatedAt: expect.any(String) })
  // The old name is available again, its slug is not.
  const second = await environments.create({ project, name: 'review/fix' })
  expect(second.slug).toMatch(/^review-fix-[a-z0-9]{6}$/)
  expect(second.slug).not.toBe(created.slug)
  expect(await forge.as('carol').environments.get({ project, environment: created.id })).toEqual({
    ...renamed,
    lastDeployment: null,
  })
})

test('adds a suffix to a slug that a renamed environment still has', async () => {
  const { environments } = forge.as('bob')
  const { id } = await environments.create({ project, name: 'staging' })
  await environments.update({ project, environment: id, name: 'old' })
  expect((await environments.create({ project, name: 'staging' })).slug).toMatch(/^staging-[a-z0-9]{6}$/)
})

test.each([
  ['', "can't be blank"],
  ['/a', /^can contain only letters/],
  ['a/', /^can contain only letters/],
  ['a:b', /^can contain only letters/],
  ['a'.repeat(256), /^is too long/],
])('rejects the name %j', async (name, message) => {
  await expect(forge.as('bob').environments.create({ project, name })).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ fields: ['name'], message: expect.stringMatching(message) }],
  })
})

test.each(['javascript:alert(1)', 'ftp://x.example', 'java\nscript:alert(1)', 'https://'])(
  'rejects the external URL %j',
  async (externalUrl) => {
    await expect(
      forge.as('bob').environments.create({ project, name: 'production', externalUrl }),
    ).rejects.toMatchObject({
      problems: [{ fields: ['externalUrl'], message: expect.stringMatching(/^is blocked: /) }],
    })
  },
)

test('stores a blank external URL as null', async () => {
  const { environments } = forge.as('bob')
  const { id, externalUrl } = await environments.create({ project, name: 'production', externalUrl: ' ' })
  expect(externalUrl).toBeNull()
  await environments.update({ project, environment: id, externalUrl: 'http://a.example' })
  expect(await environments.update({ project, environment: id, name: 'live' })).toMatchObject({
    externalUrl: 'http://a.example',
  })
  expect(await environments.update({ project, environment: id, externalUrl: '' })).toMatchObject({ externalUrl: null })
})

test('names are unique within a project', async () => {
  const { environments } = forge.as('bob')
  await environments.create({ project, name: 'production' })
  const { id } = await environments.create({ project, name: 'staging' })
  const taken = { code: 'invalid', problems: [{ fields: ['name'], message: 'has already been taken' }] }
  await expect(environments.create({ project, name: 'production' })).rejects.toMatchObject(taken)
  await expect(environments.update({ project, environment: id, name: 'production' })).rejects.toMatchObject(taken)
  await expect(environments.update({ project, environment: id, name: 'staging' })).resolves.toBeDefined()
  await expect(environments.create({ project: 'bob/notes', name: 'production' })).resolves.toBeDefined()
})

test('filters the list by name and by name prefix', async () => {
  const { environments } = forge.as('bob')
  for (const name of ['review/a', 'review/b', 'production', 'a_b', 'aXb']) await environments.create({ project, name })
  const names = async (filter: object) =>
    (await environments.list({ project, ...filter })).items.map(({ name }) => name)
  expect(await names({})).toEqual(['review/a', 'review/b', 'production', 'a_b', 'aXb'])
  expect(await names({ search: 'REVIEW' })).toEqual(['review/a', 'review/b'])
  expect(await names({ search: 'a_' })).toEqual(['a_b'])
  expect(await names({ search: 'view' })).toEqual([])
  expect(await names({ name: 'production' })).toEqual(['production'])
  await expect(names({ name: 'a', search: 'a' })).rejects.toMatchObject({
    message: 'name, search cannot be used together',
  })
})

test('a successful deployment becomes the last deployment and restarts a stopped environment', async () => {
  const { environments, deployments } = forge.as('bob')
  const { id: environment } = await environments.create({ project, name: 'production' })
  expect(await environments.stop({ project, environment })).toMatchObject({ state: 'stopped' })
  expect(await environments.stop({ project, environment })).toMatchObject({ state: 'stopped' })
  const first = await deployments.create({ project, environment, ref: 'main', sha, status: 'running', job: { id: 7 } })
  expect(await environments.get({ project, environment })).toMatchObject({ state: 'stopped', lastDeployment: null })
  await deployments.update({ project, deployment: first.id, status: 'success' })
  await deployments.create({ project, environment, ref: 'main', sha, status: 'failed' })
  const { state, lastDeployment } = await environments.get({ project, environment })
  expect(state).toBe('available')
  expect(lastDeployment).toMatchObject({
    iid: 1,
    status: 'success',
    user: { username: 'bob' },
    deployable: { id: 7, stage: 'deploy', ref: 'main', user: { username: 'bob' }, projectPath: project, artifacts: [] },
  })
  expect((await deployments.list({ project, environment })).items.map(({ iid }) => iid)).toEqual([1, 2])
  expect((await deployments.list({ project, environment: 99_999 })).total).toBe(0)
  await environments.remove({ project, environment })
  expect((await deployments.list({ project })).total).toBe(0)
})

test('only granted users can deploy to a protected environment', async () => {
  const { host } = forge
  const { id: environment } = await host.environments.create({ project, name: 'production' })
  const deploy = (user: string) => forge.as(user).deployments.create({ project, environment, ref: 'main', sha })
  await expect(deploy('bob')).resolves.toBeDefined()
  await expect(deploy('carol')).rejects.toMatchObject({ code: 'forbidden' })
  const protect = async (grant: object) => {
    await host.protectedEnvironments.remove({ project, name: 'production' }).catch(() => undefined)
    return host.protectedEnvironments.create({ project, name: 'production', deployAccessLevels: [grant] })
  }
  await protect({ accessLevel: 40 })
  await expect(deploy('bob')).rejects.toMatchObject({ code: 'forbidden', reason: 'protected' })
  await expect(deploy('alice')).resolves.toBeDefined()
  await protect({ accessLevel: 60 })
  await expect(deploy('alice')).rejects.toMatchObject({ reason: 'protected' })
  await expect(deploy('root')).resolves.toBeDefined()
  // A host that deploys on behalf of a user has the grants of that user.
  await expect(
    host.deployments.create({ project, environment, ref: 'main', sha, user: 'alice' }),
  ).rejects.toMatchObject({ reason: 'protected' })
  const bob = await host.users.get({ user: 'bob' })
  await protect({ userId: bob.id })
  await expect(deploy('bob')).resolves.toBeDefined()
  await expect(deploy('alice')).rejects.toMatchObject({ reason: 'protected' })
  const partners = await host.groups.get({ group: 'partners' })
  await protect({ groupId: partners.id })
  await host.members.add({ group: 'partners', users: ['bob'], accessLevel: 30 })
  await expect(deploy('bob')).resolves.toBeDefined()
})

test('rejects grants to users and groups without access to the project', async () => {
  const { host } = forge
  const id = async (user: string) => (await host.users.get({ user })).id
  const [acme, partners] = await Promise.all(['acme', 'partners'].map((group) => host.groups.get({ group })))
  const outside = [{ userId: await id('mallory') }, { groupId: acme?.id ?? 0 }, { userId: 99_999 }, {}]
  const { protectedEnvironments } = forge.as('alice')
  await expect(
    protectedEnvironments.create({ project, name: 'production', deployAccessLevels: outside }),
  ).rejects.toMatchObject({
    code: 'unprocessable',
    message:
      `Deploy access levels user ${outside[0]?.userId} cannot access the project, ` +
      `the project is not shared with group ${acme?.id}, user 99999 cannot access the project, an entry is empty`,
  })
  const inside = [{ accessLevel: 30 as const }, { userId: await id('bob') }, { groupId: partners?.id ?? 0 }]
  const created = await protectedEnvironments.create({
    project,
    name: 'production',
    deployAccessLevels: [...inside, ...inside],
  })
  const none = { accessLevel: null, userId: null, groupId: null }
  expect(created).toEqual({
    name: 'production',
    deployAccessLevels: [
      { ...none, accessLevel: 30, accessLevelDescription: 'Developers + Maintainers' },
      { ...none, userId: await id('bob'), accessLevelDescription: 'Bob Builder' },
      { ...none, groupId: partners?.id, accessLevelDescription: 'Group' },
    ],
    requiredApprovalCount: 0,
    approvalRules: [],
  })
  expect(await protectedEnvironments.get({ project, name: 'production' })).toEqual(created)
  await expect(
    protectedEnvironments.create({ project, name: 'production', deployAccessLevels: inside }),
  ).rejects.toMatchObject({ code: 'conflict', message: "Protected environment 'production' already exists" })
})

test('hides the names of groups that the caller cannot see', async () => {
  const { host } = forge
  const { id: groupId } = await host.groups.create({ name: 'Hidden', path: 'hidden', visibility: 'private' })
  await host.shares.create({ project, withGroup: groupId, accessLevel: 30 })
  const grants = [{ groupId }]
  await host.protectedEnvironments.create({ project, name: 'production', deployAccessLevels: grants })
  const describedFor = async (session: typeof host) =>
    (await session.protectedEnvironments.get({ project, name: 'production' })).deployAccessLevels
  expect(await describedFor(host)).toMatchObject([{ groupId, accessLevelDescription: 'Hidden' }])
  const alice = forge.as('alice')
  await expect(alice.groups.get({ group: groupId })).rejects.toMatchObject({ code: 'not_found' })
  expect(await describedFor(alice)).toMatchObject([{ groupId, accessLevelDescription: 'Group' }])
  await host.members.add({ group: groupId, users: ['alice'], accessLevel: 10 })
  expect(await describedFor(alice)).toMatchObject([{ groupId, accessLevelDescription: 'Hidden' }])
})

test('rejects changes to the environments of an archived project', async () => {
  const { host } = forge
  const { id: environment } = await host.environments.create({ project, name: 'production' })
  await host.projects.archive({ project })
  const forbidden = { code: 'forbidden' }
  await expect(host.environments.create({ project, name: 'x' })).rejects.toMatchObject(forbidden)
  await expect(host.environments.update({ project, environment, name: 'x' })).rejects.toMatchObject(forbidden)
  await expect(host.environments.stop({ project, environment })).rejects.toMatchObject(forbidden)
  await expect(host.environments.remove({ project, environment })).rejects.toMatchObject(forbidden)
  await expect(host.environments.get({ project, environment })).resolves.toBeDefined()
})

test('the free tier has no protected environments', async () => {
  const free = await world({ tier: 'free' })
  try {
    await expect(free.host.protectedEnvironments.list({ project })).rejects.toMatchObject({ code: 'not_licensed' })
    const { id: environment } = await free.host.environments.create({ project, name: 'production' })
    await expect(free.as('bob').deployments.create({ project, environment, ref: 'main', sha })).resolves.toBeDefined()
  } finally {
    await free.close()
  }
})
