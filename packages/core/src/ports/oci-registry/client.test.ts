import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isPlatformError } from '../../kernel/errors.ts'
import { type OciRegistryOptions, ociRegistry } from '../oci-registry.ts'
import type { ImageStore } from '../registry.ts'

/** Covers behavior that the protocol allows but a real registry does not show, with a stub of `fetch`. */

interface RecordedRequest {
  readonly line: string
  readonly headers: Headers
}

type StubResponse = Response | undefined

const createStubRegistry = (
  respond: (line: string, headers: Headers) => StubResponse | Promise<StubResponse>,
  options: Partial<OciRegistryOptions> = {},
): { images: ImageStore; requests: RecordedRequest[] } => {
  const requests: RecordedRequest[] = []
  const stubFetch = async (input: Request | URL | string, init: RequestInit = {}) => {
    const url = String(input)
    const line = `${init.method ?? 'GET'} ${url.replace('https://registry.test', '')}`
    const headers = new Headers(init.headers)
    requests.push({ line, headers })
    return (await respond(line, headers)) ?? Response.json({ errors: [{ code: 'NAME_UNKNOWN' }] }, { status: 404 })
  }
  const { images } = ociRegistry({ url: 'https://registry.test', fetch: stubFetch as typeof fetch, ...options })
  return { images: images as ImageStore, requests }
}

const credentials = { username: 'forge', password: 'secret' }
const basic = `Basic ${Buffer.from('forge:secret').toString('base64')}`
const requestLines = (requests: readonly RecordedRequest[]) => requests.map(({ line }) => line)

const catchRegistryError = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isPlatformError(error)) throw error ?? new Error('Expected a PlatformError')
  expect(error).toMatchObject({ code: 'unavailable', reason: 'registry' })
  return error.message.replace('The container registry is not available: ', '')
}

describe('tokens', () => {
  const realm = 'https://tokens.test/grant'
  const challenge = (scope: string) =>
    new Response(null, {
      status: 401,
      headers: { 'WWW-Authenticate': `Bearer realm="${realm}?from=here",service="registry.test",scope="${scope}"` },
    })

  test('fetches one token for each repository with the password and reuses it', async () => {
    let granted = 0
    const { images, requests } = createStubRegistry(
      (line, headers) => {
        if (line.includes(realm)) {
          expect(headers.get('authorization')).toBe(basic)
          return Response.json({ token: `t${++granted}`, expires_in: 300 })
        }
        const path = line.includes('/a/b/') ? 'a/b' : 'c'
        const header = headers.get('authorization')
        if (header === null) return challenge(`repository:${path}:pull`)
        expect(header).toBe(path === 'c' ? 'Bearer t2' : 'Bearer t1')
        return Response.json({ tags: ['v1'] })
      },
      { credentials },
    )
    for (const path of ['a/b', 'a/b', 'c', 'a/b']) expect(await images.tags(path)).toEqual(['v1'])
    expect(requestLines(requests).filter((line) => line.includes(realm))).toEqual([
      `GET ${realm}?from=here&service=registry.test&scope=repository%3Aa%2Fb%3Apull`,
      `GET ${realm}?from=here&service=registry.test&scope=repository%3Ac%3Apull`,
    ])
  })

  test('fetches an anonymous token without a password', async () => {
    const { images } = createStubRegistry((line, headers) => {
      if (line.includes(realm)) {
        expect(headers.has('authorization')).toBe(false)
        return Response.json({ access_token: 'anonymous' })
      }
      return headers.get('authorization') === 'Bearer anonymous' ? Response.json({ tags: [] }) : challenge('x')
    })
    expect(await images.tags('a')).toEqual([])
  })

  test('does not send the password to a token server without https', async () => {
    const { images, requests } = createStubRegistry(
      () =>
        new Response(null, { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="http://tokens.test/grant"' } }),
      { credentials },
    )
    expect(await catchRegistryError(images.tags('a'))).toBe('the URL of its token server does not use https')
    expect(requests).toHaveLength(1)
  })

  test.each([
    [Response.json({}, { status: 403 }), 'its token server rejected the platform (403)'],
    [Response.json({ token: 7 }), 'its token server responded without a valid token'],
    [Response.json({ token: 'a\nb' }), 'its token server responded without a valid token'],
    [new Response('<html>'), 'its response is not JSON'],
  ])('reports an invalid response of the token server (%#)', async (response, message) => {
    const { images } = createStubRegistry((line) => (line.includes(realm) ? response.clone() : challenge('x')), {
      credentials,
    })
    expect(await catchRegistryError(images.tags('a'))).toBe(message)
  })

  test('fetches a token once when the registry rejects it', async () => {
    const { images, requests } = createStubRegistry((line) =>
      line.includes(realm) ? Response.json({ token: 't' }) : challenge('repository:a:pull'),
    )
    expect(await catchRegistryError(images.tags('a'))).toBe('it rejected the credentials of the platform (401)')
    expect(requests).toHaveLength(3)
  })
})

describe('lists', () => {
  test('reads all pages', async () => {
    const { images, requests } = createStubRegistry((line) => {
      if (line.includes('last=b')) return Response.json({ tags: ['c', 'a'] })
      return Response.json(
        { tags: ['a', 'b', '-no', 7] },
        { headers: { Link: '</v2/x/tags/list?n=1000&last=b>; rel="next"' } },
      )
    })
    expect(await images.tags('x')).toEqual(['a', 'b', 'c'])
    expect(requestLines(requests)).toEqual(['GET /v2/x/tags/list?n=1000', 'GET /v2/x/tags/list?n=1000&last=b'])
  })

  test('does not follow a link to another server', async () => {
    const { images, requests } = createStubRegistry(
      () => Response.json({ tags: [] }, { headers: { Link: '<https://evil.test/v2/x/tags/list>; rel="next"' } }),
      { credentials },
    )
    expect(await catchRegistryError(images.tags('x'))).toBe('its response links to another server')
    expect(requests).toHaveLength(1)
  })

  test('stops at a repeated page', async () => {
    const { images } = createStubRegistry(() =>
      Response.json({ tags: ['a'] }, { headers: { Link: '</v2/x/tags/list?n=1000&last=a>; rel="next"' } }),
    )
    expect(await catchRegistryError(images.tags('x'))).toBe('the pages of its list form a cycle')
  })

  test('limits the number of names', async () => {
    const { images } = createStubRegistry(() => Response.json({ tags: ['a', 'b', 'c'] }), {
      limits: { listedNames: 2 },
    })
    expect(await catchRegistryError(images.tags('x'))).toBe('it lists more than 2 names')
  })

  test.each([
    [Response.json({ tags: 'all' }), 'its response is not a list of names'],
    [new Response('{'), 'its response is not JSON'],
    [Response.json({}, { status: 418 }), 'it responded with 418 to the request of a list'],
    [Response.json({}, { status: 503, headers: { 'Retry-After': '30' } }), 'it responded with 503'],
    [Response.json({}, { status: 429 }), 'it responded with 429'],
    [Response.json({}, { status: 403 }), 'it rejected the credentials of the platform (403)'],
  ])('reports an invalid response (%#)', async (response, message) => {
    expect(await catchRegistryError(createStubRegistry(() => response.clone()).images.tags('x'))).toBe(message)
  })

  test('reports a registry without a catalog', async () => {
    expect(await catchRegistryError(createStubRegistry(() => undefined).images.repositories())).toBe(
      'it does not support listing its repositories',
    )
  })
})

describe('limits', () => {
  test('stops reading a response that is too large', async () => {
    let sent = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
      })
    const { images } = createStubRegistry(() => new Response(endless()), { limits: { pageBytes: 200_000 } })
    expect(await catchRegistryError(images.tags('x'))).toBe('its response exceeds 200000 bytes')
    expect(sent).toBeLessThan(1_000_000)
  })

  test('aborts a request after its timeout', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const { images } = ociRegistry({ url: 'https://registry.test', fetch: silent, limits: { requestTimeout: 30 } })
    expect(await catchRegistryError((images as ImageStore).tags('x'))).toBe('it does not respond')
  })

  test('limits concurrent requests', async () => {
    let running = 0
    let maximum = 0
    const { images } = createStubRegistry(
      async () => {
        maximum = Math.max(maximum, ++running)
        await new Promise((resolve) => setTimeout(resolve, 2))
        running -= 1
        return Response.json({ tags: ['v1'] })
      },
      { limits: { concurrentRequests: 3 } },
    )
    await Promise.all(Array.from({ length: 20 }, () => images.tags('x')))
    expect(maximum).toBe(3)
  })

  test('passes on Retry-After', async () => {
    const { images } = createStubRegistry(() => Response.json({}, { status: 503, headers: { 'Retry-After': '30' } }))
    await expect(images.tags('x')).rejects.toMatchObject({ retryAfter: 30 })
  })
})

describe('images', () => {
  const sha256 = (text: string) => `sha256:${hash('sha256', text, 'hex')}`
  const config = JSON.stringify({ created: '2026-01-02T03:04:05Z' })

  const createImageStore = (manifest: unknown, blob = config) =>
    createStubRegistry((line) => {
      if (line.includes('/manifests/')) return Response.json(manifest)
      return line.includes('/blobs/') ? new Response(blob) : undefined
    }).images

  test('computes the digest of a manifest without a digest header', async () => {
    const manifest = { config: { digest: sha256(config) }, layers: [{ size: 1 }, { size: 2 }] }
    expect(await createImageStore(manifest).image('x', 'v1')).toEqual({
      digest: sha256(JSON.stringify(manifest)),
      revision: sha256(config).slice(7),
      createdAt: '2026-01-02T03:04:05.000Z',
      totalSize: 3,
    })
  })

  test('reads the creation date, but no size, of a schema 1 manifest', async () => {
    const manifest = { schemaVersion: 1, history: [{ v1Compatibility: config }] }
    expect(await createImageStore(manifest).image('x', 'v1')).toMatchObject({
      revision: null,
      createdAt: '2026-01-02T03:04:05.000Z',
      totalSize: null,
    })
  })

  test('reads the creation date from an annotation', async () => {
    const manifest = {
      config: { digest: sha256('{}') },
      layers: [],
      annotations: { 'org.opencontainers.image.created': '2026-05-06T07:08:09+02:00' },
    }
    expect(await createImageStore(manifest, '{}').image('x', 'v1')).toMatchObject({
      createdAt: '2026-05-06T05:08:09.000Z',
      totalSize: 0,
    })
  })

  test('rejects a configuration that does not match its digest', async () => {
    const manifest = { config: { digest: sha256('something else') }, layers: [] }
    expect(await catchRegistryError(createImageStore(manifest).image('x', 'v1'))).toBe(
      'an image configuration does not match its digest',
    )
  })

  test.each([
    [{ config: { digest: '../../secret' } }, { revision: null, totalSize: null }],
    [{ config: { digest: sha256(config) }, layers: [{ size: 'large' }] }, { totalSize: null }],
    [{ config: { digest: sha256(config) } }, { totalSize: null }],
    [{ manifests: [{ digest: 'no digest' }] }, { revision: null, createdAt: null, totalSize: null }],
    [{ manifests: [] }, { revision: null, createdAt: null, totalSize: null }],
    [[], { revision: null }],
  ])('accepts the incomplete manifest %j', async (manifest, image) => {
    expect(await createImageStore(manifest).image('x', 'v1')).toMatchObject(image)
  })
})

test('deletes single tags when the registry supports it', async () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const { images, requests } = createStubRegistry((line) => {
    if (line.startsWith('HEAD')) return new Response(null, { headers: { 'Docker-Content-Digest': digest } })
    return line.startsWith('DELETE') ? new Response(null, { status: 202 }) : undefined
  })
  await images.untag('x', [{ name: 'v1', digest }, { name: 'v2' }, { name: 'v3', digest: `sha256:${'b'.repeat(64)}` }])
  expect(requestLines(requests).filter((line) => !line.startsWith('HEAD'))).toEqual([
    'DELETE /v2/x/manifests/v1',
    'DELETE /v2/x/manifests/v2',
  ])
})

test.each(['ftp://registry.test', 'https://forge:secret@registry.test', 'nonsense'])('rejects the URL %s', (url) => {
  expect(() => ociRegistry({ url })).toThrow(TypeError)
})

test('uses the host of the URL or the configured host in image names', () => {
  expect(ociRegistry({ url: 'https://registry.test:5000' }).host).toBe('registry.test:5000')
  expect(ociRegistry({ url: 'http://10.0.0.7:5000', host: 'images.example' }).host).toBe('images.example')
})
