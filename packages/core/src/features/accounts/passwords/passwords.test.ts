import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import { readValue } from '../../../db/sqlite/driver/driver.ts'
import { openDatabase } from '../../../db/sqlite/file.ts'
import { createPlatform, sqlite } from '../../../index.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ time: '2026-03-10T12:00:00Z' })
})
afterEach(() => forge.close())

const password = 'correct horse'
const service = () => forge.platform.as({ service: 'sign-in' }).passwords

describe('a password', () => {
  test('is verified, ignoring the case of the username', async () => {
    expect(await service().getPageSettings()).toMatchObject({ hasPasswords: false })
    await forge.host.passwords.set({ user: 'alice', password })
    const { id } = await forge.host.users.get({ user: 'alice' })
    const session = { userId: id, changedAt: '2026-03-10T12:00:00.000Z' }
    expect(await service().verify({ username: 'Alice', password })).toEqual(session)
    for (const wrong of ['Correct horse', 'correct horse ', ''])
      expect(await service().verify({ username: 'alice', password: wrong })).toBeUndefined()
    for (const username of ['bob', 'nobody']) expect(await service().verify({ username, password })).toBeUndefined()
    expect(await service().getPageSettings()).toMatchObject({ hasPasswords: true })
  })

  test('is the same in every Unicode form', async () => {
    await forge.host.passwords.set({ user: 'alice', password: 'Zu\u0308rich 2026' })
    expect(await service().verify({ username: 'alice', password: 'Z\u00fcrich 2026' })).toBeDefined()
  })

  test('does not work for a blocked user, and not after it was changed or removed', async () => {
    await forge.host.passwords.set({ user: 'alice', password })
    await forge.host.users.block({ user: 'alice' })
    expect(await service().verify({ username: 'alice', password })).toBeUndefined()
    await forge.host.users.unblock({ user: 'alice' })
    const session = await service().verify({ username: 'alice', password })
    const { secret } = await service().startSession({ expiresAt: '2999-01-01T00:00:00Z' })
    const reference = { secret, user: session?.userId as number, changedAt: session?.changedAt as string }
    expect(await service().checkSession(reference)).toBe(true)
    await forge.clock.advance({ seconds: 1 })
    await forge.host.passwords.set({ user: 'alice', password: 'another one' })
    expect(await service().verify({ username: 'alice', password })).toBeUndefined()
    expect(await service().checkSession(reference)).toBe(false)
    await forge.host.passwords.remove({ user: 'alice' })
    expect(await service().verify({ username: 'alice', password: 'another one' })).toBeUndefined()
  })

  test('has 8 to 128 characters', async () => {
    for (const invalid of ['x'.repeat(7), 'x'.repeat(129)])
      await expect(forge.host.passwords.set({ user: 'alice', password: invalid })).rejects.toMatchObject({
        code: 'invalid_input',
      })
  })

  test('is set by administrators, and verified by the host', async () => {
    await forge.as('root').passwords.set({ user: 'alice', password })
    for (const user of ['root', 'alice']) {
      const { passwords, oauthProvider } = forge.as(user)
      await expect(passwords.verify({ username: 'alice', password })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(oauthProvider.getKeys()).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(forge.as('alice').passwords.set({ user: 'root', password })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await forge.host.passwords.verify({ username: 'alice', password })).toBeDefined()
  })
})

test('the work of a hash is an option, and stored passwords keep theirs', async () => {
  const store = sqlite(':memory:')
  const platform = createPlatform(store)
  const { users, passwords } = platform.as({ system: 'test' })
  await users.create({ username: 'alice' })
  await passwords.set({ user: 'alice', password })
  const data = openDatabase(store.serialize())
  expect(String(readValue(data, 'select hash from user_password'))).toMatch(/^scrypt\$32768\$8\$3\$/)
  data.close()
  const cheaper = createPlatform(sqlite(store.serialize()), { passwordCost: 10 })
  expect(await cheaper.as({ system: 'test' }).passwords.verify({ username: 'alice', password })).toBeDefined()
  await cheaper.close()
  await platform.close()
  for (const passwordCost of [9, 21, 12.5])
    expect(() => createPlatform(sqlite(':memory:'), { passwordCost })).toThrow('passwordCost must be an integer')
})

describe('attempts over the network', () => {
  const attempt = (username: string, ipAddress: string) =>
    forge.platform
      .as({ service: 'sign-in' }, { isRateLimited: true, ipAddress })
      .passwords.verify({ username, password: 'wrong' })

  test('are limited for a user', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, count) => attempt('alice', `192.0.2.${count}`)))
    await expect(attempt('ALICE', '192.0.2.99')).rejects.toMatchObject({ code: 'limited' })
    expect(await attempt('bob', '192.0.2.99')).toBeUndefined()
    await forge.clock.advance({ seconds: 61 })
    expect(await attempt('alice', '192.0.2.99')).toBeUndefined()
  })

  test('are limited for a network', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, count) => attempt(`user${count}`, '192.0.2.1')))
    await expect(attempt('alice', '192.0.2.1')).rejects.toMatchObject({ code: 'limited' })
    expect(await attempt('alice', '192.0.2.2')).toBeUndefined()
  })
})

test('the identity of the sign-in service is of no use for anything else', async () => {
  const session = forge.platform.as({ service: 'sign-in' })
  const forbidden = { code: 'forbidden', message: 'The sign-in service can only sign in users' }
  await expect(session.projects.list()).rejects.toMatchObject(forbidden)
  await expect(session.users.list()).rejects.toMatchObject(forbidden)
  await expect(session.users.create({ username: 'mallory' })).rejects.toMatchObject(forbidden)
  await expect(session.tokens.create({ user: 'alice' })).rejects.toMatchObject(forbidden)
  await expect(session.passwords.set({ user: 'alice', password })).rejects.toMatchObject(forbidden)
  await expect(session.applications.list()).rejects.toMatchObject(forbidden)
})
