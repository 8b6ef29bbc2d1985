import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBrowser } from '../oauth/browser.ts'
import { connect, oauth, startSignIn } from '../oauth/oauth-world.ts'
import { world } from '../sqlite-world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world(oauth)
})
afterEach(() => forge.close())

const hidden = '/acme/tools/deploy'
const credentials = { username: 'alice', password: 'correct horse' }

test('the form for a password is shown if a user has one', async () => {
  const browser = createBrowser(forge)
  expect((await browser.open('/-/sign_in')).text).not.toContain('name="password"')
  await forge.host.passwords.set({ user: 'alice', password: credentials.password })
  const page = await browser.open(`/-/sign_in?return_to=${hidden}`)
  const rejected = await browser.submit(page, { ...credentials, password: 'wrong' })
  expect(rejected.text).toContain('role="alert">The username or the password is wrong.')
  expect(browser.cookies.size).toBe(0)
  const signedIn = await browser.submit(rejected, credentials)
  expect([signedIn.status, signedIn.url.pathname]).toEqual([200, hidden])
  expect(signedIn.text).toContain('Alice Liddell')
})

test('a session ends when the password is changed', async () => {
  await forge.host.passwords.set({ user: 'alice', password: credentials.password })
  const browser = createBrowser(forge)
  await browser.submit(await browser.open('/-/sign_in'), credentials)
  expect((await browser.open(hidden)).status).toBe(200)
  await forge.clock.advance({ seconds: 1 })
  await forge.host.passwords.set({ user: 'alice', password: 'another one' })
  expect((await browser.open(hidden)).status).toBe(404)
})

test('the session authorizes applications, and is no credential of the API', async () => {
  await forge.host.passwords.set({ user: 'alice', password: credentials.password })
  const { config } = await connect(forge)
  const browser = createBrowser(forge)
  const page = await browser.open((await startSignIn(config, { scope: 'api' })).url)
  expect(page.headers.get('content-security-policy')).not.toContain('form-action')
  const consent = await browser.submit(page, credentials)
  expect(consent.text).toContain('Authorize Board')
  const Cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  expect((await forge.fetch('/api/v4/user', { headers: { Cookie } })).status).toBe(401)
})

test('too many attempts are rejected', async () => {
  const limited = await world({ http: { ...oauth.http, rateLimits: true } })
  const attempt = () =>
    limited.fetch('/-/sign_in', { method: 'POST', body: new URLSearchParams(credentials), redirect: 'manual' })
  for (let count = 0; count < 10; count++) expect((await attempt()).status).toBe(303)
  const rejected = await attempt()
  expect([rejected.status, rejected.headers.has('retry-after')]).toEqual([429, true])
  await limited.close()
}, 30_000)
