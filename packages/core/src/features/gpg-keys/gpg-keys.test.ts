import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newGpgKey } from '../../../../../test/contract/gpg-keys.ts'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

test('a key is stored once, and removed with its user', async () => {
  const key = newGpgKey()
  await forge.host.users.create({ username: 'kim' })
  await forge.host.gpgKeys.add({ user: 'kim', key })
  await expect(forge.as('bob').gpgKeys.addOwn({ key })).rejects.toMatchObject({ code: 'invalid' })
  await forge.host.users.remove({ user: 'kim' })
  const { id } = await forge.as('bob').gpgKeys.addOwn({ key })
  expect((await forge.host.gpgKeys.list({ user: 'bob' })).items).toMatchObject([{ id, key }])
})

test('the host has no keys of its own', async () => {
  await expect(forge.host.gpgKeys.addOwn({ key: newGpgKey() })).rejects.toMatchObject({ code: 'not_found' })
  expect((await forge.host.gpgKeys.listOwn()).items).toEqual([])
})
