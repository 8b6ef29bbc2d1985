import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
  await forge.host.projects.update({ project, visibility: 'private' })
})
afterEach(() => forge.close())

const project = 'acme/web'
const cluster = { name: 'cluster', scopes: ['read_repository' as const] }

const asToken = (token: string, username?: string) =>
  forge.platform.as({ token, ...(username !== undefined && { username }) })
const unauthenticated = { code: 'unauthenticated' }
const advertise = async (token: string, path = project, username?: string) => {
  const stream = await asToken(token, username).gitTransport.advertiseUploadPack({ project: path })
  stream.destroy()
}

test('a new token has a generated user name, or the chosen one', async () => {
  const { deployTokens } = forge.as('alice')
  const { secret, ...token } = await deployTokens.create({ project, ...cluster })
  expect(token).toMatchObject({ username: `gitlab+deploy-token-${token.id}`, expiresAt: null, expired: false })
  expect(secret).toMatch(/^fgdt-/)
  const named = await deployTokens.create({ group: 'acme', ...cluster, username: 'cluster.one' })
  expect(named).toMatchObject({ username: 'cluster.one', projectId: null })
  for (const username of ['', 'a b', 'a:b']) {
    const creation = deployTokens.create({ project, ...cluster, username })
    await expect(creation, username).rejects.toMatchObject({ code: 'invalid_input' })
  }
  expect((await deployTokens.list({ project })).items).toEqual([token])
  expect((await forge.host.deployTokens.list({})).items.map(({ id }) => id)).toEqual([token.id, named.id])
})

test('a secret belongs to one token of any kind', async () => {
  const { host } = forge
  await host.deployTokens.create({ project, ...cluster, secret: 'shared' })
  const conflict = { code: 'conflict' }
  await expect(host.deployTokens.create({ project, ...cluster, secret: 'alice-token' })).rejects.toMatchObject(conflict)
  await expect(host.tokens.create({ user: 'bob', secret: 'shared' })).rejects.toMatchObject(conflict)
})

describe('a token', () => {
  test('reads the code of its project with its user name', async () => {
    const { secret, username } = await forge.host.deployTokens.create({ project, ...cluster })
    await advertise(secret)
    await advertise(secret, project, username)
    await expect(advertise(secret, project, 'oauth2')).rejects.toMatchObject(unauthenticated)
    await expect(advertise(secret, 'acme/tools/deploy')).rejects.toMatchObject({ code: 'not_found' })
    const push = asToken(secret).gitTransport.advertiseReceivePack({ project })
    await expect(push).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  test('reads and publishes packages of its project, as its scopes permit', async () => {
    const file = { project, packageName: 'tool', packageVersion: '1', fileName: 'a.txt' }
    const create = async (scope: 'read_package_registry' | 'write_package_registry') =>
      (await forge.host.deployTokens.create({ project, name: 'ci', scopes: [scope] })).secret
    const reader = asToken(await create('read_package_registry'))
    const writer = asToken(await create('write_package_registry'))
    await writer.packages.publishGeneric({ ...file, content: Buffer.from('Hello') })
    for (const session of [reader, writer]) {
      const { content } = await session.packages.downloadGeneric(file)
      expect(Buffer.concat(await content.toArray()).toString()).toBe('Hello')
      expect((await session.packages.list({ project })).items).toHaveLength(1)
      await expect(session.packages.list({ project: 'acme/tools/deploy' })).rejects.toMatchObject({ code: 'not_found' })
      await expect(session.labels.list({ project })).rejects.toMatchObject({ code: 'insufficient_scope' })
    }
    const refused = { code: 'insufficient_scope' }
    const content = Buffer.from('Bye')
    await expect(reader.packages.publishGeneric({ ...file, content })).rejects.toMatchObject(refused)
    await expect(writer.packages.remove({ project, package: 1 })).rejects.toMatchObject(refused)
    const unrelated = asToken((await forge.host.deployTokens.create({ project, ...cluster })).secret)
    await expect(unrelated.packages.downloadGeneric(file)).rejects.toMatchObject(refused)
  })

  test('of a group reads the code of all projects below it', async () => {
    const { secret } = await forge.host.deployTokens.create({ group: 'acme', ...cluster })
    await advertise(secret)
    await advertise(secret, 'acme/tools/deploy')
    const below = await forge.host.deployTokens.create({ group: 'acme/tools', ...cluster })
    await advertise(below.secret, 'acme/tools/deploy')
    await expect(advertise(below.secret)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('with other scopes does not', async () => {
    const { secret } = await forge.host.deployTokens.create({ project, ...cluster, scopes: ['write_registry'] })
    await expect(advertise(secret)).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  test('permits nothing else', async () => {
    const { secret } = await forge.host.deployTokens.create({ project, ...cluster })
    const session = asToken(secret)
    const insufficient = { code: 'insufficient_scope' }
    await expect(session.projects.get({ project })).rejects.toMatchObject(insufficient)
    await expect(session.issues.create({ project, title: 'x' })).rejects.toMatchObject(insufficient)
    await expect(session.users.get()).rejects.toMatchObject(insufficient)
    const sudo = forge.platform.as({ token: secret, sudo: 'alice' }).projects.get({ project })
    await expect(sudo).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('ends when it expires or is removed, and with its project', async () => {
    forge.clock.set('2026-03-10T12:00:00Z')
    const { host } = forge
    const token = await host.deployTokens.create({ project, ...cluster, expiresAt: '2026-03-10T13:00:00Z' })
    await advertise(token.secret)
    forge.clock.set('2026-03-10T13:00:00Z')
    await expect(advertise(token.secret)).rejects.toMatchObject({ ...unauthenticated, reason: 'expired' })
    expect((await host.deployTokens.get({ project, token: token.id })).expired).toBe(true)
    expect((await host.deployTokens.list({ project, active: true })).items).toEqual([])
    const [first, second] = [
      await host.deployTokens.create({ project, ...cluster }),
      await host.deployTokens.create({ project, ...cluster }),
    ]
    await host.deployTokens.remove({ project, token: first.id })
    await expect(advertise(first.secret)).rejects.toMatchObject({ ...unauthenticated, reason: 'unknown' })
    await host.projects.remove({ project })
    await expect(advertise(second.secret)).rejects.toMatchObject(unauthenticated)
  })
})

test('a token is not found in another project or group', async () => {
  const { id } = await forge.host.deployTokens.create({ project, ...cluster })
  for (const parent of [{ project: 'acme/tools/deploy' }, { group: 'acme' }] as const) {
    const missing = { code: 'not_found' }
    await expect(forge.host.deployTokens.get({ ...parent, token: id })).rejects.toMatchObject(missing)
    await expect(forge.host.deployTokens.remove({ ...parent, token: id })).rejects.toMatchObject(missing)
  }
})
