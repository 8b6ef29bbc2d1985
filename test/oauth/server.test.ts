import { PlatformError } from '@forgelet/core'
import { fakeForge } from '@forgelet/fixtures'
import { fetchHandler } from '@forgelet/http'
import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { connect, redirectUri } from './oauth-world.ts'
import { signIn } from './sign-in.ts'

const oauth = { oauth: true }

test('the metadata names the endpoints, below any base URL', async () => {
  await using forge = await fakeForge()
  const handle = fetchHandler(forge.platform, { ...oauth, baseUrl: 'https://example.com/forge' })
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    const response = await handle(`https://example.com/forge/.well-known/${name}`)
    expect(await response.json()).toMatchObject({
      issuer: 'https://example.com/forge',
      authorization_endpoint: 'https://example.com/forge/oauth/authorize',
      token_endpoint: 'https://example.com/forge/oauth/token',
      revocation_endpoint: 'https://example.com/forge/oauth/revoke',
      introspection_endpoint: 'https://example.com/forge/oauth/introspect',
      userinfo_endpoint: 'https://example.com/forge/oauth/userinfo',
      jwks_uri: 'https://example.com/forge/oauth/discovery/keys',
      device_authorization_endpoint: 'https://example.com/forge/oauth/authorize_device',
      end_session_endpoint: 'https://example.com/forge/oauth/logout',
      code_challenge_methods_supported: ['S256'],
    })
  }
})

test('the whole sign-in works below a base URL with HTTPS', async () => {
  await using forge = await fakeForge()
  const url = 'https://example.com/forge'
  const handle = fetchHandler(forge.platform, { ...oauth, baseUrl: url })
  const site = { ...forge, url, fetch: handle }
  const browser = createBrowser(site)
  const { config } = await connect(site)
  const tokens = await signIn(browser, config)
  expect(tokens.claims()?.iss).toBe(url)
  const response = await handle(`${url}/oauth/authorize?client_id=x`, { headers: { Accept: 'text/html' } })
  expect(response.status).toBe(400)
})

test('cookies are sent over HTTPS only, and only to this site', async () => {
  await using forge = await fakeForge()
  const url = 'https://example.com/forge'
  const handle = fetchHandler(forge.platform, { ...oauth, baseUrl: url })
  const { applicationId } = await forge.host.applications.create({ name: 'Board', redirectUri, scopes: 'openid' })
  const query = new URLSearchParams({
    client_id: applicationId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
  })
  const response = await handle(`${url}/oauth/authorize?${query}`, {
    redirect: 'manual',
    headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' },
  })
  const cookies = response.headers.getSetCookie()
  expect(cookies.length).toBeGreaterThan(1)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; path=\/forge\//i)
    expect(cookie).toMatch(/; secure/i)
    expect(cookie).toMatch(/; httponly/i)
    expect(cookie).toMatch(/; samesite=lax/i)
  }
  expect(response.headers.get('location')).toMatch(/^\/forge\/oauth\/interactions\//)
})

test('keys are generated once and stored encrypted', async () => {
  await using forge = await fakeForge({ http: oauth })
  const readKeys = async (handle: typeof forge.fetch) =>
    (await (await handle(`${forge.url}/oauth/discovery/keys`)).json()) as { keys: readonly Record<string, string>[] }
  const first = await readKeys(forge.fetch)
  const [key] = first.keys
  expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' })
  expect(Object.keys(key ?? {})).not.toContain('d')
  expect(await readKeys(fetchHandler(forge.platform, { ...oauth, baseUrl: forge.url }))).toEqual(first)
  const results = await Promise.all([1, 2, 3].map(() => forge.host.oauthProvider.getKeys()))
  expect(new Set(results.map(({ cookieKey }) => cookieKey)).size).toBe(1)
})

test('without the option there are no such routes', async () => {
  await using forge = await fakeForge()
  for (const path of ['/oauth/token', '/.well-known/openid-configuration', '/oauth/token/info'])
    expect((await forge.fetch(path, { headers: { Accept: 'application/json' } })).status).toBe(404)
})

test('without a key for secrets the provider is not available', async () => {
  const fail = () => {
    throw new PlatformError('unavailable', 'No key for secrets is configured', { reason: 'no_secret_key' })
  }
  await using forge = await fakeForge({ http: oauth, seed: {}, ports: { secrets: { seal: fail, open: fail } } })
  const response = await forge.fetch('/oauth/discovery/keys')
  expect([response.status, await response.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }])
})

test('tokens and keys are not stored in readable form', async () => {
  await using forge = await fakeForge({ http: oauth })
  const { config, application } = await connect(forge)
  const tokens = await signIn(createBrowser(forge), config)
  const tables = ['oauth_application', 'oauth_record', 'instance_key']
  const rows = await forge.platform.atomic((_, __, sql) =>
    Promise.all(tables.map((name) => sql(`select * from ${name}`))),
  )
  expect(rows.every(({ length }) => length > 0)).toBe(true)
  const text = JSON.stringify(rows)
  const { cookieKey, signingKey } = await forge.host.oauthProvider.getKeys()
  for (const secret of [tokens.access_token, tokens.refresh_token, application.secret, cookieKey, signingKey.d])
    expect(text).not.toContain(secret)
})

test('the host identifies the user instead of the pages', async () => {
  await using forge = await fakeForge()
  let user: string | undefined
  const handle = fetchHandler(forge.platform, {
    ...oauth,
    baseUrl: forge.url,
    identify: () => (user === undefined ? null : { user }),
  })
  const site = { ...forge, fetch: handle }
  const browser = createBrowser(site)
  const { config } = await connect(site)
  const url = client.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope: 'openid profile' })
  const page = await browser.open(url)
  expect([page.status, page.text]).toEqual([401, expect.stringContaining('Sign in to this site first')])
  user = 'carol'
  const returned = await browser.submit(await browser.open(url), { decision: 'authorize' })
  const tokens = await client.authorizationCodeGrant(config, returned.url, {})
  expect(tokens.claims()?.preferred_username).toBe('carol')
})

test('preflight requests of browsers are answered', async () => {
  await using forge = await fakeForge({ http: oauth })
  const response = await forge.fetch('/oauth/token', {
    method: 'OPTIONS',
    headers: { Origin: 'https://board.example.com', 'Access-Control-Request-Method': 'POST' },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-methods')).toContain('POST')
})

test('expired records are removed daily', async () => {
  await using forge = await fakeForge({ http: oauth })
  const { oauthProvider } = forge.host
  await oauthProvider.store({ model: 'Session', id: 'short', payload: {}, expiresIn: 60 })
  await oauthProvider.store({ model: 'Session', id: 'long', payload: {}, expiresIn: 40 * 86_400 })
  await forge.clock.advance({ days: 2 })
  await forge.platform.jobs.drain()
  const rows = await forge.platform.atomic((_, __, sql) => sql('select model from oauth_record'))
  expect(rows.length).toBe(1)
})
