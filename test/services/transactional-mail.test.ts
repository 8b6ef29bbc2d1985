import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { smtpMail } from '@forgelet/core'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Every kind of message about accounts and memberships, through a real mail server. */

const received = new Map<string, string>()
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, { envelope }, done) {
    buffer(stream).then((data) => {
      const text = data.toString('utf8')
      const [, subject = ''] = /^Subject: (.*(?:\r\n .*)*)$/m.exec(text) ?? []
      received.set(`${envelope.rcptTo[0]?.address}: ${subject.replaceAll('\r\n', '')}`, text)
      done()
    }, done)
  },
})

let forge: FakeForge
beforeAll(async () => {
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const mail = smtpMail({
    url: `smtp://127.0.0.1:${port}`,
    from: 'forge@example.com',
    siteUrl: 'https://forge.example',
    tls: 'off',
  })
  forge = await fakeForge({ ports: { mail } })
})
afterAll(async () => {
  await forge.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

const project = 'acme/web'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK0wmN/Cr3JXqmLW7u+g9pTh+wyqDHpSQEIQczXkVx9q laptop'
const pending = { skipConfirmation: true, pendingApproval: true }
const toDay = (days: number) => new Date(forge.clock.now() + days * 86_400_000).toISOString().slice(0, 10)
const asPage = (path: string, form: Record<string, string>) =>
  forge.fetch(path, { method: 'POST', headers: { Accept: 'text/html' }, body: new URLSearchParams(form) })
const signIn = (ipAddress: string) =>
  forge.platform.as({ system: 'sign-in' }, { ipAddress }).passwords.verify({ username: 'bob', password: 'remembered' })

/** Recipient and subject of a message, and what causes it. */
const messages: readonly (readonly [message: string, cause: () => Promise<unknown>])[] = [
  [
    'bob@home.example: Confirmation instructions',
    () =>
      forge.fetch('/api/v4/user/emails', {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': forge.token('bob'), 'Content-Type': 'application/json' },
        body: '{"email":"bob@home.example"}',
      }),
  ],
  [
    'bob@example.com: Reset password instructions',
    async () => {
      await forge.host.passwords.set({ user: 'bob', password: 'remembered' })
      await asPage('/-/password/new', { email: 'bob@example.com' })
    },
  ],
  [
    'new@example.org: Alice Liddell invites you to join the Web project',
    () => forge.as('alice').invitations.create({ project, emails: ['new@example.org'], accessLevel: 30 }),
  ],
  [
    'alice@example.com: Request to join the Acme group',
    () => forge.as('mallory').accessRequests.create({ group: 'acme' }),
  ],
  [
    'mallory@example.com: Access to the Acme group was granted',
    () => forge.as('alice').accessRequests.approve({ group: 'acme', user: 'mallory' }),
  ],
  [
    'zoey@example.com: Access to the Web project was denied',
    async () => {
      await forge.host.users.create({ username: 'zoey', email: 'zoey@example.com', skipConfirmation: true })
      await forge.as('zoey').accessRequests.create({ project })
      await forge.as('alice').accessRequests.remove({ project, user: 'zoey' })
    },
  ],
  [
    'zoey@example.com: Access to the Web project was granted',
    () => forge.as('alice').members.add({ project, users: ['zoey'], accessLevel: 20, expiresAt: toDay(8) }),
  ],
  [
    'zoey@example.com: Access to the Web project was changed',
    () => forge.as('alice').members.update({ project, user: 'zoey', accessLevel: 30 }),
  ],
  ['bob@example.com: SSH key was added to your account', () => forge.as('bob').keys.create({ title: 'laptop', key })],
  [
    'bob@example.com: A new personal access token was created for your account',
    () => forge.as('bob').tokens.create({ name: 'script', expiresAt: toDay(8) }),
  ],
  [
    'bob@example.com: A personal access token of your account was rotated',
    async () => {
      const { id: token } = await forge.as('bob').tokens.create({ name: 'other' })
      await forge.as('bob').tokens.rotate({ token })
    },
  ],
  [
    'bob@example.com: A personal access token of your account was revoked',
    async () => {
      const { id: token } = await forge.as('bob').tokens.create({ name: 'third' })
      await forge.as('bob').tokens.revoke({ token })
    },
  ],
  [
    'bob@example.com: Sign-in from a new address',
    async () => {
      await signIn('192.0.2.1')
      await signIn('192.0.2.2')
    },
  ],
  [
    'kim@example.org: Your account was approved',
    async () => {
      await forge.host.users.create({ username: 'kim', email: 'kim@example.org', ...pending })
      await forge.as('root').users.approve({ user: 'kim' })
    },
  ],
  [
    'lee@example.org: Your account was rejected',
    async () => {
      await forge.host.users.create({ username: 'lee', email: 'lee@example.org', ...pending })
      await forge.as('root').users.reject({ user: 'lee' })
    },
  ],
  // Both reminders are due after a day.
  ['bob@example.com: Your access tokens will expire in 7 days or less', () => forge.clock.advance({ days: 1 })],
  ['zoey@example.com: Your membership of the Web project will expire in 7 days', async () => undefined],
  ['bob@example.com: Your access tokens have expired', () => forge.clock.advance({ days: 8 })],
]

test('each kind of message arrives once, as text and HTML, with an id of its own', async () => {
  for (const [message, cause] of messages) {
    await cause()
    await forge.hooks.drain()
    expect([...received.keys()]).toContain(message)
    const text = received.get(message) ?? ''
    for (const line of [
      /^From: .*<?forge@example\.com>?\r$/m,
      /^Message-ID: <account\.[0-9a-f]+@forge\.example>|^Message-ID: <[\w.-]+@forge\.example>/m,
      /^Auto-Submitted: auto-generated\r$/m,
      /^Content-Type: text\/plain/m,
      /^Content-Type: text\/html/m,
    ])
      expect([message, text]).toEqual([message, expect.stringMatching(line)])
  }
  const ids = [...received.values()].map((text) => /^Message-ID: (.*)$/m.exec(text)?.[1])
  expect(new Set(ids).size).toBe(received.size)
})
