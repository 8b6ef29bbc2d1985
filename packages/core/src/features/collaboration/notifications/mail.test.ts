import { MailRefusedError } from '@forgelet/core'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
beforeEach(() => forge.reset())
afterAll(() => forge.close())

const project = 'acme/web'

const comment = (body: string) =>
  forge.fetch('/api/v4/projects/acme%2Fweb/issues/1/notes', {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': forge.token('carol'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ body }),
  })

test('a comment is mailed to participants as text and HTML, in the thread of the issue', async () => {
  await comment('Use **bold** text, see #2')
  const mail = await forge.mail.waitFor({ to: 'dave@example.com' })
  const { title, id } = await forge.as('dave').issues.get({ project, issue: 1 })
  expect(mail.subject).toBe(`Re: Web | ${title} (#1)`)
  expect(mail.fromName).toBe('Carol Danvers')
  expect(mail.text).toContain('Carol Danvers commented:\n\nUse **bold** text')
  expect(mail.text).toMatch(/View it: http:\/\/forge\.test\/acme\/web\/-\/issues\/1#note_\d+/)
  expect(mail.html).toContain('<strong>bold</strong>')
  expect(mail.html).toContain('href="http://forge.test/acme/web/-/issues/2"')
  expect(mail.headers).toMatchObject({
    References: `<issue.${id}@forge.test>`,
    'List-Id': 'acme/web <web.acme.forge.test>',
    'X-GitLab-Project-Path': 'acme/web',
    'X-GitLab-NotificationReason': 'participating',
    'Auto-Submitted': 'auto-generated',
  })
  expect(forge.mail.find({ to: 'carol@example.com' })).toEqual([])
})

test('the link in a mail ends the subscription, also for mail programs, and reveals nothing', async () => {
  await comment('First')
  const { headers } = await forge.mail.waitFor({ to: 'dave@example.com' })
  const url = `${headers['List-Unsubscribe']}`.slice(1, -1)
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const page = await forge.fetch(url, { headers: { Accept: 'text/html' } })
  expect(await page.text()).toContain('<form method="post"')
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect((await forge.fetch(url, { method: 'POST', body })).status).toBe(200)
  forge.mail.clear()
  await comment('Second')
  await forge.mail.drain()
  expect(forge.mail.find({ to: 'dave@example.com' })).toEqual([])
  const wrong = await forge.fetch(`${url.replace('/unsubscribe', 'x/unsubscribe')}`, { method: 'POST', body })
  expect(wrong.status).toBe(404)
})

test('a text cannot add headers', async () => {
  const { issues } = forge.as('carol')
  await issues.create({ project, title: 'One\r\nBcc: eve@example.com', assignees: ['bob'] }).catch(() => undefined)
  await forge.mail.drain()
  for (const { subject, fromName, to, headers, messageId } of forge.mail.messages)
    for (const line of [subject, fromName, to, messageId, ...Object.values(headers)]) expect(line).not.toMatch(/[\r\n]/)
})

test('a mail that fails is repeated with the same id, one that is refused is not', async () => {
  const attempts: string[] = []
  const send = async ({ to, messageId }: { readonly to: string; readonly messageId: string }) => {
    attempts.push(`${to} ${messageId}`)
    if (to === 'bob@example.com') throw new MailRefusedError('Unknown recipient')
    if (attempts.filter((one) => one.startsWith(to)).length < 3) throw new Error('The server is down')
  }
  await using other = await fakeForge({ ports: { mail: { from: 'Forge <forge@example.com>', send } } })
  await other.as('carol').notes.create({ project, issue: 1, body: 'Text' })
  for (let count = 0; count < 4; count++) {
    await other.hooks.drain()
    await other.clock.advance({ minutes: 1 })
  }
  const ofDave = attempts.filter((one) => one.startsWith('dave'))
  expect(ofDave).toHaveLength(3)
  expect(new Set(ofDave).size).toBe(1)
  expect(ofDave[0]).toContain('@example.com>')
  expect(attempts.filter((one) => one.startsWith('bob'))).toHaveLength(1)
  const stateOf = async (user: string) => (await other.as(user).notifications.list()).items[0]?.mailState
  expect([await stateOf('dave'), await stateOf('bob')]).toEqual(['sent', 'refused'])
})

test('the item must be readable when the mail is sent', async () => {
  await forge.host.issues.update({ project, issue: 1, assignees: [] })
  await forge.as('mallory').notes.create({ project, issue: 1, body: 'Mine' })
  await forge.mail.drain()
  forge.mail.clear()
  let isHidden = false
  forge.platform.on('notification.created', async ({ notification: { event } }) => {
    if (event === 'closeIssue') isHidden = true
  })
  await forge.as('dave').issues.update({ project, issue: 1, stateEvent: 'close' })
  await forge.platform.jobs.drain(() => isHidden)
  await forge.host.projects.update({ project, visibility: 'private' })
  await forge.mail.drain()
  expect(forge.mail.find({ to: 'mallory@example.com', subject: 'Re:' }).map(({ text }) => text)).toEqual([])
  expect((await forge.as('mallory').notifications.list()).items[0]?.mailState).toBe('skipped')
})
