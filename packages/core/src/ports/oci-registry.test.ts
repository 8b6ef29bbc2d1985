import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pusher } from '../../../../test/registry/push-image.ts'
import { hasRegistryServer, type RegistryServer, registryServer } from '../../../../test/registry/registry-server.ts'
import { ociRegistry } from './oci-registry.ts'
import type { ImageStore } from './registry.ts'

const made = '2026-01-02T03:04:05.678901234Z'

describe.skipIf(!hasRegistryServer())('a real registry', () => {
  let server: RegistryServer
  let images: ImageStore
  beforeAll(async () => {
    server = await registryServer()
    images = ociRegistry({ url: server.url }).images as ImageStore
  })
  afterAll(() => server.close())

  test.each(['oci', 'docker'] as const)('tells what a tag of the %s form stands for', async (kind) => {
    const layers = [Buffer.alloc(100, kind), Buffer.alloc(23, 'x')]
    const pushed = await pusher(server.url, `forms/${kind}`).image(['v1', 'v2'], { created: made, layers, kind })
    const image = {
      digest: pushed.digest,
      revision: pushed.revision,
      createdAt: '2026-01-02T03:04:05.678Z',
      totalSize: 123,
    }
    expect(await images.image(`forms/${kind}`, 'v1')).toEqual(image)
    expect(await images.image(`forms/${kind}`, 'v2')).toEqual(image)
    expect(await images.tags(`forms/${kind}`)).toEqual(['v1', 'v2'])
  })

  test.each(['oci', 'docker'] as const)(
    'of an image for several platforms the one for AMD64 speaks: %s',
    async (kind) => {
      const { digest, images: made } = await pusher(server.url, `platforms/${kind}`).index('v1', kind, {
        arm64: { created: '2026-03-01T00:00:00Z', layers: [Buffer.alloc(10, 'a')] },
        amd64: { created: '2026-04-01T00:00:00Z', layers: [Buffer.alloc(20, 'b')] },
        unknown: { layers: [Buffer.alloc(30, 'c')] },
      })
      expect(await images.image(`platforms/${kind}`, 'v1')).toEqual({
        digest,
        revision: made.amd64?.revision,
        createdAt: '2026-04-01T00:00:00.000Z',
        totalSize: 20,
      })
    },
  )

  test('an image need not say when it was made', async () => {
    await pusher(server.url, 'undated').image(['v1'])
    expect(await images.image('undated', 'v1')).toMatchObject({ createdAt: null })
  })

  test('what is not there is not there', async () => {
    expect(await images.tags('never/pushed')).toEqual([])
    expect(await images.tags('No/Repository/Has/Capitals')).toEqual([])
    expect(await images.image('never/pushed', 'v1')).toBeUndefined()
    await pusher(server.url, 'there').image(['v1'])
    expect(await images.image('there', 'v2')).toBeUndefined()
    expect(await images.image('there', 'no tag at all')).toBeUndefined()
    await images.untag('never/pushed', [{ name: 'v1' }])
    await images.untag('there', [])
  })

  test('names its repositories', async () => {
    await pusher(server.url, 'named/deep/down').image(['v1'])
    expect(await images.repositories()).toContain('named/deep/down')
  })

  test('a tag that is taken away leaves the other tags of its image alone', async () => {
    const push = pusher(server.url, 'shared')
    const image = await push.image(['v1', 'v2', 'latest'])
    const other = await push.image(['v3'])
    await images.untag('shared', [{ name: 'v1', digest: image.digest }])
    expect(await images.tags('shared')).toEqual(['latest', 'v2', 'v3'])
    expect(await images.image('shared', 'v2')).toMatchObject({ digest: image.digest })
    expect(await images.image('shared', 'v3')).toMatchObject({ digest: other.digest })
    expect(await images.image('shared', 'v1')).toBeUndefined()
    // Again, and one that never was: nothing happens.
    await images.untag('shared', [{ name: 'v1' }, { name: 'never' }])
    expect(await images.tags('shared')).toEqual(['latest', 'v2', 'v3'])
  })

  test('many are taken away together', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `v${String(at).padStart(2, '0')}`)
    await pusher(server.url, 'many').image([...names, 'stays'])
    const small = ociRegistry({ url: server.url, limits: { untagged: 15, requests: 3 } }).images as ImageStore
    await small.untag(
      'many',
      names.map((name) => ({ name })),
    )
    expect(await images.tags('many')).toEqual(['stays'])
  })

  test('a tag that has moved to another image since it was seen stays', async () => {
    const push = pusher(server.url, 'moved')
    const { digest } = await push.image(['v1'])
    const later = await push.image(['v1'])
    await images.untag('moved', [{ name: 'v1', digest }])
    expect(await images.image('moved', 'v1')).toMatchObject({ digest: later.digest })
  })

  test('a removal that was interrupted goes on where it stopped', async () => {
    const { digest } = await pusher(server.url, 'interrupted').image(['v1', 'v2', 'v3'])
    let puts = 0
    const failing = ociRegistry({
      url: server.url,
      limits: { requests: 1 },
      fetch: async (input, init) => {
        // The connection breaks once the first of the tags has been moved out of the way.
        if (init?.method === 'PUT' && String(input).includes('/manifests/v') && ++puts > 1)
          throw new TypeError('broken')
        return fetch(input, init)
      },
    }).images as ImageStore
    const tags = ['v1', 'v2'].map((name) => ({ name, digest }))
    await expect(failing.untag('interrupted', tags)).rejects.toMatchObject({ code: 'unavailable', reason: 'registry' })
    expect(puts).toBe(2)
    // It stands for nothing any more, although the registry still lists it.
    expect(await images.image('interrupted', 'v1')).toBeUndefined()
    expect(await images.tags('interrupted')).toEqual(['v1', 'v2', 'v3'])
    await images.untag('interrupted', tags)
    expect(await images.tags('interrupted')).toEqual(['v3'])
    expect(await images.image('interrupted', 'v3')).toMatchObject({ digest })
  })

  test('where nothing can be deleted, nothing is touched', async () => {
    const strict = await registryServer({ deletion: false })
    try {
      const { digest } = await pusher(strict.url, 'kept').image(['v1', 'v2'])
      const { images: kept } = ociRegistry({ url: strict.url })
      await expect(kept?.untag('kept', [{ name: 'v1' }])).rejects.toMatchObject({
        code: 'invalid',
        message: 'The container registry does not let images be deleted',
      })
      expect(await kept?.tags('kept')).toEqual(['v1', 'v2'])
      expect(await kept?.image('kept', 'v1')).toMatchObject({ digest })
    } finally {
      await strict.close()
    }
  })

  test('a password opens what is closed', async () => {
    // The bcrypt form of "secret".
    const hash = '$2b$05$KLRIyU2i6ntk.IjIWX5KvuVjZJNJcEYBYy0ms8S8gHqYE0SOvriKu'
    const closed = await registryServer({ user: { name: 'forge', hash } })
    try {
      const password = Buffer.from('forge:secret').toString('base64')
      await pusher(closed.url, 'closed', { Authorization: `Basic ${password}` }).image(['v1'])
      const open = ociRegistry({ url: closed.url, credentials: { username: 'forge', password: 'secret' } }).images
      expect(await open?.tags('closed')).toEqual(['v1'])
      for (const credentials of [undefined, { username: 'forge', password: 'wrong' }]) {
        const { images: shut } = ociRegistry({ url: closed.url, ...(credentials && { credentials }) })
        await expect(shut?.tags('closed')).rejects.toMatchObject({
          code: 'unavailable',
          message: 'The container registry is not available: it refused the platform (401)',
        })
      }
    } finally {
      await closed.close()
    }
  })
})
