import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { fetchHandler } from '@forgelet/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fullSeed } from '../full-seed.ts'
import { world } from '../sqlite-world.ts'
import { browserHeaders, visitor } from './page-client.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: fullSeed, time: '2026-03-10T12:00:00Z' })
})
afterEach(() => forge.close())

describe('an address that resembles another site', () => {
  const owners = [
    '/%2Fevil.example',
    '/%2F%2Fevil.example',
    '//evil.example',
    '/%5Cevil.example',
    '/%09%2Fevil.example',
  ]
  const pages = [
    'tags/x',
    'tree/main',
    'blob/main/a',
    'releases/v1',
    'issues',
    'issues/1',
    'commits/main',
    'snippets/1',
  ]
  test.each(owners)('%s redirects and links only to this site', async (owner) => {
    const visit = visitor(forge)
    for (const path of [
      owner,
      ...pages.map((page) => `${owner}/-/${page}`),
      `${owner}/info/refs?service=git-upload-pack`,
    ]) {
      const { status, headers, text } = await visit(path)
      const location = headers.get('location')
      if (location !== null) expect(new URL(location, forge.url).origin).toBe(new URL(forge.url).origin)
      expect([path, status]).not.toEqual([path, 200])
      expect(text).not.toMatch(/(?:href|action|src)="(?:\/\/|\/\\|https?:\/\/evil)/)
    }
  })
})

describe('a reply', () => {
  test('has a strict content security policy, and is revalidated', async () => {
    const visit = visitor(forge)
    const page = await visit('/acme/web')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; manifest-src 'self'",
    )
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('vary')).toBe('Origin, Authorization, Private-Token, Accept, Cookie')
    expect(page.headers.get('cache-control')).toBe('private, no-cache')
    const etag = page.headers.get('etag') as string
    expect((await visit('/acme/web', { headers: { 'If-None-Match': etag } })).status).toBe(304)
    const head = await visit('/acme/web', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const [, styleSheet = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? []
    const { status, headers } = await visit(styleSheet)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('to a client that does not ask for HTML is a page only if it exists', async () => {
    expect((await forge.fetch('/acme/web')).headers.get('content-type')).toContain('text/html')
    for (const [path, headers] of [
      ['/projects/acme%2Fweb/labels', {}],
      ['/acme/tools/deploy', {}],
      ['/', {}],
      ['/acme/web', { Accept: 'application/json' }],
      ['/api/v4/nothing', browserHeaders],
    ] as const) {
      const response = await forge.fetch(path, { headers })
      expect([path, response.status, await response.json()]).toEqual([path, 404, { error: '404 Not Found' }])
    }
  })

  test('has links below the path of the base URL', async () => {
    const handle = fetchHandler(forge.platform, { baseUrl: 'https://example.com/forge' })
    const response = await handle('https://example.com/forge/acme/web', { headers: browserHeaders })
    const text = await response.text()
    expect(text).toContain('href="/forge/acme/web/-/issues"')
    expect(text).toContain('<code>https://example.com/forge/acme/web.git</code>')
    const links = [...text.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, link]) => link as string)
    expect(links.filter((link) => !link.startsWith('/forge/') && !link.startsWith('#'))).toEqual([])
  })

  test('is 404 as before with pages: false', async () => {
    const handle = fetchHandler(forge.platform, { pages: false })
    for (const path of ['/acme/web', '/-/sign_in', '/alice']) {
      const response = await handle(`http://forge.test${path}`, { headers: browserHeaders })
      expect([response.status, await response.json()]).toEqual([404, { error: '404 Not Found' }])
    }
  })

  test('is limited for anonymous visitors', { timeout: 60_000 }, async () => {
    const handle = fetchHandler(forge.platform, { rateLimits: true })
    const get = () => handle('http://forge.test/acme/web/-/issues/1', { headers: browserHeaders })
    for (let count = 0; count < 300; count++) expect((await get()).status).toBe(200)
    const limited = await get()
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await limited.text()).toContain('<h1>Too many requests</h1>')
  })

  test('logs the template of the path', async () => {
    const lines: unknown[] = []
    await using served = await fakeForge({
      port: 0,
      http: { logger: { info: (entry) => void lines.push(entry), error: () => undefined } },
    })
    await fetch(`${served.url}/acme/web/-/issues/1`, { headers: browserHeaders })
    await expect.poll(() => lines).toMatchObject([{ route: '/:project/-/issues/:iid', status: 200 }])
  })

  test('needs a number of operations that does not depend on the content', async () => {
    let calls = 0
    const counted = Object.assign(Object.create(forge.platform) as typeof forge.platform, {
      as: ((identity, call) =>
        forge.platform.as(identity, {
          ...call,
          observer: { onActor: () => void calls++ },
        })) as typeof forge.platform.as,
    })
    const handle = fetchHandler(counted)
    const count = async (path: string) => {
      calls = 0
      expect((await handle(`http://forge.test${path}`, { headers: browserHeaders })).status).toBe(200)
      return calls
    }
    const paths = [
      '/',
      '/acme',
      '/acme/web',
      '/acme/web/-/issues',
      '/acme/web/-/issues/1',
      '/acme/web/-/merge_requests/1',
    ]
    const counts = async () => {
      const results: number[] = []
      for (const path of paths) results.push(await count(path))
      return results
    }
    await forge.as('carol').notes.create({ project: 'acme/web', mergeRequest: 1, body: 'A comment' })
    // The first visit of a merge request stores its version.
    await counts()
    const few = await counts()
    const { issues, notes, labels } = forge.as('carol')
    for (let index = 0; index < 12; index++) {
      await issues.create({ project: 'acme/web', title: `Issue ${index}`, labels: ['bug'] })
      await notes.create({ project: 'acme/web', issue: 1, body: `Comment ${index} #1` })
      await notes.create({ project: 'acme/web', mergeRequest: 1, body: `Comment ${index}` })
      await labels.create({ project: 'acme/web', name: `label-${index}`, color: 'red' })
    }
    expect(await counts()).toEqual(few)
    expect(Math.max(...few)).toBeLessThan(15)
  })
})
