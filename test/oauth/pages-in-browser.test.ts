import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, findAccessibilityFaults, horizontalOverflow, views, visit } from '../pages/browser.ts'

let forge: FakeForge
let application: Server
let redirectUri: string

beforeAll(async () => {
  application = createServer((_, response) => response.end('Welcome back')).listen(0, '127.0.0.1')
  await once(application, 'listening')
  redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
  forge = await fakeForge({ port: 0, http: { oauth: true } })
  const name = 'Board <b>of</b> directors'
  await forge.host.applications.create({ name, redirectUri, scopes: 'openid email api', applicationId: 'board' })
  await forge.host.passwords.set({ user: 'alice', password: 'correct horse' })
}, 60_000)
afterAll(async () => {
  await forge.close()
  application.close()
})

const assertGood = async (page: Page) => {
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await horizontalOverflow(page)).toBe(0)
}

describe.skipIf(browserPath === undefined)('in a browser', () => {
  it.each(views)(
    'a user signs in with a password, consents and returns to the application: $name',
    async (view) => {
      const query = new URLSearchParams({
        client_id: 'board',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email api',
      })
      await visit(`${forge.url}/oauth/authorize?${query}`, view, async ({ page, consoleErrors, screenshot }) => {
        await assertGood(page)
        await page.fill('#username', 'alice')
        await page.fill('#password', 'correct horse')
        await page.click('form:has(#password) button')
        await page.waitForURL(/oauth\/interactions/)
        expect(await page.textContent('h1')).toBe('Authorize Board <b>of</b> directors')
        await assertGood(page)
        await screenshot('consent')
        await page.click('button[value=authorize]')
        await page.waitForURL(/callback\?code=/)
        expect(await page.textContent('body')).toBe('Welcome back')

        await page.goto(`${forge.url}/oauth/device`)
        await assertGood(page)
        await screenshot('device')
        await page.goto(`${forge.url}/oauth/logout`)
        await assertGood(page)
        await page.click('button[value=yes]')
        await page.waitForURL(/logout\/success/)
        await assertGood(page)
        expect(consoleErrors).toEqual([])
      })
    },
    120_000,
  )
})
