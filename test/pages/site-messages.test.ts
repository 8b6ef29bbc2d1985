import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { signIn, visitor } from './page-client.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ time: '2026-03-10T12:00:00Z' })
})
afterEach(() => forge.close())

const colors = { messageBackgroundColor: '#000000', messageFontColor: '#eeeeee' }

describe('the appearance', () => {
  test('has a header and a footer in its colors, also on the pages of sign-in and of errors', async () => {
    const { appearances } = forge.host
    await appearances.update({ headerMessage: 'Read **this** <b>', footerMessage: '[Help](/help)', ...colors })
    for (const path of ['/', '/-/sign_in', '/nothing/here']) {
      const { text, headers } = await visitor(forge)(path)
      expect(text).toMatch(
        /<aside aria-label="Messages"><div class="instance-message"><p[^>]*>Read <strong>this<\/strong>/,
      )
      expect(text).toContain('>Help</a>')
      expect(text).toContain('.instance-message a{background:#000000;color:#eeeeee}')
      expect(headers.get('content-security-policy')).toMatch(/style-src 'self' 'sha256-[\w+/]{43}='/)
    }
    await appearances.update({ headerMessage: '', footerMessage: '' })
    const { text, headers } = await visitor(forge)('/')
    expect(text).not.toContain('<style>')
    expect(headers.get('content-security-policy')).not.toContain('sha256')
  })

  test('shows its messages after the end of a session, too', async () => {
    await forge.host.appearances.update({ headerMessage: 'Read **this**' })
    const { id, secret } = await forge.host.tokens.create({ user: 'alice', name: 'page', scopes: ['read_api'] })
    const body = new URLSearchParams({ token: secret })
    const response = await forge.fetch('/-/sign_in', { method: 'POST', body, redirect: 'manual' })
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0]
    await forge.host.tokens.revoke({ token: id })
    const { status, text } = await visitor(forge, cookie)('/')
    expect([status, text.includes('Read **this**')]).toEqual([401, true])
  })

  test('has pictures', async () => {
    const content = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
    const picture = { fileName: 'a.gif', content }
    const before = (await visitor(forge)('/-/sign_in')).text
    expect(before).not.toContain('<img')
    await forge.host.appearances.update({ logo: picture, headerLogo: picture, favicon: picture, pwaIcon: picture })
    const { text } = await visitor(forge)('/-/sign_in')
    const path = '/uploads/-/system/appearance'
    expect(text).toContain(`<link rel="icon" href="${path}/favicon/1/a.gif">`)
    for (const name of ['logo', 'header_logo']) expect(text).toContain(`<img src="${path}/${name}/1/a.gif"`)
    expect((await visitor(forge)('/-/manifest.json')).text).toContain(`${path}/pwa_icon/1/a.gif`)
  })

  test('has guidelines for users who can add members', async () => {
    await forge.host.appearances.update({ memberGuidelines: 'Ask *Ada* first' })
    const sees = async (user: string) =>
      (await visitor(forge, await signIn(forge, user))('/acme/web/-/project_members')).text.includes('<em>Ada</em>')
    expect([await sees('alice'), await sees('root'), await sees('dave')]).toEqual([true, true, false])
  })

  test('names the application that browsers install', async () => {
    await forge.host.appearances.update({ pwaName: 'Forge of Acme', pwaShortName: 'Acme' })
    const response = await forge.fetch('/-/manifest.json')
    expect(response.headers.get('content-type')).toContain('application/manifest+json')
    expect(await response.json()).toMatchObject({ name: 'Forge of Acme', short_name: 'Acme', start_url: '/' })
  })
})

describe('a broadcast message', () => {
  const create = (input: Partial<Parameters<FakeForge['host']['broadcastMessages']['create']>[0]> = {}) =>
    forge.host.broadcastMessages.create({ message: 'Closed **today**', ...input })
  const sees = async (path: string, cookie?: string) =>
    (await visitor(forge, cookie)(path)).text.includes('<strong>today</strong>')

  test('is shown while it is active', async () => {
    await create({ startsAt: '2026-03-10T13:00:00Z', endsAt: '2026-03-10T14:00:00Z', theme: 'light-red' })
    expect(await sees('/')).toBe(false)
    await forge.clock.advance({ hours: 1 })
    const { text } = await visitor(forge)('/')
    expect(text).toMatch(/<aside aria-label="Messages"><div class="broadcast light-red">/)
    await forge.clock.advance({ hours: 1 })
    expect(await sees('/')).toBe(false)
  })

  test('is a notification after the content', async () => {
    await create({ broadcastType: 'notification' })
    const { text } = await visitor(forge)('/')
    expect(text).toMatch(/<\/main>\s*<aside aria-label="Notifications"><div class="notifications">/)
  })

  test.each([
    ['/acme/*', ['/acme/web', '/acme/web/-/issues'], ['/', '/acme']],
    ['ACME/web', ['/acme/web'], ['/acme/web/-/issues']],
    ['*/-/issues', ['/acme/web/-/issues'], ['/acme/web']],
  ])('is shown on the pages of the path %s', async (targetPath, shown, hidden) => {
    await create({ targetPath })
    for (const path of shown) expect([path, await sees(path)]).toEqual([path, true])
    for (const path of hidden) expect([path, await sees(path)]).toEqual([path, false])
  })

  test('is for members with its levels, on pages of their project or group', async () => {
    await create({ targetAccessLevels: [50] })
    const owner = await signIn(forge, 'alice')
    for (const path of ['/acme', '/acme/web', '/acme/web/-/issues', '/groups/acme/-/issues'])
      expect([path, await sees(path, owner)]).toEqual([path, true])
    for (const path of ['/', '/bob', '/-/todos']) expect([path, await sees(path, owner)]).toEqual([path, false])
    expect(await sees('/acme/web')).toBe(false)
    expect(await sees('/acme/web', await signIn(forge, 'carol'))).toBe(false)
  })

  test('can be hidden in a browser, if it permits that', async () => {
    const { id } = await create({ dismissable: true })
    const fixed = await create({ message: 'Always *here*' })
    const page = await visitor(forge)('/acme/web')
    expect(page.text).toContain(`name="hide" value="${id}"`)
    expect(page.text).not.toContain(`name="hide" value="${fixed.id}"`)
    const hide = (value: number, cookie = '') =>
      forge.fetch('/-/broadcast_messages', {
        method: 'POST',
        body: new URLSearchParams({ hide: String(value), return_to: '/acme/web' }),
        headers: { Cookie: cookie },
        redirect: 'manual',
      })
    const response = await hide(id)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/acme/web'])
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
    const both = (await hide(fixed.id, cookie)).headers.get('set-cookie')?.split(';', 1)[0]
    expect(both).toBe(`forgelet_hidden_messages=${id}.${fixed.id}`)
    const { text } = await visitor(forge, both)('/acme/web')
    expect([text.includes('<strong>today</strong>'), text.includes('<em>here</em>')]).toEqual([false, true])
    const foreign = { method: 'POST', headers: { Origin: 'https://evil.example' } }
    expect((await forge.fetch('/-/broadcast_messages', foreign)).status).toBe(403)
  })
})
