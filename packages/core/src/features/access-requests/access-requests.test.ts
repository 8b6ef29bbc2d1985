import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const group = 'acme'
const forbidden = { code: 'forbidden' }
const missing = { code: 'not_found', kind: undefined }
const settled = () => new Promise((resolve) => setImmediate(resolve))

const asking = async (at: { project: string } | { group: string }) =>
  (await forge.host.accessRequests.list(at)).items.map(({ username }) => username)

test('asking gives a request and no access', async () => {
  const mallory = forge.as('mallory')
  const asked = await mallory.accessRequests.create({ project })
  expect(asked).toMatchObject({ username: 'mallory', state: 'active', createdAt: asked.requestedAt })
  expect(await asking({ project })).toEqual(['mallory'])
  await expect(mallory.labels.create({ project, name: 'x', color: 'red' })).rejects.toMatchObject(forbidden)
  // A requester is no member, whichever way one looks.
  const { members } = forge.host
  expect((await members.list({ project })).items.map(({ username }) => username)).not.toContain('mallory')
  await expect(members.get({ project, user: 'mallory' })).rejects.toMatchObject(missing)
  await expect(members.getAll({ project, user: 'mallory' })).rejects.toMatchObject(missing)
  await expect(members.update({ project, user: 'mallory', accessLevel: 30 })).rejects.toMatchObject(missing)
  await expect(members.remove({ project, user: 'mallory' })).rejects.toMatchObject(missing)
})

test('asking twice is refused; asking elsewhere is another request', async () => {
  const { accessRequests } = forge.as('mallory')
  await accessRequests.create({ project })
  await expect(accessRequests.create({ project })).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ fields: ['userId'], message: 'already exists in source' }],
  })
  await expect(accessRequests.create({ group })).resolves.toBeDefined()
})

test('nobody asks for what they have, directly, through a group or through a share', async () => {
  for (const who of ['dave', 'alice', 'bob', 'erin', 'root']) {
    await expect(forge.as(who).accessRequests.create({ project })).rejects.toMatchObject(forbidden)
  }
  await expect(forge.host.accessRequests.create({ project })).rejects.toMatchObject(forbidden)
  await expect(forge.platform.accessRequests.create({ project })).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('requests can be switched off; private places take none, even when something below is visible', async () => {
  const { host } = forge
  await host.projects.update({ project, requestAccessEnabled: false })
  await expect(forge.as('mallory').accessRequests.create({ project })).rejects.toMatchObject(forbidden)
  await host.groups.update({ group, requestAccessEnabled: false })
  await expect(forge.as('mallory').accessRequests.create({ group })).rejects.toMatchObject(forbidden)
  // Mallory reads one project of the private group, and so the group's record.
  await host.members.add({ project: 'acme/tools/deploy', user: 'mallory', accessLevel: 10 })
  await expect(forge.as('mallory').groups.get({ group: 'acme/tools' })).resolves.toBeDefined()
  await expect(forge.as('mallory').accessRequests.create({ group: 'acme/tools' })).rejects.toMatchObject(forbidden)
})

test('approving makes a developer unless another level is given, and ends the request', async () => {
  const heard: unknown[] = []
  forge.platform.on('member.joined', (fact) => void heard.push(fact))
  const { requestedAt } = await forge.as('mallory').accessRequests.create({ project })
  const approved = await forge.as('alice').accessRequests.approve({ project, user: 'mallory' })
  expect(approved).toMatchObject({ username: 'mallory', accessLevel: 30, expiresAt: null, createdAt: requestedAt })
  expect(await asking({ project })).toEqual([])
  await expect(forge.as('mallory').labels.create({ project, name: 'x', color: 'red' })).resolves.toBeDefined()
  await settled()
  expect(heard).toHaveLength(1)

  await forge.as('mallory').accessRequests.create({ group })
  const owner = await forge.as('alice').accessRequests.approve({ group, user: 'mallory', accessLevel: 50 })
  expect(owner).toMatchObject({ accessLevel: 50 })
})

test('approving obeys the levels of adding a member, and only for those who may add', async () => {
  const { accessRequests } = forge.as('mallory')
  await accessRequests.create({ project })
  await expect(accessRequests.approve({ project, user: 'mallory' })).rejects.toMatchObject(forbidden)
  const alice = forge.as('alice').accessRequests
  for (const accessLevel of [0, 50, 60]) {
    await expect(alice.approve({ project, user: 'mallory', accessLevel })).rejects.toMatchObject({
      problems: [{ fields: ['accessLevel'], message: 'is not included in the list' }],
    })
  }
  await forge.host.members.add({ group, user: 'mallory', accessLevel: 40 })
  await expect(alice.approve({ project, user: 'mallory' })).rejects.toMatchObject({ code: 'invalid' })
  expect(await asking({ project })).toEqual(['mallory'])
  await expect(alice.approve({ project, user: 'dave' })).rejects.toMatchObject(missing)
  await expect(alice.approve({ project, user: 'nobody' })).rejects.toMatchObject(missing)
})

test('whoever becomes a member has no request left, only there', async () => {
  const { accessRequests } = forge.as('mallory')
  await accessRequests.create({ project })
  await accessRequests.create({ group })
  await forge.as('alice').members.add({ project, user: 'mallory', accessLevel: 10 })
  expect(await asking({ project })).toEqual([])
  expect(await asking({ group })).toEqual(['mallory'])
  await forge.host.members.sync({ group, user: 'mallory', accessLevel: 20 })
  expect(await asking({ group })).toEqual([])
})

test('a request is denied by those who decide, or withdrawn by whoever asked', async () => {
  const heard: boolean[] = []
  forge.platform.on('accessRequest.ended', ({ withdrawn }) => void heard.push(withdrawn))
  const mallory = forge.as('mallory').accessRequests
  await mallory.create({ project })
  await expect(forge.as('carol').accessRequests.remove({ project, user: 'mallory' })).rejects.toMatchObject(forbidden)
  await forge.as('alice').accessRequests.remove({ project, user: 'mallory' })
  await mallory.create({ project })
  await mallory.remove({ project, user: 'mallory' })
  await expect(mallory.remove({ project, user: 'mallory' })).rejects.toMatchObject(missing)
  await settled()
  expect(heard).toEqual([false, true])
})

test('a membership that has expired can be asked for anew', async () => {
  await forge.host.members.add({ project, user: 'mallory', accessLevel: 20, expiresAt: '2020-01-01' })
  await forge.as('mallory').accessRequests.create({ project })
  await expect(forge.as('alice').accessRequests.approve({ project, user: 'mallory' })).resolves.toMatchObject({
    accessLevel: 30,
    expiresAt: null,
  })
})

test('a seed names who asks', async () => {
  await forge.seed({
    groups: [{ path: 'open', visibility: 'internal', accessRequests: ['mallory'] }],
    projects: [{ path: 'open/house', visibility: 'internal', accessRequests: ['dave', 'mallory'] }],
  })
  expect(await asking({ group: 'open' })).toEqual(['mallory'])
  expect(await asking({ project: 'open/house' })).toEqual(['dave', 'mallory'])
})
