import type { FakeForge } from '@forgelet/fixtures'
import * as client from 'openid-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { type Browser, createBrowser } from './browser.ts'
import { connect, oauth, redirectUri } from './oauth-world.ts'
import { signIn } from './sign-in.ts'

let forge: FakeForge
let browser: Browser
beforeEach(async () => {
  forge = await world(oauth)
  browser = createBrowser(forge)
})
afterEach(() => forge.close())

const start = async () => {
  const { config } = await connect(forge)
  const { id_token } = await signIn(browser, config)
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: id_token as string,
    post_logout_redirect_uri: redirectUri,
    state: 'left',
  })
  return { config, url }
}

test('an application signs out the user, who returns to it', async () => {
  const { url } = await start()
  const page = await browser.open(url)
  expect(page.text).toContain('Board asks to sign you out of Forgelet.')
  const returned = await browser.submit(page, { logout: 'yes' })
  expect(returned.url.href).toBe(`${redirectUri}?state=left`)
  expect(browser.cookies.has('forgelet_session')).toBe(false)
  expect((await browser.open('/acme/tools/deploy')).status).toBe(404)
})

test('the user can stay signed in', async () => {
  const { url } = await start()
  const page = await browser.open(url)
  expect(page.text).toContain('<button type="submit">Stay signed in</button>')
  const returned = await browser.submit(page, { xsrf: /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] as string })
  expect(returned.url.href).toBe(`${redirectUri}?state=left`)
  expect((await browser.open('/acme/tools/deploy')).status).toBe(200)
})

test('a user who has signed out on the pages confirms without a script', async () => {
  const { url } = await start()
  browser.cookies.delete('forgelet_session')
  const page = await browser.open(url)
  expect(page.text).not.toContain('<script')
  expect((await browser.submit(page, { logout: 'yes' })).url.href).toBe(`${redirectUri}?state=left`)
})

test('other addresses are not redirected to', async () => {
  const { url } = await start()
  url.searchParams.set('post_logout_redirect_uri', 'https://evil.example/')
  expect((await browser.open(url)).status).toBe(400)
})

test('without an address the user sees a page', async () => {
  await start()
  const page = await browser.open('/oauth/logout')
  const left = await browser.submit(page, { logout: 'yes' })
  expect([left.status, left.url.pathname]).toEqual([200, '/oauth/logout/success'])
  expect(left.text).toContain('<h1>Signed out</h1>')
})

test('a forged confirmation is rejected', async () => {
  await start()
  const page = await browser.open('/oauth/logout')
  expect((await browser.submit(page, { logout: 'yes', xsrf: 'forged' })).status).toBe(400)
  expect(browser.cookies.has('forgelet_session')).toBe(true)
})
