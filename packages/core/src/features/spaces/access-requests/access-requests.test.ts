import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const group = 'acme'
const forbidden = { code: 'forbidden' }
const missing = { code: 'not_found', kind: undefined }
const flushListeners = () => new Promise((resolve) => setImmediate(resolve))

const listRequesters = async (container: { project: string } | { group: string }) =>
  (await forge.host.accessRequests.list(container)).items.map(({ username }) => username)

test('a request grants no access', async () => {
  const mallory = forge.as('mallory')
  const request = await mallory.accessRequests.create({ project })
  expect(request).toMatchObject({ username: 'mallory', state: 'active', createdAt: request.requestedAt })
  expect(await listRequesters({ project })).toEqual(['mallory'])
  await expect(mallory.labels.create({ project, name: 'x', color: 'red' })).rejects.toMatchObject(forbidden)
  // No member operation treats the requester as a member.
  const { members } = forge.host
  expect((await members.list({ project })).items.map(({ username }) => username)).not.toContain('mallory')
  await expect(members.get({ project, user: 'mallory' })).rejects.toMatchObject(missing)
  await expect(members.get({ project, user: 'mallory', inherited: true })).rejects.toMatchObject(missing)
  await expect(members.update({ project, user: 'mallory', accessLevel: 30 })).rejects.toMatchObject(missing)
  await expect(members.remove({ project, user: 'mallory' })).rejects.toMatchObject(missing)
})

test('rejects a second request for the same project, but not for its group', async () => {
  const { accessRequests } = forge.as('mallory')
  await accessRequests.create({ project })
  await expect(accessRequests.create({ project })).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ fields: ['userId'], message: 'already exists in source' }],
  })
  await expect(accessRequests.create({ group })).resolves.toBeDefined()
})

test('rejects requests of direct, inherited and shared members, of administrators and of the host', async () => {
  for (const username of ['dave', 'alice', 'bob', 'erin', 'root']) {
    await expect(forge.as(username).accessRequests.create({ project })).rejects.toMatchObject(forbidden)
  }
  await expect(forge.host.accessRequests.create({ project })).rejects.toMatchObject(forbidden)
  await expect(forge.platform.accessRequests.create({ project })).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('rejects requests when disabled, and for private groups even if a project in them is visible', async () => {
  const { host } = forge
  await host.projects.update({ project, requestAccessEnabled: false })
  await expect(forge.as('mallory').accessRequests.create({ project })).rejects.toMatchObject(forbidden)
  await host.groups.update({ group, requestAccessEnabled: false })
  await expect(forge.as('mallory').accessRequests.create({ group })).rejects.toMatchObject(forbidden)
  // Mallory can read one project of the private group, and therefore the group itself.
  await host.members.add({ project: 'acme/tools/deploy', users: ['mallory'], accessLevel: 10 })
  await expect(forge.as('mallory').groups.get({ group: 'acme/tools' })).resolves.toBeDefined()
  await expect(forge.as('mallory').accessRequests.create({ group: 'acme/tools' })).rejects.toMatchObject(forbidden)
})

test('approval adds a developer by default and closes the request', async () => {
  const signals: unknown[] = []
  forge.platform.on('member.joined', (payload) => void signals.push(payload))
  const { requestedAt } = await forge.as('mallory').accessRequests.create({ project })
  const approved = await forge.as('alice').accessRequests.approve({ project, user: 'mallory' })
  expect(approved).toMatchObject({ username: 'mallory', accessLevel: 30, expiresAt: null, createdAt: requestedAt })
  expect(await listRequesters({ project })).toEqual([])
  await expect(forge.as('mallory').labels.create({ project, name: 'x', color: 'red' })).resolves.toBeDefined()
  await flushListeners()
  expect(signals).toHaveLength(1)

  await forge.as('mallory').accessRequests.create({ group })
  const owner = await forge.as('alice').accessRequests.approve({ group, user: 'mallory', accessLevel: 50 })
  expect(owner).toMatchObject({ accessLevel: 50 })
})

test('approval requires the permission to add members and an allowed level', async () => {
  const { accessRequests } = forge.as('mallory')
  await accessRequests.create({ project })
  await expect(accessRequests.approve({ project, user: 'mallory' })).rejects.toMatchObject(forbidden)
  const alice = forge.as('alice').accessRequests
  for (const accessLevel of [0, 50, 60]) {
    await expect(alice.approve({ project, user: 'mallory', accessLevel })).rejects.toMatchObject({
      problems: [{ fields: ['accessLevel'], message: 'is not included in the list' }],
    })
  }
  await forge.host.members.add({ group, users: ['mallory'], accessLevel: 40 })
  await expect(alice.approve({ project, user: 'mallory' })).rejects.toMatchObject({ code: 'invalid' })
  expect(await listRequesters({ project })).toEqual(['mallory'])
  await expect(alice.approve({ project, user: 'dave' })).rejects.toMatchObject(missing)
  await expect(alice.approve({ project, user: 'nobody' })).rejects.toMatchObject(missing)
})

test('joining closes the request for that project or group only', async () => {
  const { accessRequests } = forge.as('mallory')
  await accessRequests.create({ project })
  await accessRequests.create({ group })
  await forge.as('alice').members.add({ project, users: ['mallory'], accessLevel: 10 })
  expect(await listRequesters({ project })).toEqual([])
  expect(await listRequesters({ group })).toEqual(['mallory'])
  await forge.host.members.sync({ group, user: 'mallory', accessLevel: 20 })
  expect(await listRequesters({ group })).toEqual([])
})

test('a maintainer denies a request, its author withdraws it', async () => {
  const signals: boolean[] = []
  forge.platform.on('accessRequest.ended', ({ withdrawn }) => void signals.push(withdrawn))
  const mallory = forge.as('mallory').accessRequests
  await mallory.create({ project })
  await expect(forge.as('carol').accessRequests.remove({ project, user: 'mallory' })).rejects.toMatchObject(forbidden)
  await forge.as('alice').accessRequests.remove({ project, user: 'mallory' })
  await mallory.create({ project })
  await mallory.remove({ project, user: 'mallory' })
  await expect(mallory.remove({ project, user: 'mallory' })).rejects.toMatchObject(missing)
  await flushListeners()
  expect(signals).toEqual([false, true])
})

test('a former member can request access after the membership has expired', async () => {
  await forge.host.members.add({ project, users: ['mallory'], accessLevel: 20, expiresAt: '2020-01-01' })
  await forge.as('mallory').accessRequests.create({ project })
  await expect(forge.as('alice').accessRequests.approve({ project, user: 'mallory' })).resolves.toMatchObject({
    accessLevel: 30,
    expiresAt: null,
  })
})

test('seed data can contain access requests', async () => {
  await forge.seed({
    groups: [{ path: 'open', visibility: 'internal', accessRequests: ['mallory'] }],
    projects: [{ path: 'open/house', visibility: 'internal', accessRequests: ['dave', 'mallory'] }],
  })
  expect(await listRequesters({ group: 'open' })).toEqual(['mallory'])
  expect(await listRequesters({ project: 'open/house' })).toEqual(['dave', 'mallory'])
})
