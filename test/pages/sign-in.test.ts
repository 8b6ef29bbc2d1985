import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { fetchHandler } from '@forgelet/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { browserHeaders, signIn, visitor } from './page-client.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ time: '2026-03-10T12:00:00Z' })
})
afterEach(() => forge.close())

const hidden = '/acme/tools/deploy'

const post = (
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  path = '/-/sign_in',
) => forge.fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

const readCookie = (response: Response) => response.headers.get('set-cookie')?.split(';', 1)[0] as string

test('the page shows the title and the description of the appearance', async () => {
  await forge.host.appearances.update({ title: 'Forge of <Acme>', description: 'Ask the help desk.' })
  const { text } = await visitor(forge)('/-/sign_in')
  expect(text).toContain('<h1>Forge of &lt;Acme&gt;</h1>')
  expect(text).toContain('<p dir="auto">Ask the help desk.</p>')
})

describe('the sign-in with a token', () => {
  test('stores it encrypted in a cookie that only pages read', async () => {
    const response = await post({ token: ` ${forge.token('alice')} `, return_to: hidden })
    expect([response.status, response.headers.get('location')]).toEqual([303, hidden])
    expect(response.headers.get('set-cookie')).toMatch(
      /^forgelet_session=s1\.[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    )
    const cookie = readCookie(response)
    expect(cookie).not.toContain('alice-token')
    const page = await visitor(forge, cookie)(hidden)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Alice Liddell')
    const api = await forge.fetch('/api/v4/user', { headers: { Cookie: cookie } })
    expect(api.status).toBe(401)
    const project = await forge.fetch('/api/v4/projects/acme%2Ftools%2Fdeploy', { headers: { Cookie: cookie } })
    expect(project.status).toBe(404)
    const token = { 'PRIVATE-TOKEN': forge.token('alice') }
    expect((await visitor(forge)(hidden, { headers: token })).status).toBe(404)
  })

  test('sends the cookie over HTTPS only if the site has HTTPS', async () => {
    const handle = fetchHandler(forge.platform, { baseUrl: 'https://example.com/forge' })
    const response = await handle('https://example.com/forge/-/sign_in', {
      method: 'POST',
      body: new URLSearchParams({ token: forge.token('alice') }),
    })
    expect(response.headers.get('location')).toBe('/forge/')
    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/forge\/; .*; Secure$/)
  })

  test.each([
    ['', 'token'],
    ['unknown', 'token'],
    ['x'.repeat(5_000), 'token'],
  ])('rejects the token %j', async (token, error) => {
    const response = await post({ token })
    expect(response.headers.get('location')).toBe(`/-/sign_in?error=${error}&return_to=%2F`)
    expect(response.headers.get('set-cookie')).toBeNull()
    const { text } = await visitor(forge)(`/-/sign_in?error=${error}`)
    expect(text).toContain('role="alert">The token is unknown, expired or revoked.')
  })

  test('rejects a token that does not permit reading', async () => {
    const { secret } = await forge.host.tokens.create({ user: 'alice', name: 'git', scopes: ['read_repository'] })
    const response = await post({ token: secret })
    expect(response.headers.get('location')).toContain('error=scope')
  })

  test('ends for copies of the cookie when the user signs out', async () => {
    const cookie = await signIn(forge, 'alice')
    const other = await signIn(forge, 'alice')
    const seen = async (value: string) => (await visitor(forge, value)(hidden)).status
    expect(await seen(cookie)).toBe(200)
    await forge.fetch('/-/sign_out', { method: 'POST', headers: { Cookie: cookie }, redirect: 'manual' })
    expect([await seen(cookie), await seen(other)]).toEqual([404, 200])
  })

  test('returns only to pages of this site', async () => {
    const token = forge.token('alice')
    for (const path of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/a\nb\\c',
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r/evil.example',
      '/.//evil.example',
      '/%2Fevil.example/-/tags/x',
      '',
    ]) {
      const response = await post({ token, return_to: path })
      expect([path, response.headers.get('location')]).toEqual([path, '/'])
    }
  })

  test('rejects forms of other sites', async () => {
    const token = forge.token('alice')
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: forge.url },
    ]) {
      for (const path of ['/-/sign_in', '/-/sign_out']) {
        const response = await post({ token }, headers, path)
        expect([headers, response.status, response.headers.get('set-cookie')]).toEqual([headers, 403, null])
      }
    }
    expect((await post({ token }, { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' })).status).toBe(303)
    expect((await post({ token }, { Origin: forge.url })).status).toBe(303)
  })

  test('rejects large forms', async () => {
    expect((await post({ token: 'x'.repeat(20_000) })).status).toBe(413)
  })
})

describe('a session', () => {
  test('ends with the sign-out, and the page offers to sign in again', async () => {
    const response = await post({}, { Cookie: await signIn(forge, 'alice') }, '/-/sign_out')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect(response.headers.get('set-cookie')).toMatch(/^forgelet_session=; Path=\/; Max-Age=0/)
    expect((await visitor(forge, readCookie(response))(hidden)).text).toContain('Sign in')
  })

  test('ends when the token is revoked', async () => {
    const { id, secret } = await forge.host.tokens.create({ user: 'alice', name: 'page', scopes: ['read_api'] })
    const cookie = readCookie(await post({ token: secret }))
    expect((await visitor(forge, cookie)(hidden)).status).toBe(200)
    await forge.host.tokens.revoke({ token: id })
    const { status, title, headers } = await visitor(forge, cookie)(hidden)
    expect([status, title]).toEqual([401, 'Session ended'])
    expect(headers.get('set-cookie')).toMatch(/^forgelet_session=;/)
  })

  test('ends after the seven days of the setting session_expire_delay', async () => {
    const cookie = await signIn(forge, 'alice')
    await forge.clock.advance({ days: 6 })
    expect((await visitor(forge, cookie)(hidden)).status).toBe(200)
    await forge.clock.advance({ days: 1 })
    expect((await visitor(forge, cookie)(hidden)).status).toBe(404)
  })

  test('is not created by a changed cookie', async () => {
    const cookie = await signIn(forge, 'alice')
    const changed = `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`
    for (const value of [
      changed,
      'forgelet_session=',
      'forgelet_session=s1.x.y',
      `forgelet_session=${'a'.repeat(9_000)}`,
    ]) {
      const { status } = await visitor(forge, value)(hidden)
      expect([value.slice(0, 40), status]).toEqual([value.slice(0, 40), 404])
    }
    expect((await visitor(forge, `a=b; ${cookie}; c=d`)(hidden)).status).toBe(200)
  })
})

describe('the users of a test server', () => {
  test('can be chosen', async () => {
    const { text } = await visitor(forge)('/-/sign_in')
    expect(text).toContain('<button type="submit" name="user" value="bob">bob</button>')
    expect(text).not.toContain('bob-token')
    const cookie = readCookie(await post({ user: 'bob' }))
    expect((await visitor(forge, cookie)('/bob/notes')).status).toBe(200)
    expect((await post({ user: 'toString' })).headers.get('location')).toContain('error=token')
  })

  test('are hidden without a control plane, and from clients that may not use it', async () => {
    await using plain = await fakeForge({ control: false })
    await using locked = await fakeForge({ control: { token: 'control' } })
    await using served = await fakeForge({ port: 0 })
    const forwarded = { ...browserHeaders, 'X-Forwarded-For': '203.0.113.9' }
    const texts = [
      (await visitor(plain)('/-/sign_in')).text,
      (await visitor(locked)('/-/sign_in')).text,
      await (await fetch(`${served.url}/-/sign_in`, { headers: forwarded })).text(),
    ]
    for (const text of texts) expect(text).not.toContain('name="user"')
    const response = await plain.fetch('/-/sign_in', {
      method: 'POST',
      body: new URLSearchParams({ user: 'bob' }),
      redirect: 'manual',
    })
    expect(response.headers.get('location')).toContain('error=token')
  })
})

describe('the sign-in of the host', () => {
  test('replaces that of the pages', async () => {
    const handle = fetchHandler(forge.platform, {
      identify: async (header) => (header('x-user') === undefined ? null : { user: header('x-user') as string }),
    })
    const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      handle(`http://forge.test${path}`, { headers: { ...browserHeaders, ...headers }, redirect: 'manual' })
    expect((await get(hidden, { 'x-user': 'alice' })).status).toBe(200)
    const anonymous = await get(hidden, { Cookie: await signIn(forge, 'alice') })
    expect(anonymous.status).toBe(404)
    expect(await anonymous.text()).not.toContain('sign_in')
    expect((await get('/-/sign_in')).status).toBe(404)
  })
})
