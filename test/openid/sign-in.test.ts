import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, createBrowser, type Visited } from '../oauth/browser.ts'
import { newUser, provider as scimProvider } from '../scim-world.ts'
import { world } from '../world.ts'
import { createIssuer } from './issuer.ts'

/** Sign-in of users at an OpenID Connect provider: one of tests for attacks, and a real one. */

const name = 'openid_connect'
const start = `/users/auth/${name}`

type Issuer = ReturnType<typeof createIssuer>

let issuer: Issuer
let forge: FakeForge
let browser: Browser

const open = async (createUsers: boolean) => {
  issuer = createIssuer()
  const openid = { issuer: issuer.issuer, clientId: 'forge', label: 'Example', createUsers, fetch: issuer.fetch }
  forge = await world({ http: { openid } })
  browser = createBrowser(forge)
}
beforeEach(() => open(false))
afterEach(() => forge.close())

/** Starts a sign-in, and returns what the provider receives. */
const begin = async (returnTo = '/acme/web') => {
  const { url } = await browser.open(`${start}?return_to=${encodeURIComponent(returnTo)}`)
  return url.searchParams
}

const callback = (sent: URLSearchParams, changes: Readonly<Record<string, string>> = {}) =>
  browser.open(
    `${start}/callback?${new URLSearchParams({ code: 'c', state: sent.get('state') ?? '', iss: issuer.issuer, ...changes })}`,
  )

/** The whole sign-in, as the provider says it with these claims. */
const signIn = async (claims: Readonly<Record<string, unknown>> = {}, returnTo?: string) => {
  const sent = await begin(returnTo)
  issuer.say({ nonce: sent.get('nonce'), ...claims })
  return callback(sent)
}

const errorOf = ({ url }: Visited) => url.searchParams.get('error')
const isSignedIn = () => browser.cookies.has('forgelet_session')
const link = (user: string, externalUid = 'sub-1') => forge.host.identities.link({ user, provider: name, externalUid })

describe('a linked user', () => {
  test('signs in with PKCE, state and nonce, and returns to the page', async () => {
    await link('alice')
    expect((await browser.open('/-/sign_in')).text).toContain('Sign in with Example')
    const sent = await begin()
    expect(Object.fromEntries(sent)).toMatchObject({
      client_id: 'forge',
      response_type: 'code',
      redirect_uri: `${forge.url}${start}/callback`,
      code_challenge_method: 'S256',
      scope: 'openid profile email',
    })
    expect(new Set([sent.get('state'), sent.get('nonce'), sent.get('code_challenge')]).size).toBe(3)
    issuer.say({ nonce: sent.get('nonce') })
    const page = await callback(sent)
    expect([page.status, page.url.pathname]).toEqual([200, '/acme/web'])
    expect(page.text).toContain('alice')
    expect(browser.cookies.has('forgelet_openid')).toBe(false)
  })

  test('is signed out when the link ends, or the user is blocked', async () => {
    await link('alice')
    await signIn()
    expect((await browser.open('/-/profile/account')).status).not.toBe(401)
    await forge.host.identities.unlink({ user: 'alice', provider: name })
    expect((await browser.open('/acme/web')).status).toBe(401)
    await link('alice')
    await forge.host.users.block({ user: 'alice' })
    expect(errorOf(await signIn())).toBe('unlinked')
    expect(isSignedIn()).toBe(false)
  })
})

describe('a user without a link', () => {
  test('is not signed in, and not found by the e-mail address', async () => {
    expect(errorOf(await signIn({ email: 'alice@example.com' }))).toBe('unlinked')
    expect(isSignedIn()).toBe(false)
  })

  test('who was provisioned with SCIM signs in', async () => {
    await forge.host.sso.enable({ group: 'acme', provider: name })
    const { secret } = await forge.host.sso.createToken({ group: 'acme' })
    await scimProvider(forge, 'acme', secret)('POST /Users', newUser('ann'))
    expect((await signIn({ sub: 'uid-ann' })).url.pathname).toBe('/acme/web')
    expect(isSignedIn()).toBe(true)
    expect(await forge.host.identities.find({ provider: name, externalUid: 'uid-ann' })).toMatchObject({
      username: 'ann',
    })
  })

  test.each([
    [
      'of a provider with another name',
      async () => void (await forge.host.sso.enable({ group: 'acme', provider: 'other' })),
      'uid-1',
    ],
    ['whom SCIM only linked', async () => undefined, 'uid-1'],
    ['with an id in another case', async () => undefined, 'UID-1'],
  ])('%s does not sign in', async (_, change, sub) => {
    await forge.host.sso.enable({ group: 'acme', provider: name })
    await forge.host.sso.linkIdentity({ group: 'acme', user: 'bob', externalUid: 'uid-1' })
    await change()
    expect(errorOf(await signIn({ sub }))).toBe('unlinked')
  })
})

describe('with the creation of users', () => {
  beforeEach(async () => {
    await forge.close()
    await open(true)
  })

  test('a new user gets an account with a free name', async () => {
    const page = await signIn({ preferred_username: 'alice', name: 'Alice Other' })
    expect(page.url.pathname).toBe('/acme/web')
    const created = await forge.host.identities.find({ provider: name, externalUid: 'sub-1' })
    expect(created).toMatchObject({ username: 'alice1', name: 'Alice Other', email: 'new@example.com', admin: false })
    await signIn()
    expect((await forge.host.users.list({ search: 'Alice Other' })).items).toHaveLength(1)
  })

  test.each([
    ['an unverified address', { email_verified: false }, 'unlinked'],
    ['an address without a statement', { email_verified: undefined }, 'unlinked'],
    ['a statement that is a text', { email_verified: 'true' }, 'unlinked'],
    ['no address', { email: undefined }, 'unlinked'],
    ['the address of another user', { email: 'ALICE@example.com' }, 'taken'],
  ])('%s creates nothing', async (_, claims, error) => {
    await forge.host.users.update({ user: 'alice', email: 'alice@example.com' })
    const before = (await forge.host.users.list({ perPage: 100 })).items.length
    expect(errorOf(await signIn(claims))).toBe(error)
    expect((await forge.host.users.list({ perPage: 100 })).items).toHaveLength(before)
    expect(isSignedIn()).toBe(false)
  })

  test('settings of addresses apply', async () => {
    await forge.host.settings.update({ domainWhitelist: ['corp.example'] })
    expect(errorOf(await signIn())).toBe('unlinked')
  })
})

describe('attacks', () => {
  beforeEach(() => link('alice'))

  test.each([
    ['a missing nonce', { nonce: undefined }],
    ['the nonce of another sign-in', { nonce: 'other' }],
    ['the token of another issuer', { iss: 'https://evil.example' }],
    ['the token of another application', { aud: 'other' }],
    ['a token without a subject', { sub: undefined }],
  ])('%s is rejected', async (_, claims) => {
    expect(errorOf(await signIn(claims))).toBe('provider')
    expect(isSignedIn()).toBe(false)
  })

  test('a reply of another provider is rejected', async () => {
    const sent = await begin()
    issuer.say({ nonce: sent.get('nonce') })
    expect(errorOf(await callback(sent, { iss: 'https://evil.example' }))).toBe('provider')
    expect(isSignedIn()).toBe(false)
  })

  test('a wrong, missing or replayed state is rejected', async () => {
    let sent = await begin()
    issuer.say({ nonce: sent.get('nonce') })
    expect(errorOf(await callback(sent, { state: 'other' }))).toBe('provider')
    // The first reply has ended the sign-in.
    expect(errorOf(await callback(sent))).toBe('flow')
    sent = await begin()
    const victim = createBrowser(forge)
    const forged = new URLSearchParams({ code: 'c', state: sent.get('state') ?? '', iss: issuer.issuer })
    expect(errorOf(await victim.open(`${start}/callback?${forged}`))).toBe('flow')
    expect(victim.cookies.has('forgelet_session')).toBe(false)
  })

  test('a sign-in that takes too long is rejected', async () => {
    const sent = await begin()
    issuer.say({ nonce: sent.get('nonce') })
    await forge.clock.advance({ minutes: 11 })
    expect(errorOf(await callback(sent))).toBe('flow')
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'the address to return to stays on this site: %s',
    async (returnTo) => {
      expect((await signIn({}, returnTo)).url.href).toBe(`${forge.url}/`)
    },
  )

  test('a denied sign-in, and a cookie of another use, are errors', async () => {
    const sent = await begin()
    expect(errorOf(await callback(sent, { error: 'access_denied' }))).toBe('provider')
    browser.cookies.set('forgelet_openid', { value: 'x'.repeat(5_000), path: '/' })
    expect(errorOf(await callback(sent))).toBe('flow')
  })

  test('a provider that cannot be reached is asked again later', async () => {
    await forge.close()
    let isUp = false
    const fetch = async (url: string) => {
      if (!isUp) throw new TypeError('fetch failed')
      return issuer.fetch(url)
    }
    forge = await world({ http: { openid: { issuer: issuer.issuer, clientId: 'forge', fetch } } })
    browser = createBrowser(forge)
    expect(errorOf(await browser.open(start))).toBe('provider')
    isUp = true
    expect((await browser.open(start)).url.origin).toBe(issuer.issuer)
  })
})

test('an issuer without HTTPS on another machine is rejected', async () => {
  const openid = { issuer: 'http://login.example', clientId: 'forge' }
  await expect(fakeForge({ http: { openid } })).rejects.toThrow('must be a URL with https:')
})

test('a user of a real provider signs in', async () => {
  // The forge itself is one, with the package oidc-provider.
  await using directory = await fakeForge({ http: { oauth: true }, port: 0 })
  await using server = await fakeForge({ seed: {} })
  const url = 'http://forge.test'
  const { applicationId, secret } = await directory.host.applications.create({
    name: 'Forge',
    redirectUri: `${url}${start}/callback`,
    scopes: 'openid profile email',
  })
  const { fetchHandler } = await import('@forgelet/http')
  const handle = fetchHandler(server.platform, {
    baseUrl: url,
    openid: { issuer: directory.url, clientId: applicationId, clientSecret: secret, createUsers: true },
  })
  const site = createBrowser({ ...server, url, fetch: handle })
  const login = createBrowser(directory)
  await login.signIn('carol')
  const { url: authorization } = await site.open(`${url}${start}`)
  const consent = await login.open(authorization)
  const approved = consent.url.origin === url ? consent : await login.submit(consent, { decision: 'authorize' })
  const page = await site.open(approved.url)
  expect([page.status, page.url.pathname]).toEqual([200, '/'])
  expect(page.text).toContain('carol')
  expect((await server.host.users.list({ username: 'carol' })).items).toHaveLength(1)
})
