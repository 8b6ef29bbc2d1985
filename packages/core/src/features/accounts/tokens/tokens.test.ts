import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

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

describe('the time of use', () => {
  const use = (secret: string, sudo?: string) =>
    forge.platform.as(sudo === undefined ? { token: secret } : { token: secret, sudo }).users.list({})
  const read = async (token: number) => (await forge.host.tokens.get({ user: 'root', token })).lastUsedAt?.slice(0, 16)

  test('is that of the first call of a day', async () => {
    const { id, secret, lastUsedAt } = await forge.host.tokens.create({ user: 'root' })
    expect(lastUsedAt).toBeNull()
    forge.clock.set('2026-03-10T08:00:00Z')
    await use(secret)
    // It is recorded after the reply.
    await expect.poll(() => read(id)).toBe('2026-03-10T08:00')
    forge.clock.set('2026-03-10T23:00:00Z')
    await use(secret)
    expect(await read(id)).toBe('2026-03-10T08:00')
    forge.clock.set('2026-03-11T00:00:00Z')
    await use(secret)
    await expect.poll(() => read(id)).toBe('2026-03-11T00:00')
  })

  test('includes commands and calls as another user, but no failing calls', async () => {
    const { id, secret } = await forge.host.tokens.create({ user: 'root', scopes: ['api', 'sudo'] })
    const session = forge.platform.as({ token: secret })
    await expect(session.projects.get({ project: 'acme/missing' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await read(id)).toBeUndefined()
    await use(secret, 'bob')
    await expect.poll(() => read(id)).toBeDefined()
    const other = await forge.host.tokens.create({ user: 'root' })
    const label = { project: 'acme/web', name: 'used', color: 'red' }
    await forge.platform.as({ token: other.secret }).labels.create(label)
    await expect.poll(() => read(other.id)).toBeDefined()
  })
})

describe('lists', () => {
  test('have filters and orders', async () => {
    const { host } = forge
    const user = 'mallory'
    forge.clock.set('2026-03-10T08:00:00Z')
    const first = await host.tokens.create({ user, name: 'beta robot', expiresAt: '2999-01-01' })
    forge.clock.set('2026-03-11T08:00:00Z')
    const second = await host.tokens.create({ user, name: 'alpha robot' })
    await forge.platform.as({ token: first.secret }).users.list({})
    forge.clock.set('2026-03-12T08:00:00Z')
    await forge.platform.as({ token: second.secret }).users.list({})
    await host.tokens.revoke({ token: first.id })
    const { id: userId } = await host.users.get({ user })
    const list = async (input: object) => {
      const { items } = await forge.as('root').tokens.list({ user: userId, search: 'robot', ...input })
      return items.map(({ name }) => name.slice(0, 1)).join('')
    }
    const results = {
      '': {},
      b: { revoked: true },
      a: { state: 'active' },
      ' a': { createdAfter: '2026-03-11T00:00:00Z' },
      ' b': { createdBefore: '2026-03-11T00:00:00Z' },
      '  a': { lastUsedAfter: '2026-03-12T00:00:00Z' },
      '  b': { lastUsedBefore: '2026-03-12T00:00:00Z' },
      '   a': { search: 'alpha' },
    }
    for (const [names, input] of Object.entries(results))
      expect(await list(input), JSON.stringify(input)).toBe(names.trim() || 'ba')
    const orders = { created: 'ba', expires: 'ab', last_used: 'ba', name: 'ab' }
    for (const [field, names] of Object.entries(orders)) {
      expect(await list({ sort: `${field}_asc` }), field).toBe(names)
      expect(await list({ sort: `${field}_desc` }), field).toBe([...names].reverse().join(''))
    }
  })

  test('of another user are for administrators only', async () => {
    const { id: userId } = await forge.host.users.get({ user: 'carol' })
    const listing = forge.as('bob').tokens.list({ user: userId })
    await expect(listing).rejects.toMatchObject({ code: 'unauthenticated' })
    expect((await forge.as('carol').tokens.list({ user: userId })).total).toBeGreaterThan(0)
  })
})

test('a token without the scope sudo cannot rotate one with it', async () => {
  const { tokens } = forge.host
  const { secret } = await tokens.create({ user: 'root', scopes: ['api'] })
  const { id } = await tokens.create({ user: 'root', scopes: ['sudo'] })
  const rotation = forge.platform.as({ token: secret }).tokens.rotate({ token: id })
  await expect(rotation).rejects.toMatchObject({ code: 'insufficient_scope' })
})
