import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import type { NotifiableEvent } from './notification-setting.ts'
import { resolveReason } from './rules.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const settings = (username: string) => forge.as(username).notificationSettings

describe('settings', () => {
  test('default to participating globally and to global for groups and projects', async () => {
    expect(await settings('bob').get()).toEqual({ level: 'participating', notificationEmail: 'bob@example.com' })
    expect(await settings('mallory').get({ project })).toEqual({ level: 'global' })
    expect(await settings('mallory').get({ group: 'acme' })).toEqual({ level: 'global' })
  })

  test('contain events at the level custom only, including events that were set before', async () => {
    const { update, get } = settings('bob')
    expect(await update({ project, newNote: true, failedPipeline: false })).toEqual({ level: 'global' })
    const { level, events } = await update({ project, level: 'custom', events: { newIssue: true, newEpic: true } })
    expect(level).toBe('custom')
    expect(events).toMatchObject({ newNote: true, newIssue: true, closeIssue: false })
    expect(events).toMatchObject({ failedPipeline: false, fixedPipeline: true, successPipeline: false })
    // Projects have no epics.
    expect(Object.keys(events ?? {})).toHaveLength(15)
    expect(await update({ project, level: 'watch' })).toEqual({ level: 'watch' })
    expect(await get({ project })).toEqual({ level: 'watch' })
    const inGroup = await update({ group: 'acme', level: 'custom', newEpic: true })
    expect(inGroup.events).toMatchObject({ newEpic: true, newNote: false, failedPipeline: true })
    // Other users are not affected.
    expect(await settings('alice').get({ project })).toEqual({ level: 'global' })
  })

  test('a top-level event takes precedence over one in events', async () => {
    const { events } = await settings('bob').update({
      level: 'custom',
      newNote: false,
      events: { newNote: true },
    })
    expect(events).toMatchObject({ newNote: false, newEpic: false })
    await using free = await fakeForge({ tier: 'free' })
    const unpaid = await free.as('bob').notificationSettings.update({ level: 'custom', newEpic: true })
    expect(unpaid.events).not.toHaveProperty('newEpic')
  })

  test('reject an unknown level; an empty update changes nothing', async () => {
    const wrong = { code: 'invalid', message: "'bogus' is not a valid level" }
    await expect(settings('bob').update({ project, level: 'bogus' })).rejects.toMatchObject(wrong)
    await expect(settings('bob').update({ level: 'bogus' })).rejects.toMatchObject(wrong)
    const long = await settings('bob')
      .update({ level: 'x'.repeat(300) })
      .catch((error: Error) => error)
    expect((long as Error).message).toBe(`'${'x'.repeat(255)}' is not a valid level`)
    expect(await settings('bob').update({ project })).toEqual({ level: 'global' })
  })

  test('accept only confirmed addresses of the caller', async () => {
    const wrong = { code: 'invalid', problems: [{ fields: ['notificationEmail'], message: 'is not an email you own' }] }
    for (const notificationEmail of ['alice@example.com', 'other@example.com', '']) {
      await expect(settings('bob').update({ notificationEmail, level: 'watch' })).rejects.toMatchObject(wrong)
    }
    expect((await settings('bob').get()).level).toBe('participating')
    const { host } = forge
    await host.notificationSettings.addEmail({ user: 'bob', email: 'bob@home.example' })
    const conflict = { code: 'conflict' }
    await expect(
      host.notificationSettings.addEmail({ user: 'alice', email: 'BOB@home.example' }),
    ).rejects.toMatchObject(conflict)
    await expect(host.notificationSettings.addEmail({ user: 'bob', email: 'alice@example.com' })).rejects.toMatchObject(
      conflict,
    )
    expect(await settings('bob').update({ notificationEmail: 'Bob@Home.example' })).toEqual({
      level: 'participating',
      notificationEmail: 'bob@home.example',
    })
  })

  test('require a user who can see the container', async () => {
    const hidden = settings('mallory').update({ project: 'acme/tools/deploy', level: 'watch' })
    await expect(hidden).rejects.toMatchObject({ code: 'not_found', kind: 'Project' })
    await expect(forge.platform.notificationSettings.get({ project })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(forge.host.notificationSettings.get()).rejects.toMatchObject({ code: 'forbidden' })
    await forge.host.projects.archive({ project })
    await expect(settings('bob').update({ project, level: 'watch' })).resolves.toEqual({ level: 'watch' })
  })
})

test.each([
  ['disabled', ['mentioned', 'assigned', 'watching'], undefined],
  ['mention', ['mentioned'], 'mentioned'],
  ['mention', ['assigned', 'participating', 'watching'], undefined],
  ['participating', ['watching'], undefined],
  ['participating', ['subscribed', 'watching'], 'subscribed'],
  ['participating', ['participating', 'assigned'], 'assigned'],
  ['global', ['participating'], 'participating'],
  ['watch', ['watching'], 'watching'],
  ['watch', ['mentioned', 'watching'], 'mentioned'],
  ['custom', ['watching'], 'custom'],
  ['custom', ['participating', 'watching'], 'participating'],
  ['mention', ['participating', 'subscribed'], 'subscribed'],
  ['disabled', ['subscribed'], undefined],
] as const)('level %s with the reasons %j resolves to %s', (level, reasons, reason) => {
  expect(resolveReason(new Set(reasons), { level, events: { newIssue: true } }, 'newIssue')).toBe(reason)
  if (reason === 'custom') expect(resolveReason(new Set(reasons), { level, events: {} }, 'newIssue')).toBeUndefined()
})

test.each(['mention', 'participating', 'watch', 'custom', 'global'] as const)(
  'at level %s, only mentions notify a user who has unsubscribed',
  (level) => {
    const setting = { level, events: { newIssue: true } }
    const reasons = ['assigned', 'participating', 'subscribed', 'watching'] as const
    expect(resolveReason(new Set(reasons), setting, 'newIssue', true)).toBeUndefined()
    expect(resolveReason(new Set([...reasons, 'mentioned']), setting, 'newIssue', true)).toBe('mentioned')
  },
)

describe('recipients', () => {
  const recipients = async (event: NotifiableEvent, input: object = {}) => {
    const rows = await forge.host.notificationSettings.listRecipients({ project, issue: 1, event, ...input })
    return Object.fromEntries(rows.map(({ user, reason }) => [user.username, reason]))
  }

  test('include the author, assignees, commenters and mentioned users, but not the actor', async () => {
    await forge.as('mallory').notes.create({ project, issue: 1, body: '@carol have you seen this?' })
    expect(await recipients('newNote', { actor: 'mallory' })).toEqual({
      dave: 'participating',
      bob: 'assigned',
      carol: 'participating',
    })
    expect(await recipients('newNote', { actor: 'dave', mentioned: ['alice', 'bob'] })).toEqual({
      alice: 'mentioned',
      bob: 'mentioned',
      carol: 'participating',
      mallory: 'participating',
    })
  })

  test('include users who subscribed to the item, and those who unsubscribed only when mentioned', async () => {
    const mallory = forge.as('mallory').subscriptions
    await settings('mallory').update({ project, level: 'mention' })
    await mallory.subscribe({ project, issue: 1 })
    expect(await recipients('newNote')).toMatchObject({ mallory: 'subscribed' })
    expect(await recipients('newNote', { actor: 'mallory' })).not.toHaveProperty('mallory')
    await settings('mallory').update({ project, level: 'disabled' })
    expect(await recipients('newNote')).not.toHaveProperty('mallory')
    await forge.as('bob').subscriptions.unsubscribe({ project, issue: 1 })
    await settings('bob').update({ project, level: 'watch' })
    expect(await recipients('newNote')).toEqual({ dave: 'participating' })
    expect(await recipients('newNote', { mentioned: ['bob'] })).toMatchObject({ bob: 'mentioned' })
    expect(await recipients('newNote', { issue: 2 })).toMatchObject({ bob: 'watching' })
  })

  test('include subscribers and reviewers of merge requests', async () => {
    const ref = { project, mergeRequest: 1 }
    const list = async () => {
      const rows = await forge.host.notificationSettings.listRecipients({ ...ref, event: 'pushToMergeRequest' })
      return Object.fromEntries(rows.map(({ user, reason }) => [user.username, reason]))
    }
    expect(await list()).toEqual({ alice: 'assigned', bob: 'participating' })
    await forge.as('mallory').subscriptions.subscribe(ref)
    await forge.as('alice').subscriptions.unsubscribe(ref)
    await forge.as('bob').mergeRequests.update({ ...ref, reviewers: ['carol'] })
    expect(await list()).toEqual({ bob: 'participating', carol: 'participating', mallory: 'subscribed' })
  })

  test('include subscribers of labels that the event assigned', async () => {
    await forge.as('mallory').labels.subscribe({ project, label: 'bug' })
    expect(await recipients('newIssue')).toMatchObject({ mallory: 'subscribed' })
    expect(await recipients('newIssue', { issue: 2 })).toEqual({ carol: 'participating', bob: 'subscribed' })
    // Not of every event on an item with the label.
    expect(await recipients('closeIssue')).not.toHaveProperty('mallory')
    expect(await recipients('relabel')).toEqual({ mallory: 'subscribed' })
    expect(await recipients('relabel', { labels: ['bug'], mentioned: ['alice'] })).toEqual({ mallory: 'subscribed' })
    expect(await recipients('relabel', { labels: ['feature'] })).toEqual({})
    await forge.as('mallory').subscriptions.subscribe({ project, issue: 1 })
    await forge.as('mallory').subscriptions.unsubscribe({ project, issue: 1 })
    expect(await recipients('relabel')).toEqual({})
  })

  test('are nobody where emails are turned off, for the project or a group above', async () => {
    const { host } = forge
    expect(await recipients('newNote')).not.toEqual({})
    await host.projects.update({ project, settings: { emailsDisabled: true } })
    expect(await recipients('newNote', { mentioned: ['alice'] })).toEqual({})
    await host.projects.update({ project, settings: { emailsDisabled: false } })
    expect(await recipients('newNote')).not.toEqual({})
    await host.groups.update({ group: 'acme', settings: { emailsDisabled: true } })
    expect(await recipients('newNote', { mentioned: ['alice'] })).toEqual({})
    const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    const ofEpic = { group: 'acme', epic: epic.iid, event: 'newEpic' } as const
    expect(await host.notificationSettings.listRecipients(ofEpic)).toEqual([])
  })

  test('include the direct members of a mentioned group, unless it cannot be mentioned', async () => {
    const mentioned = ['acme']
    const members = await forge.host.members.list({ group: 'acme' })
    const names = members.items.map(({ username }) => username)
    expect(names.length).toBeGreaterThan(1)
    const reasons = await recipients('newNote', { mentioned })
    for (const name of names) expect(reasons).toMatchObject({ [name]: 'mentioned' })
    await forge.host.groups.update({ group: 'acme', settings: { mentionsDisabled: true } })
    expect(Object.values(await recipients('newNote', { mentioned }))).not.toContain('mentioned')
    await expect(recipients('newNote', { mentioned: ['no/such'] })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('include watchers according to the nearest setting', async () => {
    await settings('mallory').update({ project, level: 'watch' })
    await settings('erin').update({ group: 'acme', level: 'watch' })
    await settings('alice').update({ level: 'watch' })
    // Global watching covers only projects and groups of which the user is a member.
    await settings('root').update({ level: 'watch' })
    expect(await recipients('closeIssue')).toEqual({
      alice: 'watching',
      bob: 'assigned',
      dave: 'participating',
      erin: 'watching',
      mallory: 'watching',
    })
    await settings('erin').update({ project, level: 'mention' })
    await settings('alice').update({ group: 'acme', level: 'custom', closeIssue: true })
    await settings('bob').update({ group: 'acme', level: 'disabled' })
    await settings('mallory').update({ project, level: 'global' })
    expect(await recipients('closeIssue')).toEqual({ alice: 'custom', dave: 'participating' })
    expect(await recipients('newNote')).toEqual({ dave: 'participating' })
  })

  test('exclude users who cannot read the target and blocked users', async () => {
    await settings('mallory').update({ project, level: 'watch' })
    await settings('erin').update({ project, level: 'watch' })
    expect(await recipients('newIssue', { issue: 3 })).toEqual({ carol: 'participating', erin: 'watching' })
    await forge.host.users.block({ user: 'carol' })
    expect(await recipients('newIssue', { issue: 3 })).toEqual({ erin: 'watching' })
    const result = forge.as('alice').notificationSettings.listRecipients({ project, issue: 1, event: 'newNote' })
    await expect(result).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('are found for epics and merge requests, with the chosen address', async () => {
    const { host } = forge
    await host.notificationSettings.addEmail({ user: 'bob', email: 'bob@home.example' })
    await settings('bob').update({ notificationEmail: 'bob@home.example' })
    const input = { project, mergeRequest: 1, event: 'mergeMergeRequest' } as const
    expect(await host.notificationSettings.listRecipients(input)).toMatchObject([
      { user: { username: 'alice' }, email: 'alice@example.com', reason: 'assigned' },
      { user: { username: 'bob' }, email: 'bob@home.example', reason: 'participating' },
    ])
    const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    await settings('bob').update({ group: 'acme', level: 'custom', newEpic: true })
    expect(
      await host.notificationSettings.listRecipients({
        group: 'acme',
        epic: epic.iid,
        event: 'newEpic',
        actor: 'alice',
      }),
    ).toMatchObject([{ user: { username: 'bob' }, reason: 'custom' }])
  })
})
