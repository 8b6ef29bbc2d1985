import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newGpgKey } from '../../../../../../test/contract/gpg-keys.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

test('a key is stored once, and removed with its user', async () => {
  const key = newGpgKey()
  await forge.host.users.create({ username: 'kim' })
  await forge.host.gpgKeys.create({ user: 'kim', key })
  await expect(forge.as('bob').gpgKeys.create({ key })).rejects.toMatchObject({ code: 'invalid' })
  await forge.host.users.remove({ user: 'kim' })
  const { id } = await forge.as('bob').gpgKeys.create({ key })
  expect((await forge.host.gpgKeys.list({ user: 'bob' })).items).toMatchObject([{ id, key }])
})

test('the host has no keys of its own', async () => {
  const required = { code: 'invalid', message: 'user is required for calls of the host application' }
  await expect(forge.host.gpgKeys.create({ key: newGpgKey() })).rejects.toMatchObject(required)
  await expect(forge.host.gpgKeys.list()).rejects.toMatchObject(required)
})
