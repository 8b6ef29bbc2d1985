import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isPlatformError } from '../../kernel/errors.ts'
import { type OciRegistryOptions, ociRegistry } from '../oci-registry.ts'
import type { ImageStore } from '../registry.ts'

/** What the protocol allows and Debian's registry does not do: played by a network that answers as it is told. */

interface Seen {
  readonly line: string
  readonly headers: Headers
}

type Answer = Response | undefined

const registry = (
  answer: (line: string, headers: Headers) => Answer | Promise<Answer>,
  options: Partial<OciRegistryOptions> = {},
): { images: ImageStore; seen: Seen[] } => {
  const seen: Seen[] = []
  const network = async (input: Request | URL | string, init: RequestInit = {}) => {
    const url = String(input)
    const line = `${init.method ?? 'GET'} ${url.replace('https://registry.test', '')}`
    const headers = new Headers(init.headers)
    seen.push({ line, headers })
    return (await answer(line, headers)) ?? Response.json({ errors: [{ code: 'NAME_UNKNOWN' }] }, { status: 404 })
  }
  const { images } = ociRegistry({ url: 'https://registry.test', fetch: network as typeof fetch, ...options })
  return { images: images as ImageStore, seen }
}

const credentials = { username: 'forge', password: 'secret' }
const basic = `Basic ${Buffer.from('forge:secret').toString('base64')}`
const lines = (seen: readonly Seen[]) => seen.map(({ line }) => line)

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isPlatformError(error)) throw error ?? new Error('It was not refused')
  expect(error).toMatchObject({ code: 'unavailable', reason: 'registry' })
  return error.message.replace('The container registry is not available: ', '')
}

describe('tokens', () => {
  const realm = 'https://tokens.test/grant'
  const demand = (scope: string) =>
    new Response(null, {
      status: 401,
      headers: { 'WWW-Authenticate': `Bearer realm="${realm}?from=here",service="registry.test",scope="${scope}"` },
    })

  test('are obtained with the password, used until they end, and one for each repository', async () => {
    let granted = 0
    const { images, seen } = registry(
      (line, headers) => {
        if (line.includes(realm)) {
          expect(headers.get('authorization')).toBe(basic)
          return Response.json({ token: `t${++granted}`, expires_in: 300 })
        }
        const path = line.includes('/a/b/') ? 'a/b' : 'c'
        const bearer = headers.get('authorization')
        if (bearer === null) return demand(`repository:${path}:pull`)
        expect(bearer).toBe(path === 'c' ? 'Bearer t2' : 'Bearer t1')
        return Response.json({ tags: ['v1'] })
      },
      { credentials },
    )
    for (const path of ['a/b', 'a/b', 'c', 'a/b']) expect(await images.tags(path)).toEqual(['v1'])
    expect(lines(seen).filter((line) => line.includes(realm))).toEqual([
      `GET ${realm}?from=here&service=registry.test&scope=repository%3Aa%2Fb%3Apull`,
      `GET ${realm}?from=here&service=registry.test&scope=repository%3Ac%3Apull`,
    ])
  })

  test('are asked for without a password where there is none', async () => {
    const { images } = registry((line, headers) => {
      if (line.includes(realm)) {
        expect(headers.has('authorization')).toBe(false)
        return Response.json({ access_token: 'anonymous' })
      }
      return headers.get('authorization') === 'Bearer anonymous' ? Response.json({ tags: [] }) : demand('x')
    })
    expect(await images.tags('a')).toEqual([])
  })

  test('are never asked for over a line that anybody can read', async () => {
    const { images, seen } = registry(
      () =>
        new Response(null, { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="http://tokens.test/grant"' } }),
      { credentials },
    )
    expect(await refusal(images.tags('a'))).toBe('it hands out tokens at an address that is not secure')
    expect(seen).toHaveLength(1)
  })

  test.each([
    [Response.json({}, { status: 403 }), 'it refused the platform a token (403)'],
    [Response.json({ token: 7 }), 'it hands out no token'],
    [Response.json({ token: 'a\nb' }), 'it hands out no token'],
    [new Response('<html>'), 'it answered with something that is no JSON'],
  ])('may be refused (%#)', async (answer, why) => {
    const { images } = registry((line) => (line.includes(realm) ? answer.clone() : demand('x')), { credentials })
    expect(await refusal(images.tags('a'))).toBe(why)
  })

  test('that open nothing are not asked for twice', async () => {
    const { images, seen } = registry((line) =>
      line.includes(realm) ? Response.json({ token: 't' }) : demand('repository:a:pull'),
    )
    expect(await refusal(images.tags('a'))).toBe('it refused the platform (401)')
    expect(seen).toHaveLength(3)
  })
})

describe('lists', () => {
  test('go on from page to page', async () => {
    const { images, seen } = registry((line) => {
      if (line.includes('last=b')) return Response.json({ tags: ['c', 'a'] })
      return Response.json(
        { tags: ['a', 'b', '-no', 7] },
        { headers: { Link: '</v2/x/tags/list?n=1000&last=b>; rel="next"' } },
      )
    })
    expect(await images.tags('x')).toEqual(['a', 'b', 'c'])
    expect(lines(seen)).toEqual(['GET /v2/x/tags/list?n=1000', 'GET /v2/x/tags/list?n=1000&last=b'])
  })

  test('never lead to another server', async () => {
    const { images, seen } = registry(
      () => Response.json({ tags: [] }, { headers: { Link: '<https://evil.test/v2/x/tags/list>; rel="next"' } }),
      { credentials },
    )
    expect(await refusal(images.tags('x'))).toBe('it pointed to another server')
    expect(seen).toHaveLength(1)
  })

  test('end', async () => {
    const { images } = registry(() =>
      Response.json({ tags: ['a'] }, { headers: { Link: '</v2/x/tags/list?n=1000&last=a>; rel="next"' } }),
    )
    expect(await refusal(images.tags('x'))).toBe('its list never ends')
  })

  test('hold no more names than agreed', async () => {
    const { images } = registry(() => Response.json({ tags: ['a', 'b', 'c'] }), { limits: { names: 2 } })
    expect(await refusal(images.tags('x'))).toBe('it lists more than 2 names')
  })

  test.each([
    [Response.json({ tags: 'all' }), 'it answered with no list of names'],
    [new Response('{'), 'it answered with something that is no JSON'],
    [Response.json({}, { status: 418 }), 'it answered 418 to a list'],
    [Response.json({}, { status: 503, headers: { 'Retry-After': '30' } }), 'it answered 503'],
    [Response.json({}, { status: 429 }), 'it answered 429'],
    [Response.json({}, { status: 403 }), 'it refused the platform (403)'],
  ])('that are none are refused (%#)', async (answer, why) => {
    expect(await refusal(registry(() => answer.clone()).images.tags('x'))).toBe(why)
  })

  test('of repositories need not exist', async () => {
    expect(await refusal(registry(() => undefined).images.repositories())).toBe('it does not list its repositories')
  })
})

describe('bounds', () => {
  test('what is larger than agreed is not read to its end', async () => {
    let sent = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
      })
    const { images } = registry(() => new Response(endless()), { limits: { pageBytes: 200_000 } })
    expect(await refusal(images.tags('x'))).toBe('it answered with more than 200000 bytes')
    expect(sent).toBeLessThan(1_000_000)
  })

  test('who does not answer in time does not answer', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const { images } = ociRegistry({ url: 'https://registry.test', fetch: silent, limits: { time: 30 } })
    expect(await refusal((images as ImageStore).tags('x'))).toBe('it does not answer')
  })

  test('no more requests are under way than agreed', async () => {
    let running = 0
    let most = 0
    const { images } = registry(
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 2))
        running -= 1
        return Response.json({ tags: ['v1'] })
      },
      { limits: { requests: 3 } },
    )
    await Promise.all(Array.from({ length: 20 }, () => images.tags('x')))
    expect(most).toBe(3)
  })

  test('a retry is promised no sooner than the registry says', async () => {
    const { images } = registry(() => Response.json({}, { status: 503, headers: { 'Retry-After': '30' } }))
    await expect(images.tags('x')).rejects.toMatchObject({ retryAfter: 30 })
  })
})

describe('images', () => {
  const sha256 = (text: string) => `sha256:${hash('sha256', text, 'hex')}`
  const config = JSON.stringify({ created: '2026-01-02T03:04:05Z' })

  const serving = (manifest: unknown, blob = config) =>
    registry((line) => {
      if (line.includes('/manifests/')) return Response.json(manifest)
      return line.includes('/blobs/') ? new Response(blob) : undefined
    }).images

  test('have the digest of their manifest where the registry does not say it', async () => {
    const manifest = { config: { digest: sha256(config) }, layers: [{ size: 1 }, { size: 2 }] }
    expect(await serving(manifest).image('x', 'v1')).toEqual({
      digest: sha256(JSON.stringify(manifest)),
      revision: sha256(config).slice(7),
      createdAt: '2026-01-02T03:04:05.000Z',
      totalSize: 3,
    })
  })

  test('of the first form know their age and no size', async () => {
    const manifest = { schemaVersion: 1, history: [{ v1Compatibility: config }] }
    expect(await serving(manifest).image('x', 'v1')).toMatchObject({
      revision: null,
      createdAt: '2026-01-02T03:04:05.000Z',
      totalSize: null,
    })
  })

  test('may say their age in an annotation', async () => {
    const manifest = {
      config: { digest: sha256('{}') },
      layers: [],
      annotations: { 'org.opencontainers.image.created': '2026-05-06T07:08:09+02:00' },
    }
    expect(await serving(manifest, '{}').image('x', 'v1')).toMatchObject({
      createdAt: '2026-05-06T05:08:09.000Z',
      totalSize: 0,
    })
  })

  test('count only as what their digest promises', async () => {
    const manifest = { config: { digest: sha256('something else') }, layers: [] }
    expect(await refusal(serving(manifest).image('x', 'v1'))).toBe('a configuration is not what its digest says')
  })

  test.each([
    [{ config: { digest: '../../secret' } }, { revision: null, totalSize: null }],
    [{ config: { digest: sha256(config) }, layers: [{ size: 'large' }] }, { totalSize: null }],
    [{ config: { digest: sha256(config) } }, { totalSize: null }],
    [{ manifests: [{ digest: 'no digest' }] }, { revision: null, createdAt: null, totalSize: null }],
    [{ manifests: [] }, { revision: null, createdAt: null, totalSize: null }],
    [[], { revision: null }],
  ])('may be odd: %j', async (manifest, image) => {
    expect(await serving(manifest).image('x', 'v1')).toMatchObject(image)
  })
})

test('a registry that deletes tags by themselves is asked to do so', async () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const { images, seen } = registry((line) => {
    if (line.startsWith('HEAD')) return new Response(null, { headers: { 'Docker-Content-Digest': digest } })
    return line.startsWith('DELETE') ? new Response(null, { status: 202 }) : undefined
  })
  await images.untag('x', [{ name: 'v1', digest }, { name: 'v2' }, { name: 'v3', digest: `sha256:${'b'.repeat(64)}` }])
  expect(lines(seen).filter((line) => !line.startsWith('HEAD'))).toEqual([
    'DELETE /v2/x/manifests/v1',
    'DELETE /v2/x/manifests/v2',
  ])
})

test.each(['ftp://registry.test', 'https://forge:secret@registry.test', 'nonsense'])('%s is no registry', (url) => {
  expect(() => ociRegistry({ url })).toThrow(TypeError)
})

test('images are named after the host, or as the operator says', () => {
  expect(ociRegistry({ url: 'https://registry.test:5000' }).host).toBe('registry.test:5000')
  expect(ociRegistry({ url: 'http://10.0.0.7:5000', host: 'images.example' }).host).toBe('images.example')
})
