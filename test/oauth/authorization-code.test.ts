import type { FakeForge } from '@forgelet/fixtures'
import * as client from 'openid-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { type Browser, createBrowser } from './browser.ts'
import { connect, oauth, redirectUri, startSignIn } from './oauth-world.ts'
import { signIn } from './sign-in.ts'

let forge: FakeForge
let browser: Browser
beforeEach(async () => {
  forge = await world(oauth)
  browser = createBrowser(forge)
})
afterEach(() => forge.close())

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

describe('the authorization code', () => {
  test('signs in a user who signs in to the pages and consents', async () => {
    const { application, config } = await connect(forge)
    const { url, checks } = await startSignIn(config)
    const signInPage = await browser.open(url)
    expect(signInPage.url.pathname).toBe('/-/sign_in')
    const consentPage = await browser.submit(signInPage, { token: forge.token('alice') })
    expect(consentPage.status).toBe(200)
    expect(consentPage.text).toContain('<h1>Authorize Board</h1>')
    expect(consentPage.text).toContain('You are signed in as <strong>Alice Liddell</strong>')
    expect(consentPage.text).toContain('Read your e-mail address')
    const returned = await browser.submit(consentPage, { decision: 'authorize' })
    expect(returned.url.href.startsWith(redirectUri)).toBe(true)
    const tokens = await client.authorizationCodeGrant(config, returned.url, checks)
    const { id, username, email } = await forge.host.users.get({ user: 'alice' })
    expect(tokens.claims()).toMatchObject({
      iss: forge.url,
      aud: application.applicationId,
      sub: String(id),
      name: 'Alice Liddell',
      preferred_username: username,
      email,
    })
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 7_200,
      scope: 'openid profile email',
      refresh_token: expect.any(String),
      created_at: expect.any(Number),
    })
    const info = await client.fetchUserInfo(config, tokens.access_token, String(id))
    expect(info).toMatchObject({ sub: String(id), nickname: username, profile: `${forge.url}/alice` })
  })

  test('asks for consent once in a session, and again for further scopes', async () => {
    const { config } = await connect(forge)
    await signIn(browser, config)
    const { url } = await startSignIn(config)
    expect((await browser.open(url)).url.searchParams.get('code')).not.toBeNull()
    const further = await startSignIn(config, { scope: 'openid read_user' })
    expect((await browser.open(further.url)).text).toContain('Authorize Board')
  })

  test('is not issued if the user denies', async () => {
    const { config } = await connect(forge)
    await browser.signIn('alice')
    const { url, checks } = await startSignIn(config)
    const returned = await browser.submit(await browser.open(url), { decision: 'deny' })
    expect(returned.url.searchParams.get('error')).toBe('access_denied')
    await expect(client.authorizationCodeGrant(config, returned.url, checks)).rejects.toMatchObject({
      error: 'access_denied',
    })
  })

  test('works for a public application, only with PKCE', async () => {
    const { config } = await connect(forge, { confidential: false })
    expect((await signIn(browser, config)).claims()?.preferred_username).toBe('alice')
    const url = client.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope: 'openid' })
    expect((await browser.open(url)).url.searchParams.get('error')).toBe('invalid_request')
  })

  test('belongs to the user who is signed in when the user changes', async () => {
    const { config } = await connect(forge)
    await signIn(browser, config)
    const tokens = await signIn(browser, config, {}, 'bob')
    expect(tokens.claims()?.preferred_username).toBe('bob')
  })

  test('requires a new sign-in if the application asks for one', async () => {
    const { config } = await connect(forge)
    await signIn(browser, config)
    await forge.clock.advance({ seconds: 5 })
    const { url } = await startSignIn(config, { prompt: 'login' })
    expect((await browser.open(url)).url.pathname).toBe('/-/sign_in')
    const silent = await startSignIn(config, { prompt: 'none' })
    expect((await browser.open(silent.url)).url.searchParams.has('code')).toBe(true)
    browser.cookies.clear()
    expect((await browser.open(silent.url)).url.searchParams.get('error')).toBe('login_required')
  })
})

describe('an access token', () => {
  test('authenticates calls of the API with its scopes', async () => {
    const { config } = await connect(forge)
    const { access_token: token } = await signIn(browser, config, { scope: 'openid read_user' })
    const user = await forge.fetch('/api/v4/user', as(token))
    expect(await user.json()).toMatchObject({ username: 'alice' })
    expect((await forge.fetch(`/api/v4/user?access_token=${token}`)).status).toBe(200)
    expect((await forge.fetch('/api/v4/projects', as(token))).status).toBe(403)
    const full = await signIn(browser, config, { scope: 'api' })
    expect((await forge.fetch('/api/v4/projects/acme%2Ftools%2Fdeploy', as(full.access_token))).status).toBe(200)
  })

  test('shows the groups of the user', async () => {
    const { config } = await connect(forge)
    await forge.host.members.add({ group: 'acme/tools', users: ['bob'], accessLevel: 40 }).catch(() => undefined)
    const { items } = await forge.host.users.listMemberships({ user: 'bob' })
    const direct = items.filter(({ sourceType }) => sourceType === 'Namespace').map(({ sourceName }) => sourceName)
    const tokens = await signIn(browser, config, { scope: 'openid' }, 'bob')
    const idToken = tokens.claims()
    expect(idToken?.groups_direct).toHaveLength(direct.length)
    expect(idToken).not.toHaveProperty('groups')
    const info = await (await forge.fetch('/oauth/userinfo', as(tokens.access_token))).json()
    expect(info.groups).toEqual(expect.arrayContaining(['acme', 'acme/tools']))
    expect(info['https://gitlab.org/claims/groups/maintainer']).toEqual(['acme/tools'])
    expect(info).not.toHaveProperty('groups_direct')
    expect(info).not.toHaveProperty(['https://gitlab.org/claims/groups/owner'])
  })

  test('is described', async () => {
    const { application, config } = await connect(forge)
    const { access_token: token } = await signIn(browser, config, { scope: 'openid read_user' })
    const response = await forge.fetch('/oauth/token/info', as(token))
    const { id } = await forge.host.users.get({ user: 'alice' })
    expect(await response.json()).toEqual({
      resource_owner_id: id,
      scope: ['openid', 'read_user'],
      scopes: ['openid', 'read_user'],
      expires_in: expect.any(Number),
      expires_in_seconds: expect.any(Number),
      application: { uid: application.applicationId },
      created_at: expect.any(Number),
    })
    expect((await forge.fetch('/oauth/token/info', as('unknown'))).status).toBe(401)
    expect((await forge.fetch('/oauth/token/info')).status).toBe(401)
    expect((await forge.fetch('/oauth/token/info', as(forge.token('alice')))).status).toBe(401)
  })

  test('expires after two hours, and is removed after another day', async () => {
    const { config } = await connect(forge)
    const { access_token: token } = await signIn(browser, config, { scope: 'read_user' })
    const readError = async () => {
      const response = await forge.fetch('/api/v4/user', as(token))
      return [response.status, await response.json()]
    }
    await forge.clock.advance({ minutes: 121 })
    expect(await readError()).toMatchObject([401, { error: 'invalid_token' }])
    await forge.clock.advance({ hours: 23 })
    expect(await readError()).toMatchObject([401, { error: 'invalid_token' }])
    await forge.clock.advance({ days: 2 })
    expect(await readError()).toEqual([401, { message: '401 Unauthorized' }])
  })

  test('ends with the application and with the user', async () => {
    const { application, config } = await connect(forge)
    const { access_token: token } = await signIn(browser, config, { scope: 'read_user' })
    await forge.host.users.block({ user: 'alice' })
    expect((await forge.fetch('/api/v4/user', as(token))).status).toBe(403)
    await forge.host.users.unblock({ user: 'alice' })
    expect((await forge.fetch('/api/v4/user', as(token))).status).toBe(200)
    await forge.host.applications.remove({ application: application.id })
    expect((await forge.fetch('/api/v4/user', as(token))).status).toBe(401)
  })

  test('is introspected and revoked by its application', async () => {
    const { config } = await connect(forge)
    const { access_token: token } = await signIn(browser, config)
    expect(await client.tokenIntrospection(config, token)).toMatchObject({
      active: true,
      scope: 'openid profile email',
    })
    const other = await connect(forge, { name: 'Other' })
    expect(await client.tokenIntrospection(other.config, token)).toEqual({ active: false })
    await client.tokenRevocation(config, token)
    expect(await client.tokenIntrospection(config, token)).toEqual({ active: false })
  })
})

describe('a refresh token', () => {
  test('is replaced when it is used, and its second use ends all tokens', async () => {
    const { config } = await connect(forge)
    const first = await signIn(browser, config, { scope: 'read_user' })
    const second = await client.refreshTokenGrant(config, first.refresh_token as string)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await forge.fetch('/api/v4/user', as(second.access_token))).status).toBe(200)
    await expect(client.refreshTokenGrant(config, first.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await forge.fetch('/api/v4/user', as(second.access_token))).status).toBe(401)
    await expect(client.refreshTokenGrant(config, second.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('does not work for a blocked user', async () => {
    const { config } = await connect(forge)
    const { refresh_token: token } = await signIn(browser, config)
    await forge.host.users.block({ user: 'alice' })
    await expect(client.refreshTokenGrant(config, token as string)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})
