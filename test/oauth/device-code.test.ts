import type { FakeForge } from '@forgelet/fixtures'
import * as client from 'openid-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { type Browser, createBrowser } from './browser.ts'
import { connect, oauth } from './oauth-world.ts'

let forge: FakeForge
let browser: Browser
beforeEach(async () => {
  forge = await world(oauth)
  browser = createBrowser(forge)
})
afterEach(() => forge.close())

const start = async () => {
  const { config } = await connect(forge, { confidential: false, name: 'Terminal' })
  const device = await client.initiateDeviceAuthorization(config, { scope: 'openid read_user' })
  return { config, device }
}

test('a device receives tokens after the user has entered its code and consented', async () => {
  const { config, device } = await start()
  expect(device.verification_uri).toBe(`${forge.url}/oauth/device`)
  await browser.signIn('alice')
  const page = await browser.open(device.verification_uri)
  expect(page.text).toContain('<h1>Connect a device</h1>')
  const confirmation = await browser.submit(page, { user_code: device.user_code.toLowerCase() })
  expect(confirmation.text).toContain(`<code>${device.user_code}</code>`)
  expect(confirmation.text).toContain('<strong>Terminal</strong>')
  const consent = await browser.submit(confirmation, { confirm: 'yes' })
  expect(consent.text).toContain('Authorize Terminal')
  const success = await browser.submit(consent, { decision: 'authorize' })
  expect(success.text).toContain('<h1>Device connected</h1>')
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 })
  expect(tokens.claims()?.sub).toBe(String((await forge.host.users.get({ user: 'alice' })).id))
  const user = await forge.fetch('/api/v4/user', { headers: { Authorization: `Bearer ${tokens.access_token}` } })
  expect(user.status).toBe(200)
}, 30_000)

test('the code of the complete URL is filled in, without a script', async () => {
  const { device } = await start()
  const page = await browser.open(device.verification_uri_complete as string)
  expect(page.text).toContain(`value="${device.user_code}"`)
  expect(page.text).not.toContain('<script')
  const confirmation = await browser.submit(page, { user_code: device.user_code })
  const signInPage = await browser.submit(confirmation, { confirm: 'yes' })
  expect(signInPage.url.pathname).toBe('/-/sign_in')
  const consent = await browser.submit(signInPage, { token: forge.token('alice') })
  expect(consent.text).toContain('Authorize Terminal')
})

test('a rejected device receives no tokens', async () => {
  const { config, device } = await start()
  await browser.signIn('alice')
  const page = await browser.open(device.verification_uri)
  const confirmation = await browser.submit(page, { user_code: device.user_code })
  const rejected = await browser.submit(confirmation, { abort: 'yes' })
  expect(rejected.text).toContain('You have rejected the request')
  await expect(client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 })).rejects.toMatchObject({
    error: 'access_denied',
  })
})

test('an unknown code is rejected', async () => {
  await start()
  const page = await browser.open('/oauth/device')
  const rejected = await browser.submit(page, { user_code: '"><b>x' })
  expect(rejected.text).toContain('The code is unknown')
  expect(rejected.text).not.toContain('<b>x')
})
