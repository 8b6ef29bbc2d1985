import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImagePusher } from '../registry/push-image.ts'
import { hasRegistryServer, type RegistryServer, registryServer } from '../registry/registry-server.ts'
import { call, folder, forgelet, serving } from './command-line.ts'

const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const repositoriesOn = async (url: string): Promise<readonly { path: string }[]> =>
  (await call(url, '/projects/acme%2Fweb/registry/repositories?tags=true', 'alice-token')).body

const pathsOn = async (url: string) => (await repositoriesOn(url)).map(({ path }) => path)

describe('options of an external registry', () => {
  it.each([
    [['--registry-host', 'a.example'], 2, '--registry-host requires --registry-url'],
    [['--registry-credentials', 'x'], 2, '--registry-credentials requires --registry-url'],
    [['--registry-url', 'http://me:secret@a.example'], 2, '--registry-url must not contain credentials'],
    [['--registry-url', 'http://a.example', '--control'], 2, 'Use either --control or --registry-url'],
    [
      ['--registry-url', 'http://a.example', '--registry-credentials', 'none'],
      1,
      'The credentials file none cannot be used: it does not exist',
    ],
  ])('rejects %j', async (args, code, message) => {
    const ended = await forgelet(['serve', '--data', ':memory:', ...args])
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' })
    expect(ended.stderr).toContain(message)
    expect(ended.stderr).not.toContain('secret@')
  })

  it.each(['', 'name', ':secret', 'name:', 'name:secret\nmore'])(
    'rejects a credentials file with %j',
    async (content) => {
      const path = file('bad-credentials', content)
      const ended = await forgelet(['serve', '--registry-url', 'http://a.example', '--registry-credentials', path])
      expect(ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('it must contain one line, name:password'),
      })
      expect(ended.stderr).not.toContain('secret\n')
    },
  )
})

describe.skipIf(!hasRegistryServer())('an external registry', () => {
  let server: RegistryServer
  beforeAll(async () => {
    server = await registryServer()
  })
  afterAll(() => server.close())

  it('stores the images, and its repositories are discovered', async () => {
    await createImagePusher(server.url, 'acme/web/worker').image(['v1', 'v2'], { created: '2026-01-01T00:00:00Z' })
    const args = [
      '--data',
      ':memory:',
      '--seed',
      'demo',
      '--registry-url',
      server.url,
      '--registry-host',
      'images.example',
    ]
    const { url, stop } = await serving(args)
    await expect.poll(() => pathsOn(url), { timeout: 20_000 }).toContain('acme/web/worker')
    const found = (await repositoriesOn(url)).find(({ path }) => path === 'acme/web/worker')
    expect(found).toMatchObject({ location: 'images.example/acme/web/worker', tags: [{ name: 'v1' }, { name: 'v2' }] })
    expect((await stop()).code).toBe(0)
  })

  it('receives the credentials of the file', async () => {
    // The bcrypt form of the password `secret`.
    const hash = '$2b$05$KLRIyU2i6ntk.IjIWX5KvuVjZJNJcEYBYy0ms8S8gHqYE0SOvriKu'
    const closed = await registryServer({ user: { name: 'forge', hash } })
    try {
      const Authorization = `Basic ${Buffer.from('forge:secret').toString('base64')}`
      await createImagePusher(closed.url, 'acme/web/shut', { Authorization }).image(['v1'])
      const path = file('credentials', 'forge:secret\n')
      const args = ['--data', ':memory:', '--seed', 'demo', '--registry-url', closed.url]
      const { url, stop } = await serving([...args, '--registry-credentials', path])
      await expect.poll(() => pathsOn(url), { timeout: 20_000 }).toContain('acme/web/shut')
      expect((await stop()).code).toBe(0)
    } finally {
      await closed.close()
    }
  })
})
