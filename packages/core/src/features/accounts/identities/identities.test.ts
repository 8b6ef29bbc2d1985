import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge | undefined
const getForge = () => forge as FakeForge
beforeEach(async () => {
  await forge?.close()
  forge = await world()
})
afterAll(() => forge?.close())

const crm = { provider: 'crm', externalUid: 'customer-4711' }

test('a linked external identity opens a session of the user', async () => {
  const { host, platform } = getForge()
  expect(await host.identities.link({ user: 'carol', ...crm })).toMatchObject(crm)
  expect(await host.identities.find(crm)).toMatchObject({ username: 'carol' })
  expect(await host.identities.list({ user: 'carol' })).toEqual([{ ...crm, createdAt: expect.any(String) }])
  const session = platform.as(crm)
  expect(await session.users.get()).toMatchObject({ username: 'carol' })
  expect(await session.labels.create({ project: 'acme/web', name: 'linked', color: 'red' })).toMatchObject({
    name: 'linked',
  })
})

test('seed data can contain identities', async () => {
  await getForge().seed({ users: [{ username: 'grace', identities: [crm] }] })
  expect(await getForge().host.identities.find(crm)).toMatchObject({ username: 'grace' })
})

test('rejects an unknown identity instead of treating it as anonymous', async () => {
  const { host, platform } = getForge()
  await host.identities.link({ user: 'carol', ...crm })
  for (const identity of [
    { ...crm, externalUid: 'Customer-4711' },
    { ...crm, provider: 'other' },
  ]) {
    await expect(platform.as(identity).projects.get({ project: 'acme/web' })).rejects.toMatchObject({
      code: 'unauthenticated',
      reason: 'unknown',
    })
    await expect(host.identities.find(identity)).rejects.toMatchObject({ code: 'not_found', kind: 'User' })
  }
})

test('rejects the identity of a blocked user and an unlinked identity', async () => {
  const { host, platform } = getForge()
  await host.identities.link({ user: 'carol', ...crm })
  await host.users.block({ user: 'carol' })
  await expect(platform.as(crm).users.get()).rejects.toMatchObject({ code: 'forbidden', reason: 'blocked' })
  await host.users.unblock({ user: 'carol' })
  await host.identities.unlink({ user: 'carol', provider: 'crm' })
  await expect(platform.as(crm).users.get()).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(host.identities.unlink({ user: 'carol', provider: 'crm' })).rejects.toMatchObject({ code: 'not_found' })
})

test('a UID belongs to one user, and a user has one UID per provider', async () => {
  const { host } = getForge()
  const first = await host.identities.link({ user: 'carol', ...crm })
  expect(await host.identities.link({ user: 'carol', ...crm })).toEqual(first)
  await expect(host.identities.link({ user: 'bob', ...crm })).rejects.toMatchObject({
    code: 'conflict',
    message: 'External UID has already been taken',
  })
  await expect(host.identities.link({ user: 'carol', ...crm, externalUid: '2' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'User already has another UID at this provider',
  })
  await host.identities.link({ user: 'carol', provider: 'google', externalUid: crm.externalUid })
  expect((await host.identities.list({ user: 'carol' })).map(({ provider }) => provider)).toEqual(['crm', 'google'])
})

test('provider names and UIDs have 1 to 255 characters', async () => {
  const link = (change: Partial<typeof crm>) => getForge().host.identities.link({ user: 'carol', ...crm, ...change })
  await expect(link({ externalUid: ' ' })).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ fields: ['externalUid'], message: "can't be blank" }],
  })
  await expect(link({ provider: 'x'.repeat(256) })).rejects.toMatchObject({ code: 'invalid' })
  await expect(link({ externalUid: 'x'.repeat(255) })).resolves.toBeDefined()
})

test('only administrators and the host manage identities', async () => {
  await getForge().host.identities.link({ user: 'carol', ...crm })
  for (const session of [getForge().as('carol'), getForge().as('alice')]) {
    await expect(session.identities.find(crm)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(session.identities.list({ user: 'carol' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(session.identities.link({ user: 'carol', ...crm })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(session.identities.unlink({ user: 'carol', provider: 'crm' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  await expect(getForge().platform.identities.find(crm)).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a host creates a user at the first sign-in and finds it again later', async () => {
  const { platform } = getForge()
  const signIn = (person: { id: string; nick: string }) =>
    platform.atomic(async (open) => {
      const host = open.as({ system: 'sign-in' })
      const identity = { provider: 'app', externalUid: person.id }
      const existing = await host.identities.find(identity).catch(() => undefined)
      if (existing) return existing
      const user = await host.users.create({ username: person.nick })
      await host.identities.link({ user: user.id, ...identity })
      return user
    })
  const users = await Promise.all([1, 2, 3].map(() => signIn({ id: 'p-1', nick: 'grace' })))
  expect(new Set(users.map(({ id }) => id)).size).toBe(1)
})
