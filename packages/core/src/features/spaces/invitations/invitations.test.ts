import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const group = 'acme'
const email = 'kim@example.org'
const flushListeners = () => new Promise((resolve) => setImmediate(resolve))
const levelOf = async (user: string, of: { project: string } | { group: string }) =>
  (await forge.host.members.get({ ...of, user })).accessLevel
const invitedTo = async (of: { project: string } | { group: string }) =>
  (await forge.host.invitations.list(of)).items.map(({ inviteEmail }) => inviteEmail)

test('a new user with an invited address becomes a member, and the host learns of invitations', async () => {
  const created: string[] = []
  forge.platform.on('invitation.created', ({ invitation }) => void created.push(invitation.inviteEmail))
  const { invitations } = forge.as('alice')
  const grant = { accessLevel: 20, expiresAt: '2099-01-31T10:00:00Z' }
  expect(await invitations.create({ project, emails: [email], ...grant })).toEqual({ status: 'success', errors: {} })
  await invitations.create({ group, emails: ['Kim@Example.org'], accessLevel: 10 })
  await flushListeners()
  expect(created).toEqual([email, 'Kim@Example.org'])
  expect((await invitations.list({ project })).items).toMatchObject([
    { inviteEmail: email, accessLevel: 20, expiresAt: '2099-01-31', createdByName: 'Alice Liddell' },
  ])
  await forge.host.users.create({ username: 'kim', email: 'KIM@example.org' })
  expect(await levelOf('kim', { group })).toBe(10)
  expect(await levelOf('kim', { project })).toBe(20)
  expect(await invitedTo({ project })).toEqual([])
  expect(await invitedTo({ group })).toEqual([])
})

test('a user with a new confirmed address becomes a member', async () => {
  const { invitations } = forge.as('alice')
  await forge.as('mallory').emails.create({ email: 'mallory@home.example' })
  const emails = ['mallory@home.example', 'mallory@work.example', 'mallory@new.example']
  for (const [index, project] of (['acme/web', 'acme/tools/deploy'] as const).entries())
    await forge.host.invitations.create({ project, emails: [emails[index] as string], accessLevel: 30 })
  await invitations.create({ group, emails: [emails[2] as string], accessLevel: 20 })
  // The address is not confirmed.
  expect(await invitedTo({ project })).toEqual(['mallory@home.example'])
  await forge.host.notificationSettings.addEmail({ user: 'mallory', email: 'mallory@home.example' })
  expect(await levelOf('mallory', { project })).toBe(30)
  await forge.host.emails.create({ user: 'mallory', email: 'mallory@work.example', skipConfirmation: true })
  expect(await levelOf('mallory', { project: 'acme/tools/deploy' })).toBe(30)
  await forge.host.users.update({ user: 'mallory', email: 'mallory@new.example' })
  expect(await levelOf('mallory', { group })).toBe(20)
})

test('users become members at once, by id, primary and confirmed address', async () => {
  const { id } = await forge.host.users.get({ user: 'mallory' })
  const { invitations } = forge.as('alice')
  const result = await invitations.create({
    project,
    users: [id, 999_999],
    emails: ['ERIN@example.com'],
    accessLevel: 30,
  })
  expect(result).toEqual({ status: 'error', errors: { 999999: 'User not found' } })
  expect(await levelOf('mallory', { project })).toBe(30)
  expect(await levelOf('erin', { project })).toBe(30)
  expect(await invitedTo({ project })).toEqual([])
})

test('each address has its own result', async () => {
  const { invitations } = forge.as('alice')
  await invitations.create({ project, emails: [email], accessLevel: 30 })
  const emails = [email, 'no address', '__proto__', 'dave@example.com', 'new@example.org', 'NEW@example.org']
  const { status, errors } = await invitations.create({ project, emails, accessLevel: 10 })
  expect(status).toBe('error')
  expect(Object.entries(errors)).toEqual([
    [email, 'Invite email has already been taken'],
    ['no address', 'Invite email is invalid'],
    ['__proto__', 'Invite email is invalid'],
    ['dave@example.com', 'User already exists in source'],
  ])
  expect(await invitedTo({ project })).toEqual([email, 'NEW@example.org'])
})

test('levels follow the rules of members', async () => {
  const { invitations } = forge.as('alice')
  const rejected = { [email]: 'Access level is not included in the list' }
  for (const accessLevel of [0, 15, 50])
    expect((await invitations.create({ project, emails: [email], accessLevel })).errors).toEqual(rejected)
  const of = { group, email }
  await invitations.create({ group, emails: [email], accessLevel: 50 })
  await expect(invitations.update({ ...of, accessLevel: 60 })).rejects.toMatchObject({ code: 'invalid' })
  expect(await invitations.update({ ...of, accessLevel: 40, expiresAt: '2099-01-31' })).toMatchObject({
    accessLevel: 40,
    expiresAt: '2099-01-31',
  })
  expect(await invitations.update({ ...of, expiresAt: null })).toMatchObject({ accessLevel: 40, expiresAt: null })
  await invitations.remove(of)
  await expect(invitations.remove(of)).rejects.toMatchObject({ code: 'not_found' })
})

test('expired invitations, and those below an inherited level, grant nothing', async () => {
  const { invitations } = forge.as('alice')
  await invitations.create({ group, emails: [email], accessLevel: 30 })
  await invitations.create({ project, emails: [email], accessLevel: 20 })
  await forge.host.invitations.create({
    project: 'acme/tools/deploy',
    emails: [email],
    accessLevel: 40,
    expiresAt: '2020-01-01',
  })
  await forge.host.users.create({ username: 'kim', email })
  expect(await levelOf('kim', { group })).toBe(30)
  for (const below of ['acme/web', 'acme/tools/deploy']) {
    await expect(levelOf('kim', { project: below })).rejects.toMatchObject({ code: 'not_found' })
    expect(await invitedTo({ project: below })).toEqual([])
  }
})

test('a job accepts the invitations of an address with very many of them', async () => {
  const count = 60
  for (let index = 0; index < count; index++) {
    const { id } = await forge.host.groups.create({ path: `group-${index}` })
    await forge.host.invitations.create({ group: id, emails: [email], accessLevel: 30 })
  }
  const { id } = await forge.host.users.create({ username: 'kim', email })
  await forge.platform.jobs.drain()
  const { items } = await forge.host.users.listMemberships({ user: id, perPage: 100 })
  expect(items).toHaveLength(count)
})

test('invitations end with their project, and stay without their author', async () => {
  await forge.host.users.create({ username: 'helper' })
  await forge.host.members.add({ project, users: ['helper'], accessLevel: 40 })
  await forge.as('helper').invitations.create({ project, emails: [email], accessLevel: 30 })
  await forge.host.users.remove({ user: 'helper' })
  expect((await forge.host.invitations.list({ project })).items).toMatchObject([{ createdByName: null }])
  await forge.host.projects.remove({ project })
  await forge.host.users.create({ username: 'kim', email })
  expect((await forge.host.users.listMemberships({ user: 'kim' })).items).toEqual([])
})

test('seed data can contain invitations', async () => {
  await forge.seed({
    groups: [{ path: 'open', invitations: [{ email, access: 'owner' }] }],
    projects: [{ path: 'open/house', invitations: [{ email, access: 'guest', expiresAt: '2099-01-31' }] }],
  })
  expect(await invitedTo({ group: 'open' })).toEqual([email])
  expect((await forge.host.invitations.list({ project: 'open/house' })).items).toMatchObject([
    { accessLevel: 10, expiresAt: '2099-01-31' },
  ])
})
