import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const group = 'acme'

test('creates, updates, closes and reopens an epic', async () => {
  const alice = forge.as('alice').epics
  const created = await alice.create({ group, title: 'Grow', description: 'Everywhere' })
  expect(created).toMatchObject({
    iid: 1,
    title: 'Grow',
    description: 'Everywhere',
    state: 'opened',
    confidential: false,
    author: { username: 'alice' },
    closedBy: null,
  })
  const ref = { group, epic: created.iid }
  expect(await alice.update({ ...ref, title: 'Grow more', confidential: true })).toMatchObject({
    title: 'Grow more',
    description: 'Everywhere',
    confidential: true,
  })
  expect(await alice.update({ ...ref, stateEvent: 'close' })).toMatchObject({
    state: 'closed',
    closedBy: { username: 'alice' },
  })
  const closed = await alice.get(ref)
  expect(closed.closedAt).not.toBe(null)
  expect(closed).toMatchObject({ ...(await alice.update({ ...ref, stateEvent: 'close' })), subscribed: true })
  expect(await alice.update({ ...ref, stateEvent: 'reopen' })).toMatchObject({
    state: 'opened',
    closedAt: null,
    closedBy: null,
  })
})

test('numbers epics per group', async () => {
  const alice = forge.as('alice').epics
  expect((await alice.create({ group, title: 'One' })).iid).toBe(1)
  expect((await alice.create({ group, title: 'Two' })).iid).toBe(2)
  const elsewhere = await forge.host.epics.create({ group: 'partners', title: 'Other', author: 'erin' })
  expect(elsewhere.iid).toBe(1)
  expect(await alice.get({ group, epic: elsewhere.iid })).toMatchObject({ title: 'One' })
})

test('rejects an invalid title and an empty update', async () => {
  const alice = forge.as('alice').epics
  await expect(alice.create({ group, title: ' ' })).rejects.toMatchObject({ code: 'invalid' })
  const { iid } = await alice.create({ group, title: 'One' })
  await expect(alice.update({ group, epic: iid })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(alice.update({ group, epic: iid, title: 'x'.repeat(256) })).rejects.toMatchObject({ code: 'invalid' })
})

test('reporters and above can write epics, everyone who can read the group can read them', async () => {
  const { iid } = await forge.as('bob').epics.create({ group, title: 'Developers may' })
  await expect(forge.as('mallory').epics.create({ group, title: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.as('mallory').epics.update({ group, epic: iid, stateEvent: 'close' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(await forge.platform.epics.get({ group, epic: iid })).toMatchObject({ iid })
  await expect(forge.platform.epics.create({ group, title: 'x' })).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('only reporters and above and the author can list a confidential epic', async () => {
  await forge.as('alice').epics.create({ group, title: 'Open' })
  const { id, iid } = await forge.as('alice').epics.create({ group, title: 'Secret', confidential: true })
  await forge.host.epics.create({ group, title: 'Own', confidential: true, author: 'mallory' })
  const titles = async (username?: string) => {
    const session = username === undefined ? forge.platform : forge.as(username)
    const { items, total } = await session.epics.list({ group })
    expect(total).toBe(items.length)
    return items.map(({ title }) => title)
  }
  expect(await titles('bob')).toEqual(['Own', 'Secret', 'Open'])
  expect(await titles('mallory')).toEqual(['Own', 'Open'])
  expect(await titles()).toEqual(['Open'])
  const hidden = forge.as('mallory').epics.get({ group, epic: iid })
  await expect(hidden).rejects.toMatchObject({ code: 'not_found' })
  await forge.as('alice').epics.update({ group, epic: iid, stateEvent: 'close' })
  expect((await forge.as('bob').epics.list({ group, state: 'closed' })).items.map((epic) => epic.id)).toEqual([id])
})

test('epics require the paid tier', async () => {
  await using free = await world({ tier: 'free' })
  const notLicensed = { code: 'not_licensed' }
  await expect(free.as('alice').epics.create({ group, title: 'x' })).rejects.toMatchObject(notLicensed)
  await expect(free.as('alice').epics.get({ group, epic: 1 })).rejects.toMatchObject(notLicensed)
  await expect(free.as('alice').notes.list({ group, epic: 1 })).rejects.toMatchObject(notLicensed)
})
