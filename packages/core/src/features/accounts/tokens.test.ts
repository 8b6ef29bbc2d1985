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
