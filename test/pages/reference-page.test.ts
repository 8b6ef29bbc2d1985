import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { fetchHandler, type RunningServer, serve } from '@forgelet/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReferencePage } from '../../packages/http/src/pages/reference-page.ts'
import { serving as startCommand } from '../cli/command-line.ts'
import { browserPath, findAccessibilityFaults, horizontalOverflow, readTabOrder, views, visit } from './browser.ts'

const platform = createPlatform(sqlite(':memory:'))
let server: RunningServer
beforeAll(async () => {
  await seed(platform, demo)
  server = await serve(platform, { port: 0, jobInterval: 0, idleGrace: 0, rateLimits: false })
})
afterAll(async () => {
  await server.close()
  await platform.close()
})

const referencePath = '/-/reference'
const html = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, headers })

const findBundlePath = async () => {
  const text = await (await send(referencePath, html)).text()
  return `/${/data-bundle="\.\.\/(?<path>[^"]+)"/.exec(text)?.groups?.path}`
}

describe('the reference', () => {
  it('is served to clients that accept HTML', async () => {
    const response = await send(referencePath, html)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(response.headers.get('vary')).toContain('Accept')
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/)
    const other = await send(referencePath)
    expect([other.status, await other.json()]).toEqual([404, { error: '404 Not Found' }])
    expect((await send(referencePath, html, 'POST')).status).toBe(404)
    expect((await send('/api/v4/version', html)).headers.get('content-type')).toBe('application/json')
    const head = await send(`${referencePath}?from=mail`, html, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('sends cache headers: pages are revalidated, the bundle is immutable', async () => {
    const response = await send(referencePath, html)
    const cached = await send(referencePath, { ...html, 'If-None-Match': response.headers.get('etag') as string })
    expect([cached.status, await cached.text()]).toEqual([304, ''])
    const bundlePath = await findBundlePath()
    expect(bundlePath).toMatch(/^\/-\/reference\/\d+\.\d+\.\d+\/standalone\.esm\.js$/)
    // `fetch` decompresses bodies, so `Content-Length` would not be that of the body.
    const identity = { 'Accept-Encoding': 'identity' }
    const bundle = await send(bundlePath, identity)
    expect(bundle.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(bundle.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await bundle.arrayBuffer()).byteLength).toBe(Number(bundle.headers.get('content-length')))
    const revalidated = await send(bundlePath, { ...identity, 'If-None-Match': bundle.headers.get('etag') as string })
    expect(revalidated.status).toBe(304)
    const head = await send(bundlePath, {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('serves no other files', async () => {
    const folder = (await findBundlePath()).replace(/[^/]+$/, '')
    const paths = [
      `${folder}..%2f..%2fpackage.json`,
      `${folder}chunks`,
      `${folder}chunks/..`,
      `${folder}nothing.js`,
      `${folder}standalone.esm.js.map`,
      '/-/reference/0.0.0/standalone.esm.js',
      '/-/reference/control/page.html',
      '/-/reference/',
    ]
    for (const path of paths) expect([path, (await send(path)).status]).toEqual([path, 404])
  })

  it('is at / without the other pages', async () => {
    const handle = fetchHandler(platform, { pages: false })
    const response = await handle('http://forge.test/', { headers: html })
    expect(await response.text()).toMatch(/data-bundle="-\/reference\/[\d.]+\/standalone\.esm\.js"/)
    expect((await handle(`http://forge.test${referencePath}`, { headers: html })).status).toBe(200)
  })

  it('is at / with forgelet serve --no-pages, and pages are not served', async () => {
    const { url, stop } = await startCommand(['--no-pages', '--demo', '--data', ':memory:'])
    expect(await (await fetch(url, { headers: html })).text()).toContain('<title>Forgelet')
    expect((await fetch(`${url}/acme/web`, { headers: html })).status).toBe(404)
    await stop()
  })

  it('is disabled by reference: false', async () => {
    const handle = fetchHandler(platform, { reference: false })
    for (const path of [referencePath, '/-/reference/reference.js']) {
      expect((await handle(`http://forge.test${path}`, { headers: html })).status).toBe(404)
    }
  })

  it('is disabled by forgelet serve --no-reference', async () => {
    const { url, stop } = await startCommand(['--no-reference', '--data', ':memory:'])
    expect((await fetch(url + referencePath, { headers: html })).status).toBe(404)
    await stop()
  })

  it('shows links if the package is not installed', async () => {
    const middleware = [createReferencePage({}, async () => undefined)]
    const handle = fetchHandler(platform, { reference: false, middleware })
    const response = await handle(`http://forge.test${referencePath}`, { headers: html })
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(await response.text()).toContain('href="../api/v4/openapi.json"')
    expect((await handle('http://forge.test/-/reference/pages.css')).status).toBe(200)
    expect((await handle('http://forge.test/-/reference/1.0.0/standalone.esm.js')).status).toBe(404)
  })
})

describe.skipIf(browserPath === undefined)('the reference in a browser', { timeout: 120_000 }, () => {
  // One load for each size, because rendering the whole API takes several seconds of processor time.
  it.each(views)('opens at an operation, and shows and sends requests to this server: $name', async (view) => {
    const address = server.url + referencePath
    const labels = `${server.url}/api/v4/projects/acme%2Fweb/labels`
    const operation = `${address}#tag/labels/POST/api/v4/projects/{id}/labels`
    await visit(operation, view, async ({ page, externalRequests, consoleErrors, screenshot }) => {
      const readPage = () => page.locator('#reference').textContent()
      await page.getByRole('button', { name: /Test Request.*\(post \/api\/v4\/projects\/\{id\}\/labels\)$/i }).waitFor()
      await expect.poll(readPage, { timeout: 30_000 }).toContain(`--data-raw '{"name":"idea","color":"#D9534F"}'`)
      expect(await readPage()).toContain(labels)
      await screenshot('reference-operation')
      expect(await findAccessibilityFaults(page)).toEqual([])

      await page.getByRole('button', { name: /Test Request.*\(get \/api\/v4\/projects\/\{id\}\/labels\)$/i }).click()
      const response = page.waitForResponse((response) => response.url().startsWith(labels))
      await page.getByRole('button', { name: /^Send/ }).first().click()
      expect((await response).status()).toBe(200)
      await page.getByText('Response Headers').first().waitFor()
      await screenshot('reference-tried')
      await page.keyboard.press('Escape')

      await page.goto(`${address}#`)
      await page.getByRole('heading', { name: 'Forgelet', exact: true }).waitFor()
      await page.getByText('/api/v4/groups/{id}/access_requests', { exact: true }).first().waitFor()
      await screenshot('reference')
      expect(await horizontalOverflow(page)).toBe(0)
      const reached = await readTabOrder(page, 12)
      expect(reached.length).toBeGreaterThan(8)
      expect(new Set(reached).size).toBeGreaterThan(6)
      expect(await findAccessibilityFaults(page)).toEqual([])
      expect(externalRequests).toEqual([])
      expect(consoleErrors).toEqual([])
    })
  })
})
