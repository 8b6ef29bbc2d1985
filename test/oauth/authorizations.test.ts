import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { type Browser, createBrowser } from './browser.ts'
import { connect, oauth } from './oauth-world.ts'
import { signIn } from './sign-in.ts'

let forge: FakeForge
let browser: Browser
beforeEach(async () => {
  forge = await world(oauth)
  browser = createBrowser(forge)
})
afterEach(() => forge.close())

const readUser = async (token: string) =>
  (await forge.fetch('/api/v4/user', { headers: { Authorization: `Bearer ${token}` } })).status

test('a user sees the applications with access to the account, and revokes it', async () => {
  const { config } = await connect(forge)
  const { access_token: token } = await signIn(browser, config, { scope: 'openid read_user' })
  expect(await readUser(token)).toBe(200)
  const page = await browser.open('/-/account')
  const [application] = (await forge.as('alice').applications.listAuthorized()).items
  expect(page.text).toContain(`aria-label="Revoke ${application?.name}"`)
  expect((await forge.as('bob').applications.listAuthorized()).items).toEqual([])
  const stranger = forge.as('bob').applications.revoke({ application: application?.id ?? 0 })
  await expect(stranger).rejects.toMatchObject({ code: 'not_found' })
  expect(await readUser(token)).toBe(200)
  const after = await browser.submit(page, { revoke: String(application?.id) })
  expect(after.text).not.toContain('aria-label="Revoke')
  expect(await readUser(token)).toBe(401)
})
