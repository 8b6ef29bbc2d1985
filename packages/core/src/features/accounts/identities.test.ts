import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge | undefined
const at = () => forge as FakeForge
beforeEach(async () => {
  await forge?.close()
  forge = await world()
})
afterAll(() => forge?.close())

const crm = { provider: 'crm', externalUid: 'customer-4711' }

test('a person of the host is a user of the platform once both are linked', async () => {
  const { host, platform } = at()
  expect(await host.identities.link({ user: 'carol', ...crm })).toMatchObject(crm)
  expect(await host.identities.find(crm)).toMatchObject({ username: 'carol' })
  expect(await host.identities.list({ user: 'carol' })).toEqual([{ ...crm, createdAt: expect.any(String) }])
  const session = platform.as(crm)
  expect(await session.users.current()).toMatchObject({ username: 'carol' })
  expect(await session.labels.create({ project: 'acme/web', name: 'linked', color: 'red' })).toMatchObject({
    name: 'linked',
  })
})

test('a seed says who its users are elsewhere', async () => {
  await at().seed({ users: [{ username: 'grace', identities: [crm] }] })
  expect(await at().host.identities.find(crm)).toMatchObject({ username: 'grace' })
})

test('whoever is not linked is refused, never taken for nobody', async () => {
  const { host, platform } = at()
  await host.identities.link({ user: 'carol', ...crm })
  for (const who of [
    { ...crm, externalUid: 'Customer-4711' },
    { ...crm, provider: 'other' },
  ]) {
    await expect(platform.as(who).projects.get({ project: 'acme/web' })).rejects.toMatchObject({
      code: 'unauthenticated',
      reason: 'unknown',
    })
    await expect(host.identities.find(who)).rejects.toMatchObject({ code: 'not_found', kind: 'User' })
  }
})

test('a blocked user is out whichever way they come in, and an ended link opens nothing', async () => {
  const { host, platform } = at()
  await host.identities.link({ user: 'carol', ...crm })
  await host.users.block({ user: 'carol' })
  await expect(platform.as(crm).users.current()).rejects.toMatchObject({ code: 'forbidden', reason: 'blocked' })
  await host.users.unblock({ user: 'carol' })
  await host.identities.unlink({ user: 'carol', provider: 'crm' })
  await expect(platform.as(crm).users.current()).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(host.identities.unlink({ user: 'carol', provider: 'crm' })).rejects.toMatchObject({ code: 'not_found' })
})

test('a UID is one user, and a user one UID at each provider', async () => {
  const { host } = at()
  const first = await host.identities.link({ user: 'carol', ...crm })
  expect(await host.identities.link({ user: 'carol', ...crm })).toEqual(first)
  await expect(host.identities.link({ user: 'bob', ...crm })).rejects.toMatchObject({
    code: 'conflict',
    message: 'External UID has already been taken',
  })
  await expect(host.identities.link({ user: 'carol', ...crm, externalUid: '2' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'User is known to this provider under another UID',
  })
  await host.identities.link({ user: 'carol', provider: 'google', externalUid: crm.externalUid })
  expect((await host.identities.list({ user: 'carol' })).map(({ provider }) => provider)).toEqual(['crm', 'google'])
})

test('names of providers and UIDs are texts of 1 to 255 characters', async () => {
  const link = (given: Partial<typeof crm>) => at().host.identities.link({ user: 'carol', ...crm, ...given })
  await expect(link({ externalUid: ' ' })).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ fields: ['externalUid'], message: "can't be blank" }],
  })
  await expect(link({ provider: 'x'.repeat(256) })).rejects.toMatchObject({ code: 'invalid' })
  await expect(link({ externalUid: 'x'.repeat(255) })).resolves.toBeDefined()
})

test('only administrators and the host say who is who', async () => {
  await at().host.identities.link({ user: 'carol', ...crm })
  for (const session of [at().as('carol'), at().as('alice')]) {
    await expect(session.identities.find(crm)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(session.identities.list({ user: 'carol' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(session.identities.link({ user: 'carol', ...crm })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(session.identities.unlink({ user: 'carol', provider: 'crm' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  await expect(at().platform.identities.find(crm)).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a host signs its own people in: found again, or made at their first visit', async () => {
  const { platform } = at()
  const signIn = (person: { id: string; nick: string }) =>
    platform.atomic(async (open) => {
      const host = open.as({ system: 'sign-in' })
      const identity = { provider: 'app', externalUid: person.id }
      const known = await host.identities.find(identity).catch(() => undefined)
      if (known) return known
      const user = await host.users.create({ username: person.nick })
      await host.identities.link({ user: user.id, ...identity })
      return user
    })
  const visits = await Promise.all([1, 2, 3].map(() => signIn({ id: 'p-1', nick: 'grace' })))
  expect(new Set(visits.map(({ id }) => id)).size).toBe(1)
})
