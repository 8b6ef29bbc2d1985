import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { createZip, type ZipFileInput } from '../support/zip.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let txtRecords: Map<string, string>
beforeEach(async () => {
  txtRecords = new Map()
  const dns = {
    addresses: async () => [],
    textRecords: async (name: string) => [txtRecords.get(name) ?? ''],
  }
  forge = await world({ seed: openDemo, ports: { dns, pages: { enabled: true, host: 'pages.example.com' } } })
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const web = '/projects/acme%2Fweb'

const siteFiles: readonly ZipFileInput[] = [
  { path: 'public/index.html', content: '<h1>Hello</h1><script src=app.js></script>' },
  { path: 'public/app.js', content: 'alert(document.cookie)' },
  { path: 'public/docs/index.html', content: 'Docs' },
  { path: 'public/about.html', content: 'About' },
  { path: 'public/a b.txt', content: 'Blank' },
  { path: 'public/404.html', content: 'Nothing here' },
  { path: 'secret.txt', content: 'not published' },
]

/** A successful job with an archive, which publishes a site. */
const publish = async (files = siteFiles, name = 'pages') => {
  const jobs = [{ name }]
  const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), jobs })
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline: id })
  const job = items[0]?.id as number
  const file = { fileName: 'artifacts.zip', content: createZip(files) }
  await forge.host.pipelineJobs.storeArtifacts({ project, job, file })
  await forge.host.pipelineJobs.update({ project, job, status: 'success' })
  await forge.platform.jobs.drain()
  return job
}

const addDomain = async (domain: string, at = project) => {
  const { verificationCode } = await forge.host.pagesDomains.create({ project: at, domain })
  txtRecords.set(domain, `gitlab-pages-verification-code=${verificationCode}`)
  await forge.platform.jobs.drain()
}

const get = async (
  path: string,
  { host, as, method = 'GET', headers }: { host?: string; as?: string; method?: string; headers?: object } = {},
) => {
  const sent = { ...(host && { host }), ...(as && { 'private-token': forge.tokens[as] as string }), ...headers }
  const response = await forge.fetch(`${forge.url}${path}`, { method, headers: sent, redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const host = 'www.example.org'
const preview = '/-/pages/acme/web'

test('a site has the documented fields, changes its address, and is unpublished', async () => {
  const site = {
    url: 'http://acme.pages.example.com/web',
    is_unique_domain_enabled: false,
    force_https: false,
    primary_domain: null,
    deployments: [],
  }
  expect(await send(`GET ${web}/pages`, { as: 'alice' })).toMatchObject({ status: 200, body: site })
  await publish()
  const url = `${site.url}/`
  const deployments = [{ created_at: expect.any(String), url, path_prefix: '', root_directory: 'public' }]
  expect((await send(`GET ${web}/pages`, { as: 'alice' })).body).toEqual({ ...site, deployments })
  const json = { pages_unique_domain_enabled: true }
  const unique = (await send(`PATCH ${web}/pages`, { as: 'alice', json })).body
  expect(unique).toMatchObject({
    is_unique_domain_enabled: true,
    url: expect.stringMatching(/^http:\/\/web-[0-9a-f]{16}\./),
  })
  expect((await get('/', { host: new URL(unique.url).host })).text).toContain('Hello')
  const unknown = { pages_primary_domain: 'other.example.com' }
  expect((await send(`PATCH ${web}/pages`, { as: 'alice', json: unknown })).status).toBe(400)
  expect((await send(`DELETE ${web}/pages`, { as: 'alice' })).status).toBe(204)
  expect((await send(`GET ${web}/pages`, { as: 'alice' })).body.deployments).toEqual([])
  expect((await get('/web/', { host: 'acme.pages.example.com' })).status).toBe(404)
})

describe('a site', () => {
  beforeEach(async () => {
    await publish()
    await addDomain(host)
  })

  test('answers at a verified domain and below the host of all sites, with types and conditional requests', async () => {
    const page = await get('/', { host })
    expect(page).toMatchObject({ status: 200, text: siteFiles[0]?.content })
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=600',
    })
    const etag = page.headers.get('etag') as string
    expect(await get('/', { host, headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, text: '' })
    expect(await get('/about.html', { host, headers: { range: 'bytes=1-2' } })).toMatchObject({
      status: 206,
      text: 'bo',
    })
    expect((await get('/app.js', { host })).headers.get('content-type')).toContain('javascript')
    expect((await get('/web/', { host: 'ACME.pages.example.com:8080' })).text).toContain('Hello')
    expect(await get('/about', { host })).toMatchObject({ status: 200, text: 'About' })
    expect(await get('/a%20b.txt', { host })).toMatchObject({ status: 200, text: 'Blank' })
    expect(await get('/', { host, method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    const directory = await get('/docs', { host })
    expect([directory.status, directory.headers.get('location')]).toEqual([302, '/docs/'])
    expect(await get('/missing', { host })).toMatchObject({ status: 404, text: 'Nothing here' })
  })

  test('has no API, no pages and no methods that change something at its host', async () => {
    for (const path of ['/api/v4/projects', '/acme/web', '/-/health', '/-/metrics', '/acme/web.git/info/refs'])
      expect(await get(path, { host, as: 'alice' })).toMatchObject({ status: 404, text: 'Nothing here' })
    expect(await get('/', { host, method: 'POST' })).toMatchObject({ status: 405 })
    expect((await get('/api/v4/projects', { host: 'unknown.example.org' })).status).toBe(200)
  })

  test('runs no scripts at the host of the forge', async () => {
    await forge.host.projects.update({ project, settings: { pagesAccessLevel: 'private' } })
    const page = await get(`${preview}/`, { as: 'bob' })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/)
    const directory = await get(`${preview}/docs`, { as: 'bob' })
    expect(directory.headers.get('location')).toBe(`${preview}/docs/`)
    const script = await get(`${preview}/app.js`, { as: 'bob' })
    expect(script.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(script.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is at its own host if there is one', async () => {
    const moved = await get(`${preview}/docs/`)
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '//acme.pages.example.com/web/docs/'])
  })

  test('that is private needs a token, or the session at the host of the forge', async () => {
    await forge.host.projects.update({ project, settings: { pagesAccessLevel: 'private' } })
    for (const at of [{ host }, {}]) {
      const path = at.host ? '/about.html' : `${preview}/about.html`
      expect(await get(path, at)).toMatchObject({ status: 404, text: 'Page not found\n' })
      expect((await get(path, { ...at, as: 'mallory' })).status).toBe(404)
      expect((await get(path, { ...at, headers: { 'private-token': 'wrong' } })).status).toBe(401)
      const shown = await get(path, { ...at, as: 'bob' })
      expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    }
    // Neither a token in the query nor a cookie reaches the host of a site.
    expect((await get(`/about.html?private_token=${forge.tokens.bob}`, { host })).status).toBe(404)
    await forge.host.projects.update({ project, settings: { pagesAccessLevel: 'public' } })
    expect((await get('/about.html', { host })).status).toBe(200)
    await forge.host.projects.update({ project, settings: { pagesAccessLevel: 'disabled' } })
    expect((await get('/about.html', { host, as: 'root' })).status).toBe(404)
  })

  test('has no file outside of its root, and none at ambiguous paths', async () => {
    const { pagesSites } = forge.platform.as(null)
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/..%5csecret.txt',
      '/docs/%2e%2e/%2e%2e/secret.txt',
      '/public/../secret.txt',
      '/secret.txt',
      '/docs%2findex.html',
      '/%00',
      '/%ff',
      '/%',
      `/${'a/'.repeat(2_000)}`,
    ]) {
      const reply = await pagesSites.getFile({ host, path })
      expect(reply, path).toMatchObject({ kind: 'file', status: 404 })
      if (reply.kind === 'file') reply.content.destroy()
    }
  })

  test('does not lead to other hosts', async () => {
    const { pagesSites } = forge.platform.as(null)
    expect(await pagesSites.getFile({ host, path: '//docs' })).toMatchObject({ kind: 'redirect', location: '/docs/' })
  })

  test('does not answer for domains that are not verified, and moves to the primary one', async () => {
    await forge.host.pagesDomains.create({ project, domain: 'new.example.org' })
    expect((await get('/about.html', { host: 'new.example.org' })).text).not.toBe('About')
    const json = { pages_primary_domain: host, pages_https_only: true }
    expect((await send(`PATCH ${web}/pages`, { as: 'alice', json })).body).toMatchObject({ url: `https://${host}` })
    const moved = await get('/web/about.html', { host: 'acme.pages.example.com' })
    expect([moved.status, moved.headers.get('location')]).toEqual([302, `http://${host}/about.html`])
  })

  test('is replaced by a newer job, not by an older one, and not by another job', async () => {
    const [{ id } = { id: 0 }] = (await forge.host.pipelineJobs.list({ project })).items
    await publish([{ path: 'public/index.html', content: 'Newer' }])
    expect((await get('/', { host })).text).toBe('Newer')
    await forge.host.pipelineJobs.update({ project, job: id, status: 'running' })
    await forge.host.pipelineJobs.update({ project, job: id, status: 'success' })
    await publish([{ path: 'public/index.html', content: 'Test' }], 'test')
    await publish([{ path: 'dist/index.html', content: 'Elsewhere' }])
    expect((await get('/', { host })).text).toBe('Newer')
    const stored = await forge.platform.ports.files.list('pages/')
    expect(stored.files).toHaveLength(1)
  })
})

describe('the archive of a site', () => {
  beforeEach(() => addDomain(host))

  test('leaves out links and paths that lead out of it', async () => {
    await publish([
      { path: 'public/index.html', content: 'Home' },
      { path: 'public/link', content: '/etc/passwd', mode: 0o120777 },
      { path: 'public/../../escape', content: 'out' },
    ])
    expect((await get('/', { host })).text).toBe('Home')
    for (const path of ['/link', '/escape']) expect((await get(path, { host })).status).toBe(404)
  })

  test('has rules for other addresses, which end after 64 KiB', async () => {
    const rules = [
      '# Comment',
      '/old /about.html',
      '/blog/:year/:slug /posts/:slug-:year.html 302',
      '/app/* /docs/index.html 200',
      '/to/* /:splat 302',
      '/far https://example.net/ 301',
      '/evil //example.net/ 301',
      '/query /about.html?id=1 302 Country=au',
      `http://${host}/domain/* https://example.net/:splat 302`,
    ]
    const redirects = { path: 'public/_redirects', content: rules.join('\n') }
    await publish([...siteFiles, redirects])
    const visit = async (path: string) => {
      const { status, headers, text } = await get(path, { host })
      return headers.get('location') === null ? [status, text] : [status, headers.get('location')]
    }
    expect(await visit('/old')).toEqual([301, '/about.html'])
    expect(await visit('/blog/2026/hi')).toEqual([302, '/posts/hi-2026.html'])
    expect(await visit('/app/any/thing')).toEqual([200, 'Docs'])
    expect(await visit('/to/a/b')).toEqual([302, '/a/b'])
    expect(await visit('/to//example.net')).toEqual([302, '/example.net'])
    expect(await visit('/far')).toEqual([301, 'https://example.net/'])
    expect(await visit('/domain/x')).toEqual([302, 'https://example.net/x'])
    for (const path of ['/evil', '/query']) expect(await visit(path)).toEqual([404, 'Nothing here'])
    const huge = { path: 'public/_redirects', content: `/old /about.html\n${'#'.repeat(70_000)}` }
    await publish([...siteFiles, huge])
    expect(await visit('/old')).toEqual([404, 'Nothing here'])
  })

  test('is not published if it is damaged', async () => {
    await publish([{ path: 'public/index.html', content: 'Home' }])
    const jobs = [{ name: 'pages' }]
    const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), jobs })
    const job = (await forge.host.pipelineJobs.list({ project, pipeline: id })).items[0]?.id as number
    const file = { fileName: 'artifacts.zip', content: new TextEncoder().encode('no zip') }
    await forge.host.pipelineJobs.storeArtifacts({ project, job, file })
    await forge.host.pipelineJobs.update({ project, job, status: 'success' })
    await forge.platform.jobs.drain()
    expect((await get('/', { host })).text).toBe('Home')
  })
})

everyRouteCalled('pages sites')
