import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImagePusher } from '../../../../test/registry/push-image.ts'
import { hasRegistryServer, type RegistryServer, registryServer } from '../../../../test/registry/registry-server.ts'
import { ociRegistry } from './oci-registry.ts'
import type { ImageStore } from './registry.ts'

const createdAt = '2026-01-02T03:04:05.678901234Z'

describe.skipIf(!hasRegistryServer())('a real registry', () => {
  let server: RegistryServer
  let images: ImageStore
  beforeAll(async () => {
    server = await registryServer()
    images = ociRegistry({ url: server.url }).images as ImageStore
  })
  afterAll(() => server.close())

  test.each(['oci', 'docker'] as const)('reads the image of a tag with an %s manifest', async (kind) => {
    const layers = [Buffer.alloc(100, kind), Buffer.alloc(23, 'x')]
    const pushed = await createImagePusher(server.url, `forms/${kind}`).image(['v1', 'v2'], {
      created: createdAt,
      layers,
      kind,
    })
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

  test.each(['oci', 'docker'] as const)('selects the amd64 image of a multi-platform image: %s', async (kind) => {
    const { digest, images: pushed } = await createImagePusher(server.url, `platforms/${kind}`).index('v1', kind, {
      arm64: { created: '2026-03-01T00:00:00Z', layers: [Buffer.alloc(10, 'a')] },
      amd64: { created: '2026-04-01T00:00:00Z', layers: [Buffer.alloc(20, 'b')] },
      unknown: { layers: [Buffer.alloc(30, 'c')] },
    })
    expect(await images.image(`platforms/${kind}`, 'v1')).toEqual({
      digest,
      revision: pushed.amd64?.revision,
      createdAt: '2026-04-01T00:00:00.000Z',
      totalSize: 20,
    })
  })

  test('reads an image without a creation date', async () => {
    await createImagePusher(server.url, 'undated').image(['v1'])
    expect(await images.image('undated', 'v1')).toMatchObject({ createdAt: null })
  })

  test('returns nothing for unknown repositories and tags', async () => {
    expect(await images.tags('never/pushed')).toEqual([])
    expect(await images.tags('No/Repository/Has/Capitals')).toEqual([])
    expect(await images.image('never/pushed', 'v1')).toBeUndefined()
    await createImagePusher(server.url, 'there').image(['v1'])
    expect(await images.image('there', 'v2')).toBeUndefined()
    expect(await images.image('there', 'no tag at all')).toBeUndefined()
    await images.untag('never/pushed', [{ name: 'v1' }])
    await images.untag('there', [])
  })

  test('lists repositories', async () => {
    await createImagePusher(server.url, 'named/deep/down').image(['v1'])
    expect(await images.repositories()).toContain('named/deep/down')
  })

  test('removes a tag and keeps the other tags of its image', async () => {
    const push = createImagePusher(server.url, 'shared')
    const image = await push.image(['v1', 'v2', 'latest'])
    const other = await push.image(['v3'])
    await images.untag('shared', [{ name: 'v1', digest: image.digest }])
    expect(await images.tags('shared')).toEqual(['latest', 'v2', 'v3'])
    expect(await images.image('shared', 'v2')).toMatchObject({ digest: image.digest })
    expect(await images.image('shared', 'v3')).toMatchObject({ digest: other.digest })
    expect(await images.image('shared', 'v1')).toBeUndefined()
    // Removing it again, and removing an unknown tag, has no effect.
    await images.untag('shared', [{ name: 'v1' }, { name: 'never' }])
    expect(await images.tags('shared')).toEqual(['latest', 'v2', 'v3'])
  })

  test('removes many tags in batches', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `v${String(index).padStart(2, '0')}`)
    await createImagePusher(server.url, 'many').image([...names, 'stays'])
    const small = ociRegistry({ url: server.url, limits: { tagsPerRemoval: 15, concurrentRequests: 3 } })
      .images as ImageStore
    await small.untag(
      'many',
      names.map((name) => ({ name })),
    )
    expect(await images.tags('many')).toEqual(['stays'])
  })

  test('keeps a tag that now points to another image', async () => {
    const push = createImagePusher(server.url, 'moved')
    const { digest } = await push.image(['v1'])
    const later = await push.image(['v1'])
    await images.untag('moved', [{ name: 'v1', digest }])
    expect(await images.image('moved', 'v1')).toMatchObject({ digest: later.digest })
  })

  test('completes an interrupted removal', async () => {
    const { digest } = await createImagePusher(server.url, 'interrupted').image(['v1', 'v2', 'v3'])
    let puts = 0
    const failing = ociRegistry({
      url: server.url,
      limits: { concurrentRequests: 1 },
      fetch: async (input, init) => {
        // The connection breaks after the first tag has been moved to the empty image.
        if (init?.method === 'PUT' && String(input).includes('/manifests/v') && ++puts > 1)
          throw new TypeError('broken')
        return fetch(input, init)
      },
    }).images as ImageStore
    const tags = ['v1', 'v2'].map((name) => ({ name, digest }))
    await expect(failing.untag('interrupted', tags)).rejects.toMatchObject({ code: 'unavailable', reason: 'registry' })
    expect(puts).toBe(2)
    // The tag has no image, although the registry still lists it.
    expect(await images.image('interrupted', 'v1')).toBeUndefined()
    expect(await images.tags('interrupted')).toEqual(['v1', 'v2', 'v3'])
    await images.untag('interrupted', tags)
    expect(await images.tags('interrupted')).toEqual(['v3'])
    expect(await images.image('interrupted', 'v3')).toMatchObject({ digest })
  })

  test('changes nothing when deletion is disabled', async () => {
    const strict = await registryServer({ deletion: false })
    try {
      const { digest } = await createImagePusher(strict.url, 'kept').image(['v1', 'v2'])
      const store = ociRegistry({ url: strict.url }).images as ImageStore
      await expect(store.untag('kept', [{ name: 'v1' }])).rejects.toMatchObject({
        code: 'invalid',
        message: 'Deletion is disabled in the container registry',
      })
      expect(await store.tags('kept')).toEqual(['v1', 'v2'])
      expect(await store.image('kept', 'v1')).toMatchObject({ digest })
    } finally {
      await strict.close()
    }
  })

  test('authenticates with a password', async () => {
    // bcrypt hash of "secret"
    const hash = '$2b$05$KLRIyU2i6ntk.IjIWX5KvuVjZJNJcEYBYy0ms8S8gHqYE0SOvriKu'
    const closed = await registryServer({ user: { name: 'forge', hash } })
    try {
      const password = Buffer.from('forge:secret').toString('base64')
      await createImagePusher(closed.url, 'closed', { Authorization: `Basic ${password}` }).image(['v1'])
      const open = ociRegistry({ url: closed.url, credentials: { username: 'forge', password: 'secret' } }).images
      expect(await open?.tags('closed')).toEqual(['v1'])
      for (const credentials of [undefined, { username: 'forge', password: 'wrong' }]) {
        const { images: rejecting } = ociRegistry({ url: closed.url, ...(credentials && { credentials }) })
        await expect(rejecting?.tags('closed')).rejects.toMatchObject({
          code: 'unavailable',
          message: 'The container registry is not available: it rejected the credentials of the platform (401)',
        })
      }
    } finally {
      await closed.close()
    }
  })
})
