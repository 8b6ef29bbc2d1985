import type { FakeForge } from '@forgelet/fixtures'
import * as client from 'openid-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { type Browser, createBrowser } from './browser.ts'
import { connect, oauth, redirectUri, startSignIn } from './oauth-world.ts'
import { authorize } from './sign-in.ts'

let forge: FakeForge
let browser: Browser
beforeEach(async () => {
  forge = await world(oauth)
  browser = createBrowser(forge)
})
afterEach(() => forge.close())

const invalidGrant = { error: 'invalid_grant' }

describe('redirect URIs', () => {
  test.each([
    'https://evil.example/callback',
    'https://board.example.com/callback/other',
    'https://board.example.com/callback?x=1',
    'http://board.example.com/callback',
    'https://board.example.com.evil.example/callback',
    'https://board.example.com/callback/../../x',
    'javascript:alert(1)',
    '',
  ])('%s is not redirected to', async (uri) => {
    const { config } = await connect(forge)
    await browser.signIn('alice')
    const { url } = await startSignIn(config)
    url.searchParams.set('redirect_uri', uri)
    const { status, text, url: shown } = await browser.open(url)
    expect([status, shown.origin]).toEqual([400, forge.url])
    expect(text).toContain('<h1>Sign-in failed</h1>')
  })

  test('an unknown application and a missing one are errors', async () => {
    for (const id of ['unknown', '\0', '<b>', '']) {
      const { status, text } = await browser.open(`/oauth/authorize?${new URLSearchParams({ client_id: id })}`)
      expect([id, status]).toEqual([id, 400])
      expect(text).not.toContain('<b>')
    }
    expect((await browser.open('/oauth/authorize')).status).toBe(400)
  })
})

describe('an authorization code', () => {
  test('works once; its second use ends the tokens of the first', async () => {
    const { config } = await connect(forge)
    const { returned, checks } = await authorize(browser, config, { scope: 'read_user' })
    const tokens = await client.authorizationCodeGrant(config, returned, checks)
    await expect(client.authorizationCodeGrant(config, returned, checks)).rejects.toMatchObject(invalidGrant)
    const call = { headers: { Authorization: `Bearer ${tokens.access_token}` } }
    expect((await forge.fetch('/api/v4/user', call)).status).toBe(401)
  })

  test('works once for concurrent requests', async () => {
    const { config } = await connect(forge)
    const { returned, checks } = await authorize(browser, config)
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => client.authorizationCodeGrant(config, returned, checks)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
  })

  test('expires', async () => {
    const { config } = await connect(forge)
    const { returned, checks } = await authorize(browser, config)
    await forge.clock.advance({ minutes: 11 })
    await expect(client.authorizationCodeGrant(config, returned, checks)).rejects.toMatchObject(invalidGrant)
  })

  test('requires the verifier of the request', async () => {
    const { config } = await connect(forge)
    const { returned, checks } = await authorize(browser, config)
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const { expectedState } = checks
    await expect(
      client.authorizationCodeGrant(config, returned, { pkceCodeVerifier, expectedState }),
    ).rejects.toMatchObject(invalidGrant)
    await expect(client.authorizationCodeGrant(config, returned, { expectedState })).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('cannot be used by another application, nor with a wrong secret', async () => {
    const { config, application } = await connect(forge)
    const other = await connect(forge, { name: 'Other' })
    const { returned, checks } = await authorize(browser, config)
    const withoutIssuer = new URL(returned)
    await expect(client.authorizationCodeGrant(other.config, withoutIssuer, checks)).rejects.toMatchObject(invalidGrant)
    const body = {
      grant_type: 'authorization_code',
      code: returned.searchParams.get('code') as string,
      redirect_uri: redirectUri,
      code_verifier: checks.pkceCodeVerifier,
      client_id: application.applicationId,
    }
    for (const secret of ['wrong', application.applicationId, '']) {
      const response = await forge.fetch('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ ...body, ...(secret && { client_secret: secret }) }),
      })
      expect([secret, response.status]).toEqual([secret, 401])
      expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    }
  })
})

describe('the consent', () => {
  const openConsent = async () => {
    const { config } = await connect(forge)
    await browser.signIn('alice')
    return browser.open((await startSignIn(config)).url)
  }

  test('is not given by a form of another site', async () => {
    const { url } = await openConsent()
    const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const response = await forge.fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, Cookie: cookie } as Record<string, string>,
        body: new URLSearchParams({ decision: 'authorize' }),
      })
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
    }
  })

  test('is not given in another browser', async () => {
    const { url } = await openConsent()
    const other = createBrowser(forge)
    await other.signIn('bob')
    const { status, text } = await other.open(url)
    expect(status).toBe(400)
    expect(text).toContain('The request has expired')
  })

  test('is not given by another user', async () => {
    const { url } = await openConsent()
    await browser.signIn('bob')
    expect((await browser.open(url)).status).toBe(403)
  })

  test('cannot grant more than the token with which the user has signed in', async () => {
    const { config } = await connect(forge)
    const { secret } = await forge.host.tokens.create({ user: 'alice', scopes: ['read_api'] })
    const { url } = await startSignIn(config, { scope: 'api' })
    const page = await browser.submit(await browser.open(url), { token: secret })
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('Your session does not permit api')])
    const identity = await startSignIn(config, { scope: 'openid read_user' })
    expect((await browser.open(identity.url)).text).toContain('Authorize Board')
  })

  test('cannot grant scopes that the application does not have', async () => {
    const { config } = await connect(forge, { scopes: 'openid' })
    const { url } = await startSignIn(config, { scope: 'openid api' })
    expect((await browser.open(url)).url.searchParams.get('error')).toBe('invalid_scope')
  })

  test('shows the name of the application as text', async () => {
    const { config } = await connect(forge, { name: '<img src=x onerror=alert(1)>' })
    await browser.signIn('alice')
    const { text, headers } = await browser.open((await startSignIn(config)).url)
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text).not.toContain('<img')
    expect(headers.get('content-security-policy')).toContain("script-src 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})

test('bodies above 56 KiB are rejected', async () => {
  const body = new URLSearchParams({ code: 'x'.repeat(60_000) })
  expect((await forge.fetch('/oauth/token', { method: 'POST', body })).status).toBe(413)
})
