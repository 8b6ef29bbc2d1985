import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
beforeEach(() => forge.reset())
afterAll(() => forge.close())

/** Pages for browsers. */
const open = async (path: string, form?: Record<string, string>) => {
  const init = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
  const response = await forge.fetch(path, { headers: { Accept: 'text/html' }, ...init })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const linkIn = (text: string) => {
  const [link = ''] = /https?:\/\/\S+/.exec(text) ?? []
  return link
}

const requestReset = (email: string) => open('/-/password/new', { email })
const canSignIn = async (password: string) =>
  (await forge.host.passwords.verify({ username: 'bob', password })) !== undefined

test('a link in a mail sets a new password once, and the request does not reveal whether a user exists', async () => {
  await forge.host.passwords.set({ user: 'bob', password: 'forgotten' })
  expect((await open('/-/sign_in')).text).toContain('href="/-/password/new"')
  const known = await requestReset('BOB@example.com')
  const unknown = await requestReset('nobody@example.com')
  expect(known.text).toBe(unknown.text)
  const mail = await forge.mail.waitFor({ subject: 'Reset password' })
  expect(mail.to).toBe('bob@example.com')
  expect(forge.mail.messages).toHaveLength(1)
  const link = linkIn(mail.text)
  const page = await open(link)
  expect(page.text).toContain('autocomplete="new-password"')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect((await open(link, { password: 'short' })).status).toBe(400)
  expect((await open(link, { password: 'remembered' })).status).toBe(200)
  expect(await canSignIn('remembered')).toBe(true)
  expect(await canSignIn('forgotten')).toBe(false)
  expect((await open(link, { password: 'stolen again' })).status).toBe(404)
})

test('a link ends after six hours, with a new password, and is of no use for another purpose', async () => {
  await forge.host.passwords.set({ user: 'bob', password: 'forgotten' })
  await requestReset('bob@example.com')
  const { text } = await forge.mail.waitFor({ to: 'bob@example.com' })
  const key = linkIn(text).split('/').at(-2) ?? ''
  await expect(forge.as('bob').emails.confirm({ key })).rejects.toMatchObject({ code: 'not_found' })
  await expect(forge.as('bob').notifications.unsubscribe({ key })).rejects.toMatchObject({ code: 'not_found' })
  await forge.clock.advance({ hours: 7 })
  expect((await open(linkIn(text), { password: 'too late!' })).status).toBe(404)
  forge.mail.clear()
  await requestReset('bob@example.com')
  const again = await forge.mail.waitFor({ to: 'bob@example.com' })
  await forge.host.passwords.set({ user: 'bob', password: 'changed meanwhile' })
  expect((await open(linkIn(again.text), { password: 'too late!' })).status).toBe(404)
})

test('blocked users and bots receive no link, and forms of other sites send none', async () => {
  await forge.host.users.block({ user: 'bob' })
  await requestReset('bob@example.com')
  const foreign = await forge.fetch('/-/password/new', {
    method: 'POST',
    headers: { Origin: 'https://evil.example', Accept: 'text/html' },
    body: new URLSearchParams({ email: 'alice@example.com' }),
  })
  expect(foreign.status).toBe(403)
  await forge.mail.drain()
  expect(forge.mail.messages).toEqual([])
})

test('an address that a user adds is confirmed by the link in a mail to it', async () => {
  const { id } = await forge.as('bob').emails.create({ email: 'bob@home.example' })
  await forge.mail.drain()
  // A call of the library has no site.
  expect(forge.mail.messages).toEqual([])
  await forge.as('bob').emails.remove({ emailId: id })
  const response = await forge.fetch('/api/v4/user/emails', {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': forge.token('bob'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'bob@home.example' }),
  })
  expect(await response.json()).toMatchObject({ email: 'bob@home.example' })
  const { text } = await forge.mail.waitFor({ to: 'bob@home.example', subject: 'Confirmation' })
  expect((await open(linkIn(text))).text).toContain('<form method="post"')
  const confirmed = async () =>
    (await forge.as('bob').emails.list()).items.map(({ confirmedAt }) => confirmedAt !== null)
  expect(await confirmed()).toEqual([false])
  expect((await open(linkIn(text), {})).status).toBe(200)
  expect(await confirmed()).toEqual([true])
  await forge.host.emails.create({ user: 'alice', email: 'alice@home.example', skipConfirmation: true })
  forge.mail.clear()
  await forge.mail.drain()
  expect(forge.mail.messages).toEqual([])
})
