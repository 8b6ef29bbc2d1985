import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
  await forge.host.members.add({ project: 'acme/web', users: ['mallory'], accessLevel: 40 })
  await forge.host.groups.create({ name: 'Guild', visibility: 'public' })
  await forge.host.groups.create({ name: 'Cabal', visibility: 'private' })
  await forge.host.members.add({ group: 'guild', users: ['dave'], accessLevel: 50 })
})
afterEach(() => forge.close())

const project = 'acme/web'
const ungrantable = { code: 'invalid', problems: [{ fields: ['accessLevel'], message: 'is not included in the list' }] }

test('a maintainer cannot become an owner of a project through a share', async () => {
  const mallory = forge.as('mallory')
  await forge.host.members.add({ group: 'guild', users: ['mallory'], accessLevel: 50 })
  await expect(mallory.shares.create({ project, withGroup: 'guild', accessLevel: 50 })).rejects.toMatchObject(
    ungrantable,
  )
  await mallory.shares.create({ project, withGroup: 'guild', accessLevel: 40 })
  await expect(mallory.projects.remove({ project })).rejects.toMatchObject({ code: 'forbidden' })
})

test('level 50 does not exist on projects, for no caller', async () => {
  const root = forge.as('root')
  await expect(root.shares.create({ project, withGroup: 'guild', accessLevel: 50 })).rejects.toMatchObject(ungrantable)
  await expect(root.members.add({ project, users: ['erin'], accessLevel: 50 })).rejects.toMatchObject(ungrantable)
})

test('a group can be shared with level 50 by its owners', async () => {
  await forge.as('alice').shares.create({ group: 'acme', withGroup: 'guild', accessLevel: 50 })
  expect(await forge.as('dave').groups.update({ group: 'acme', description: 'Ours' })).toMatchObject({
    description: 'Ours',
  })
})

test('an invisible group causes the same error as a missing one', async () => {
  const attempt = (withGroup: string | number) =>
    forge.as('mallory').shares.create({ project, withGroup, accessLevel: 10 })
  const { id } = await forge.host.groups.get({ group: 'cabal' })
  const missing = await attempt('no-such-group').catch((error: unknown) => error)
  expect(missing).toMatchObject({ code: 'not_found', kind: 'Group' })
  await expect(attempt('cabal')).rejects.toEqual(missing)
  await expect(attempt(id)).rejects.toEqual(missing)
  // The level is checked after the group, as for a missing group.
  const tooHigh = forge.as('mallory').shares.create({ project, withGroup: 'cabal', accessLevel: 50 })
  await expect(tooHigh).rejects.toEqual(missing)
})

test('a share with an invisible group can be ended, and its absence does not reveal the group', async () => {
  const { shares } = forge.as('mallory')
  const missing = await shares.remove({ project, withGroup: 'no-such-group' }).catch((error: unknown) => error)
  expect(missing).toMatchObject({ code: 'not_found' })
  await expect(shares.remove({ project, withGroup: 'cabal' })).rejects.toEqual(missing)
  await forge.host.shares.create({ project, withGroup: 'cabal', accessLevel: 10 })
  await shares.remove({ project, withGroup: 'cabal' })
  await expect(shares.remove({ project, withGroup: 'cabal' })).rejects.toEqual(missing)
})
