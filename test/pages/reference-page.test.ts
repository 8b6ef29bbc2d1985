import { createPlatform, sqlite } from '@forgelet/core'
import { demo, plant } from '@forgelet/core/seed'
import { fetchHandler, type Serving, serve } from '@forgelet/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referencePage } from '../../packages/http/src/pages/reference-page.ts'
import { serving as startedByCommand } from '../cli/command-line.ts'
import { browserPath, sideways, tabOrder, views, visit } from './browser.ts'

const platform = createPlatform(sqlite(':memory:'))
let serving: Serving
beforeAll(async () => {
  await plant(platform, demo)
  serving = await serve(platform, { port: 0, jobInterval: 0, rateLimits: false })
})
afterAll(async () => {
  await serving.close()
  await platform.close()
})

const html = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${serving.url}${path}`, { method, headers })

const bundleAddress = async () => {
  const text = await (await ask('/', html)).text()
  return `/${/data-bundle="(?<address>[^"]+)"/.exec(text)?.groups?.address}`
}

describe('the reference at /', () => {
  it('is for clients that accept HTML; others are told where the API is', async () => {
    const page = await ask('/', html)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('vary')).toContain('Accept')
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/)
    const other = await ask('/')
    expect([other.status, await other.json()]).toEqual([404, { error: '404 Not Found' }])
    expect((await ask('/', html, 'POST')).status).toBe(404)
    expect((await ask('/api/v4/version', html)).headers.get('content-type')).toBe('application/json')
    const head = await ask('/?from=mail', html, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('sends its parts once, and says so: pages are asked for again, the bundle is not', async () => {
    const page = await ask('/', html)
    const known = await ask('/', { ...html, 'If-None-Match': page.headers.get('etag') as string })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const address = await bundleAddress()
    expect(address).toMatch(/^\/-\/reference\/\d+\.\d+\.\d+\/standalone\.esm\.js$/)
    const bundle = await ask(address)
    expect(bundle.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(bundle.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await bundle.arrayBuffer()).byteLength).toBe(Number(bundle.headers.get('content-length')))
    expect((await ask(address, { 'If-None-Match': bundle.headers.get('etag') as string })).status).toBe(304)
    const head = await ask(address, {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('sends nothing but those parts', async () => {
    const folder = (await bundleAddress()).replace(/[^/]+$/, '')
    const asked = [
      `${folder}..%2f..%2fpackage.json`,
      `${folder}chunks`,
      `${folder}chunks/..`,
      `${folder}nothing.js`,
      `${folder}standalone.esm.js.map`,
      '/-/reference/0.0.0/standalone.esm.js',
      '/-/reference/live.html',
      '/-/reference/',
    ]
    for (const path of asked) expect([path, (await ask(path)).status]).toEqual([path, 404])
  })

  it('is left out on demand', async () => {
    const answer = fetchHandler(platform, { reference: false })
    for (const path of ['/', '/-/reference/reference.js']) {
      expect((await answer(`http://forge.test${path}`, { headers: html })).status).toBe(404)
    }
  })

  it('is left out by forgelet serve --no-reference', async () => {
    const { url, stop } = await startedByCommand(['--no-reference', '--data', ':memory:'])
    expect((await fetch(url, { headers: html })).status).toBe(404)
    await stop()
  })

  it('has links instead where the package is not installed', async () => {
    const layers = [referencePage(async () => undefined)]
    const answer = fetchHandler(platform, { reference: false, layers })
    const page = await answer('http://forge.test/', { headers: html })
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(await page.text()).toContain('href="api/v4/openapi.json"')
    expect((await answer('http://forge.test/-/reference/pages.css')).status).toBe(200)
    expect((await answer('http://forge.test/-/reference/1.0.0/standalone.esm.js')).status).toBe(404)
  })
})

describe.skipIf(browserPath === undefined)('the reference in a browser', { timeout: 120_000 }, () => {
  it.each(views)('shows every family, asks nobody else and complains about nothing: $name', async (view) => {
    await visit(serving.url, view, async ({ page, outside, complaints, picture }) => {
      await page.getByRole('heading', { name: 'Forgelet', exact: true }).waitFor()
      await page.getByText('/api/v4/groups/{id}/access_requests', { exact: true }).first().waitFor()
      await picture('reference')
      expect(await sideways(page)).toBe(0)
      const reached = await tabOrder(page, 12)
      expect(reached.length).toBeGreaterThan(8)
      expect(new Set(reached).size).toBeGreaterThan(6)
      expect(outside).toEqual([])
      expect(complaints).toEqual([])
    })
  })

  it('tries a call out against this server', async () => {
    await visit(
      `${serving.url}/#tag/projects/GET/api/v4/projects`,
      views[0],
      async ({ page, outside, complaints, picture }) => {
        await page.getByRole('button', { name: /Test Request.*\(get \/api\/v4\/projects\)$/i }).click()
        const answered = page.waitForResponse((response) => response.url().startsWith(`${serving.url}/api/v4/projects`))
        await page.getByRole('button', { name: /^Send/ }).first().click()
        expect((await answered).status()).toBe(200)
        await page.getByText('Response Headers').first().waitFor()
        await picture('reference-tried')
        expect(outside).toEqual([])
        expect(complaints).toEqual([])
      },
    )
  })
})
