import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

test('a token without the scope sudo cannot create one with it', async () => {
  const { tokens } = forge.host
  const { secret } = await tokens.create({ user: 'root', scopes: ['api'] })
  const limited = forge.platform.as({ token: secret }).tokens
  expect(await limited.create({ user: 'root', scopes: ['api', 'read_registry'] })).toMatchObject({ revoked: false })
  await expect(limited.create({ user: 'root', scopes: ['api', 'sudo'] })).rejects.toMatchObject({
    code: 'insufficient_scope',
    scopes: ['sudo'],
  })
  const full = await tokens.create({ user: 'root', scopes: ['api', 'sudo'] })
  const again = await forge.platform.as({ token: full.secret }).tokens.create({ user: 'root', scopes: ['sudo'] })
  expect(again.scopes).toEqual(['sudo'])
  expect((await forge.as('root').tokens.create({ user: 'root', scopes: ['sudo'] })).scopes).toEqual(['sudo'])
})

test('rotating replaces a token by one with the same name, scopes and expiry date', async () => {
  const { tokens } = forge.host
  const old = await tokens.create({ user: 'bob', name: 'ci', scopes: ['read_api'], expiresAt: '2999-01-01' })
  const { secret, ...rotated } = await tokens.rotate({ token: old.id })
  expect(rotated).toMatchObject({ userId: old.userId, name: 'ci', scopes: ['read_api'], expiresAt: '2999-01-01' })
  await expect(forge.platform.authenticate(old.secret)).rejects.toMatchObject({ code: 'unauthenticated' })
  await forge.platform.authenticate(secret)
  expect(await tokens.rotate({ token: rotated.id, expiresAt: null })).toMatchObject({ expiresAt: null })
})

test('a revoked or expired token cannot be rotated without a new expiry date', async () => {
  const { tokens } = forge.host
  const { id: revoked } = await tokens.create({ user: 'bob' })
  await tokens.revoke({ token: revoked })
  await expect(tokens.rotate({ token: revoked })).rejects.toMatchObject({ code: 'conflict' })
  const { id: expired } = await tokens.create({ user: 'bob', expiresAt: '2020-01-01' })
  await expect(tokens.rotate({ token: expired })).rejects.toThrow('Token has expired: set a new expiry date')
  expect(await tokens.rotate({ token: expired, expiresAt: '2999-01-01' })).toMatchObject({ expiresAt: '2999-01-01' })
  await expect(tokens.rotate({ token: 999_999 })).rejects.toMatchObject({ code: 'not_found' })
})

test('a token without the scope sudo cannot rotate one with it', async () => {
  const { tokens } = forge.host
  const { secret } = await tokens.create({ user: 'root', scopes: ['api'] })
  const { id } = await tokens.create({ user: 'root', scopes: ['sudo'] })
  const rotation = forge.platform.as({ token: secret }).tokens.rotate({ token: id })
  await expect(rotation).rejects.toMatchObject({ code: 'insufficient_scope' })
})
