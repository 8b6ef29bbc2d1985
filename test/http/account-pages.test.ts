import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newGpgKey } from '../contract/gpg-keys.ts'
import { newSshKey } from '../contract/ssh-keys.ts'
import { signIn, visitor } from '../pages/page-client.ts'

let forge: FakeForge
let cookie: string
beforeAll(async () => {
  forge = await fakeForge({ time: '2026-03-10T12:00:00Z' })
  cookie = await signIn(forge, 'alice')
})
afterAll(() => forge.close())

const visit = (path: string) => visitor(forge, cookie)(path)

const post = (path: string, fields: readonly (readonly [string, string])[], headers: Record<string, string> = {}) =>
  visitor(forge, cookie)(path, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })

/** The value of the button that removes something. */
const findValue = (text: string, name: string) =>
  new RegExp(`name="${name}" value="(?<value>\\d+)"`).exec(text)?.groups?.value ?? ''

test('a token is created with its secret, works, and is revoked', async () => {
  const created = await post('/-/account/tokens', [
    ['name', 'Laptop <1>'],
    ['scope', 'read_api'],
    ['expires_at', '2026-04-01'],
  ])
  expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const secret = /<code>(?<secret>fgpat-[^<]+)<\/code>/.exec(created.text)?.groups?.secret ?? ''
  expect((await forge.fetch('/api/v4/user', { headers: { 'PRIVATE-TOKEN': secret } })).status).toBe(200)
  const { text } = await visit('/-/account/tokens')
  expect(text).toContain('Laptop &lt;1&gt;')
  expect(text).not.toContain(secret)
  const id = text.split('Laptop')[1] ?? ''
  const revoked = await post('/-/account/tokens', [['revoke', findValue(id, 'revoke')]])
  expect([revoked.status, revoked.headers.get('location')]).toEqual([303, '/-/account/tokens'])
  expect((await forge.fetch('/api/v4/user', { headers: { 'PRIVATE-TOKEN': secret } })).status).toBe(401)
})

test('a token permits no more than the token of the session', async () => {
  const refused = await post('/-/account/tokens', [
    ['name', 'Root'],
    ['scope', 'sudo'],
  ])
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([422, true])
  const { secret } = await forge.host.tokens.create({ user: 'alice', scopes: ['api'], expiresAt: '2026-03-20' })
  const { tokens } = forge.platform.as({ token: secret })
  await expect(tokens.create({ name: 'Longer' })).rejects.toMatchObject({ code: 'invalid' })
  expect(await tokens.create({ name: 'As long', expiresAt: '2026-03-20' })).toMatchObject({ active: true })
  const { secret: reader } = await forge.host.tokens.create({ user: 'alice', scopes: ['read_api'] })
  await expect(forge.platform.as({ token: reader }).tokens.create({ name: 'More' })).rejects.toMatchObject({
    code: 'insufficient_scope',
  })
  await expect(forge.as('alice').tokens.create({ name: 'Other', impersonation: true })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('keys are added and removed, and errors are shown', async () => {
  const wrong = await post('/-/account/keys', [['key', 'no key']])
  expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([422, true])
  const added = await post('/-/account/keys', [
    ['title', 'Desk'],
    ['key', newSshKey('alice')],
  ])
  expect(added.status).toBe(303)
  expect((await post('/-/account/keys', [['gpg_key', newGpgKey('alice@example.com')]])).status).toBe(303)
  const { text } = await visit('/-/account/keys')
  expect(text).toContain('Desk')
  await post('/-/account/keys', [['remove_key', findValue(text, 'remove_key')]])
  await post('/-/account/keys', [['remove_gpg_key', findValue(text, 'remove_gpg_key')]])
  expect((await forge.as('alice').keys.list()).items).toEqual([])
  expect((await forge.as('alice').gpgKeys.list()).items).toEqual([])
})

test('the notification setting is saved', async () => {
  const saved = await post('/-/account/notifications', [
    ['level', 'custom'],
    ['event', 'newIssue'],
  ])
  expect(saved.status).toBe(303)
  expect(await forge.as('alice').notificationSettings.get()).toMatchObject({
    level: 'custom',
    events: { newIssue: true, newNote: false, failedPipeline: false },
  })
  expect((await post('/-/account/notifications', [['level', 'x']])).status).toBe(422)
})

test('the password is changed with the current one, and the session continues', async () => {
  await forge.host.passwords.set({ user: 'bob', password: 'correct horse' })
  const verify = (password: string) =>
    forge.platform.as({ service: 'sign-in' }).passwords.verify({ username: 'bob', password })
  const body = new URLSearchParams({ username: 'bob', password: 'correct horse' })
  const response = await forge.fetch('/-/sign_in', { method: 'POST', body, redirect: 'manual' })
  const session = response.headers.get('set-cookie')?.split(';', 1)[0] as string
  const change = async (current: string, password: string, confirmation = password) =>
    visitor(forge, session)('/-/account', {
      method: 'POST',
      body: new URLSearchParams({ current_password: current, password, password_confirmation: confirmation }),
    })
  expect((await visitor(forge, session)('/-/account')).text).toContain('name="current_password"')
  expect((await change('wrong', 'battery staple')).text).toContain('The current password is wrong.')
  expect((await change('correct horse', 'battery staple', 'other')).text).toContain('The new passwords differ.')
  expect((await change('correct horse', 'short')).status).toBe(422)
  await forge.clock.advance({ seconds: 1 })
  const changed = await change('correct horse', 'battery staple')
  expect([changed.status, changed.headers.get('location')]).toEqual([303, '/-/account?changed=password'])
  expect([await verify('correct horse'), (await verify('battery staple')) !== undefined]).toEqual([undefined, true])
  expect((await visitor(forge, session)('/-/account')).status).toBe(404)
  const next = changed.headers.get('set-cookie')?.split(';', 1)[0] as string
  expect((await visitor(forge, next)('/-/account')).text).toContain('@bob')
})

test('administrators create and remove applications', async () => {
  expect((await visit('/-/account/applications')).status).toBe(403)
  const root = visitor(forge, await signIn(forge, 'root'))
  const send = (fields: Readonly<Record<string, string>>) =>
    root('/-/account/applications', { method: 'POST', body: new URLSearchParams(fields) })
  const created = await send({
    name: 'Board',
    redirect_uri: 'https://board.example.com/callback',
    scope: 'openid',
    confidential: '1',
  })
  expect(created.text).toMatch(/<code>fgoas-/)
  await send({ remove: findValue(created.text, 'remove') })
  expect((await forge.host.applications.list()).items).toEqual([])
})

test('to-do items are marked as done', async () => {
  await forge.as('alice').todos.create({ project: 'acme/web', issue: 2 })
  const { pending } = await forge.as('alice').todos.count()
  const { text } = await visit('/-/todos')
  expect((await post('/-/todos', [['done', findValue(text, 'done')]])).status).toBe(303)
  expect((await forge.as('alice').todos.count()).pending).toBe(pending - 1)
})

test('forms of other sites and of visitors without an account change nothing', async () => {
  for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
    const fields = [
      ['name', 'Evil'],
      ['scope', 'api'],
    ] as const
    expect((await post('/-/account/tokens', fields, headers)).status).toBe(403)
  }
  expect((await forge.as('alice').tokens.list({ search: 'Evil' })).items).toEqual([])
  for (const path of ['', '/tokens', '/keys', '/notifications', '/applications']) {
    expect((await visitor(forge)(`/-/account${path}`)).status).toBe(404)
    const body = new URLSearchParams({ name: 'x', scope: 'api', level: 'watch', key: newSshKey('x') })
    expect((await visitor(forge)(`/-/account${path}`, { method: 'POST', body })).status).toBe(404)
  }
  expect((await post('/-/search', [['search', 'a']])).status).toBe(404)
})
