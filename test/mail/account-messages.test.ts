import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'

/** Messages about accounts and memberships, which no setting turns off. */

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
beforeEach(() => forge.reset())
afterAll(() => forge.close())

const project = 'acme/web'
const email = 'new@example.org'

/** Recipients and subjects of what was sent since the last call. */
const sent = async () => {
  await forge.mail.drain()
  const list = forge.mail.messages.map(({ to, subject }) => `${to}: ${subject}`).sort()
  forge.mail.clear()
  return list
}

const call = (path: string, as: string, body: object) =>
  forge.fetch(`/api/v4${path}`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': forge.token(as), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const open = async (url: string, as?: string, method = 'GET') => {
  const headers = { Accept: 'text/html', ...(as !== undefined && { 'PRIVATE-TOKEN': forge.token(as) }) }
  const response = await forge.fetch(url, {
    method,
    headers,
    ...(method === 'POST' && { body: new URLSearchParams() }),
  })
  return { status: response.status, text: await response.text() }
}

test('the link in an invitation makes a signed-in user a member once', async () => {
  await call('/groups/acme%2Ftools/invitations', 'alice', { email, access_level: 30 })
  const mail = await forge.mail.waitFor({ to: email })
  expect(mail.subject).toBe('Alice Liddell invites you to join the Tools group')
  const [link = ''] = /https?:\/\/\S+\/-\/invites\/\S+/.exec(mail.text) ?? []
  const anonymous = await open(link)
  expect(anonymous.text).toContain('Sign in')
  expect(anonymous.text).not.toContain('<button type="submit">Accept')
  const { invitations } = forge.as('mallory')
  const key = link.split('/').at(-1) ?? ''
  await expect(forge.platform.invitations.accept({ key })).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(forge.as('mallory').emails.confirm({ key })).rejects.toMatchObject({ code: 'not_found' })
  await invitations.accept({ key })
  expect(await forge.host.members.get({ group: 'acme/tools', user: 'mallory' })).toMatchObject({ accessLevel: 30 })
  await expect(forge.as('carol').invitations.accept({ key })).rejects.toMatchObject({ code: 'not_found' })
  expect((await forge.host.invitations.list({ group: 'acme/tools' })).items).toEqual([])
})

test('withdrawn and expired invitations cannot be accepted', async () => {
  const invite = async (address: string) => {
    await call('/projects/acme%2Fweb/invitations', 'alice', {
      email: address,
      access_level: 30,
      expires_at: new Date(forge.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10),
    })
    const { text } = await forge.mail.waitFor({ to: address })
    return /invites\/(\S+)/.exec(text)?.[1] ?? ''
  }
  const withdrawn = await invite('one@example.org')
  const expired = await invite('two@example.org')
  await forge.host.invitations.remove({ project, email: 'one@example.org' })
  await forge.clock.advance({ days: 4 })
  for (const key of [withdrawn, expired])
    await expect(forge.as('mallory').invitations.accept({ key })).rejects.toMatchObject({ code: 'not_found' })
})

test('a request of access reaches those who decide, and its answer the user', async () => {
  await forge.as('mallory').accessRequests.create({ project })
  await forge.as('mallory').accessRequests.create({ group: 'acme' })
  expect(await sent()).toEqual([
    'alice@example.com: Request to join the Acme group',
    'alice@example.com: Request to join the Web project',
  ])
  await forge.as('alice').accessRequests.remove({ project, user: 'mallory' })
  await forge.as('alice').accessRequests.approve({ group: 'acme', user: 'mallory' })
  expect(await sent()).toEqual([
    'mallory@example.com: Access to the Acme group was granted',
    'mallory@example.com: Access to the Web project was denied',
  ])
})

test('members learn of their access, of its changes, and of its end a week before', async () => {
  const day = new Date(forge.clock.now() + 9 * 86_400_000).toISOString().slice(0, 10)
  await forge.as('alice').members.add({ project, users: ['mallory'], accessLevel: 20, expiresAt: day })
  const { text } = await forge.mail.waitFor({ to: 'mallory@example.com' })
  expect(text).toContain(`You now have Reporter access to the Web project, until ${day}.`)
  forge.mail.clear()
  await forge.as('alice').members.update({ project, user: 'mallory', accessLevel: 30 })
  expect(await sent()).toEqual(['mallory@example.com: Access to the Web project was changed'])
  for (let days = 0; days < 4; days++) await forge.clock.advance({ days: 1 })
  expect(await sent()).toEqual(['mallory@example.com: Your membership of the Web project will expire in 7 days'])
})

test('users learn of new keys and of changes of their tokens', async () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK0wmN/Cr3JXqmLW7u+g9pTh+wyqDHpSQEIQczXkVx9q laptop'
  await forge.as('bob').keys.create({ title: 'laptop', key })
  expect(await sent()).toEqual(['bob@example.com: SSH key was added to your account'])
  const { id: token } = await forge.as('bob').tokens.create({ name: 'script' })
  await forge.as('bob').tokens.rotate({ token })
  const { items } = await forge.as('bob').tokens.list({ search: 'script' })
  await forge.as('bob').tokens.revoke({ token: Math.max(...items.map(({ id }) => id)) })
  await forge.host.tokens.create({ user: 'bob', name: 'hidden', impersonation: true })
  expect(await sent()).toEqual([
    'bob@example.com: A new personal access token was created for your account',
    'bob@example.com: A personal access token of your account was revoked',
    'bob@example.com: A personal access token of your account was rotated',
  ])
})

test('tokens end with reminders 60, 30 and 7 days before, and on the day', async () => {
  const toDay = (days: number) => new Date(forge.clock.now() + days * 86_400_000).toISOString().slice(0, 10)
  const end = toDay(61)
  await forge.host.tokens.create({ user: 'bob', name: 'script', expiresAt: end })
  await forge.as('alice').accessTokens.create({ project, name: 'robot', scopes: ['api'], expiresAt: toDay(31) })
  await sent()
  const byDay = new Map<number, string[]>()
  for (const days of [1, 23, 1, 5, 1, 22, 1, 6, 1]) {
    await forge.clock.advance({ days })
    const messages = await sent()
    const left = Math.ceil((Date.parse(end) - forge.clock.now()) / 86_400_000)
    if (messages.length) byDay.set(left, messages)
  }
  const robot = (days: number) =>
    `alice@example.com: Your access tokens will expire in ${days} days or less (Web project)`
  const script = (days: number) => `bob@example.com: Your access tokens will expire in ${days} days or less`
  expect(Object.fromEntries(byDay)).toEqual({
    60: [robot(30), script(60)],
    37: [robot(7)],
    30: [script(30)],
    7: [script(7)],
    0: ['bob@example.com: Your access tokens have expired'],
  })
})

test('accounts learn of their approval and rejection, and of sign-ins from new addresses', async () => {
  const pending = { skipConfirmation: true, pendingApproval: true }
  await forge.host.users.create({ username: 'kim', email: 'kim@example.org', ...pending })
  await forge.host.users.create({ username: 'lee', email: 'lee@example.org', ...pending })
  await forge.as('root').users.approve({ user: 'kim' })
  await forge.as('root').users.reject({ user: 'lee' })
  expect(await sent()).toEqual([
    'kim@example.org: Your account was approved',
    'lee@example.org: Your account was rejected',
  ])
  await forge.host.passwords.set({ user: 'bob', password: 'remembered' })
  const signIn = (ipAddress: string) =>
    forge.platform
      .as({ system: 'sign-in' }, { ipAddress })
      .passwords.verify({ username: 'bob', password: 'remembered' })
  await signIn('192.0.2.1')
  await signIn('192.0.2.1')
  expect(await sent()).toEqual([])
  await signIn('192.0.2.2')
  expect(await sent()).toEqual(['bob@example.com: Sign-in from a new address'])
})

test('nobody is told of a project that is hidden when the message is sent', async () => {
  await forge.as('mallory').accessRequests.create({ project })
  await forge.mail.drain()
  forge.mail.clear()
  await forge.as('alice').accessRequests.remove({ project, user: 'mallory' })
  await forge.host.projects.update({ project, visibility: 'private' })
  expect(await sent()).toEqual([])
})
