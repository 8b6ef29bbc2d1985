import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const group = 'acme'

test('an epic is opened, changed, closed and opened again', async () => {
  const alice = forge.as('alice').epics
  const opened = await alice.create({ group, title: 'Grow', description: 'Everywhere' })
  expect(opened).toMatchObject({
    iid: 1,
    title: 'Grow',
    description: 'Everywhere',
    state: 'opened',
    confidential: false,
    author: { username: 'alice' },
    closedBy: null,
  })
  const ref = { group, epic: opened.id }
  expect(await alice.update({ ...ref, title: 'Grow more', confidential: true })).toMatchObject({
    title: 'Grow more',
    description: 'Everywhere',
    confidential: true,
  })
  expect(await alice.close(ref)).toMatchObject({ state: 'closed', closedBy: { username: 'alice' } })
  const closed = await alice.get(ref)
  expect(closed.closedAt).not.toBe(null)
  expect(await alice.close(ref)).toEqual(closed)
  expect(await alice.reopen(ref)).toMatchObject({ state: 'opened', closedAt: null, closedBy: null })
})

test('epics are counted within their group', async () => {
  const alice = forge.as('alice').epics
  expect((await alice.create({ group, title: 'One' })).iid).toBe(1)
  expect((await alice.create({ group, title: 'Two' })).iid).toBe(2)
  const elsewhere = await forge.host.epics.create({ group: 'partners', title: 'Other', author: 'erin' })
  expect(elsewhere.iid).toBe(1)
  const foreign = alice.get({ group, epic: elsewhere.id })
  await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
})

test('a title must be there, and a change must change something', async () => {
  const alice = forge.as('alice').epics
  await expect(alice.create({ group, title: ' ' })).rejects.toMatchObject({ code: 'invalid' })
  const { id } = await alice.create({ group, title: 'One' })
  await expect(alice.update({ group, epic: id })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(alice.update({ group, epic: id, title: 'x'.repeat(256) })).rejects.toMatchObject({ code: 'invalid' })
})

test('reporters and above write epics, everybody who sees the group reads them', async () => {
  const { id } = await forge.as('bob').epics.create({ group, title: 'Developers may' })
  await expect(forge.as('mallory').epics.create({ group, title: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.as('mallory').epics.close({ group, epic: id })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await forge.platform.epics.get({ group, epic: id })).toMatchObject({ id })
  await expect(forge.platform.epics.create({ group, title: 'x' })).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('confidential epics are listed for reporters and above and for their authors', async () => {
  await forge.as('alice').epics.create({ group, title: 'Open' })
  const { id } = await forge.as('alice').epics.create({ group, title: 'Secret', confidential: true })
  await forge.host.epics.create({ group, title: 'Own', confidential: true, author: 'mallory' })
  const titles = async (as?: string) => {
    const session = as === undefined ? forge.platform : forge.as(as)
    const { items, total } = await session.epics.list({ group })
    expect(total).toBe(items.length)
    return items.map(({ title }) => title)
  }
  expect(await titles('bob')).toEqual(['Own', 'Secret', 'Open'])
  expect(await titles('mallory')).toEqual(['Own', 'Open'])
  expect(await titles()).toEqual(['Open'])
  const hidden = forge.as('mallory').epics.get({ group, epic: id })
  await expect(hidden).rejects.toMatchObject({ code: 'not_found' })
  await forge.as('alice').epics.close({ group, epic: id })
  expect((await forge.as('bob').epics.list({ group, state: 'closed' })).items.map((epic) => epic.id)).toEqual([id])
})

test('without the paid tier there are none', async () => {
  await using free = await world({ tier: 'free' })
  const refused = { code: 'not_licensed' }
  await expect(free.as('alice').epics.create({ group, title: 'x' })).rejects.toMatchObject(refused)
  await expect(free.as('alice').epics.get({ group, epic: 1 })).rejects.toMatchObject(refused)
  await expect(free.as('alice').notes.list({ group, epic: 1 })).rejects.toMatchObject(refused)
})
