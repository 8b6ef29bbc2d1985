import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'
import type { EmailEvent } from './notification-setting.ts'
import { reasonFor } from './recipients.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const settings = (who: string) => forge.as(who).notificationSettings

describe('settings', () => {
  test('begin with participating everywhere, and nothing of their own in groups and projects', async () => {
    expect(await settings('bob').getGlobal()).toEqual({ level: 'participating', notificationEmail: 'bob@example.com' })
    expect(await settings('mallory').get({ project })).toEqual({ level: 'global' })
    expect(await settings('mallory').get({ group: 'acme' })).toEqual({ level: 'global' })
  })

  test('tell of kinds at the level custom only; what was set before appears then', async () => {
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
    // Settings are everybody's own.
    expect(await settings('alice').get({ project })).toEqual({ level: 'global' })
  })

  test('one kind by itself counts more than the same one among others', async () => {
    const { events } = await settings('bob').updateGlobal({
      level: 'custom',
      newNote: false,
      events: { newNote: true },
    })
    expect(events).toMatchObject({ newNote: false, newEpic: false })
    await using free = await fakeForge({ tier: 'free' })
    const unpaid = await free.as('bob').notificationSettings.updateGlobal({ level: 'custom', newEpic: true })
    expect(unpaid.events).not.toHaveProperty('newEpic')
  })

  test('need a level that exists, and stay as they are without change', async () => {
    const wrong = { code: 'invalid', message: "'bogus' is not a valid level" }
    await expect(settings('bob').update({ project, level: 'bogus' })).rejects.toMatchObject(wrong)
    await expect(settings('bob').updateGlobal({ level: 'bogus' })).rejects.toMatchObject(wrong)
    const long = await settings('bob')
      .updateGlobal({ level: 'x'.repeat(300) })
      .catch((error: Error) => error)
    expect((long as Error).message).toBe(`'${'x'.repeat(255)}' is not a valid level`)
    expect(await settings('bob').update({ project })).toEqual({ level: 'global' })
  })

  test('take only an address of the caller: their own or one that the host has confirmed', async () => {
    const wrong = { code: 'invalid', problems: [{ fields: ['notificationEmail'], message: 'is not an email you own' }] }
    for (const notificationEmail of ['alice@example.com', 'other@example.com', '']) {
      await expect(settings('bob').updateGlobal({ notificationEmail, level: 'watch' })).rejects.toMatchObject(wrong)
    }
    expect((await settings('bob').getGlobal()).level).toBe('participating')
    const { host } = forge
    await host.notificationSettings.addEmail({ user: 'bob', email: 'bob@home.example' })
    const taken = { code: 'conflict' }
    await expect(
      host.notificationSettings.addEmail({ user: 'alice', email: 'BOB@home.example' }),
    ).rejects.toMatchObject(taken)
    await expect(host.notificationSettings.addEmail({ user: 'bob', email: 'alice@example.com' })).rejects.toMatchObject(
      taken,
    )
    expect(await settings('bob').updateGlobal({ notificationEmail: 'Bob@Home.example' })).toEqual({
      level: 'participating',
      notificationEmail: 'bob@home.example',
    })
  })

  test('are for people who see the place', async () => {
    const hidden = settings('mallory').update({ project: 'acme/tools/deploy', level: 'watch' })
    await expect(hidden).rejects.toMatchObject({ code: 'not_found', kind: 'Project' })
    await expect(forge.platform.notificationSettings.get({ project })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(forge.host.notificationSettings.getGlobal()).rejects.toMatchObject({ code: 'forbidden' })
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
] as const)('at the level %s, somebody %j is told as %s', (level, ties, reason) => {
  expect(reasonFor(new Set(ties), { level, events: { newIssue: true } }, 'newIssue')).toBe(reason)
  if (reason === 'custom') expect(reasonFor(new Set(ties), { level, events: {} }, 'newIssue')).toBeUndefined()
})

describe('who is told', () => {
  const told = async (event: EmailEvent, input: object = {}) => {
    const found = await forge.host.notificationSettings.recipients({ project, issue: 1, event, ...input })
    return Object.fromEntries(found.map(({ user, reason }) => [user.username, reason]))
  }

  test('those who take part: author, assignees, whoever commented or was mentioned; never who did it', async () => {
    await forge.as('mallory').notes.create({ project, issue: 1, body: '@carol have you seen this?' })
    expect(await told('newNote', { actor: 'mallory' })).toEqual({
      dave: 'participating',
      bob: 'assigned',
      carol: 'participating',
    })
    expect(await told('newNote', { actor: 'dave', mentioned: ['alice', 'bob'] })).toEqual({
      alice: 'mentioned',
      bob: 'mentioned',
      carol: 'participating',
      mallory: 'participating',
    })
  })

  test('those who are subscribed to a label that it carries', async () => {
    await forge.as('mallory').labels.subscribe({ project, label: 'bug' })
    expect(await told('newIssue')).toMatchObject({ mallory: 'subscribed' })
    expect(await told('newIssue', { issue: 2 })).toEqual({ carol: 'participating', bob: 'subscribed' })
  })

  test('those who watch, as the nearest setting has it', async () => {
    await settings('mallory').update({ project, level: 'watch' })
    await settings('erin').update({ group: 'acme', level: 'watch' })
    await settings('alice').updateGlobal({ level: 'watch' })
    // Watching everything means everything of which one is a member.
    await settings('root').updateGlobal({ level: 'watch' })
    expect(await told('closeIssue')).toEqual({
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
    expect(await told('closeIssue')).toEqual({ alice: 'custom', dave: 'participating' })
    expect(await told('newNote')).toEqual({ dave: 'participating' })
  })

  test('nobody who cannot read it, or is shut out', async () => {
    await settings('mallory').update({ project, level: 'watch' })
    await settings('erin').update({ project, level: 'watch' })
    expect(await told('newIssue', { issue: 3 })).toEqual({ carol: 'participating', erin: 'watching' })
    await forge.host.users.block({ user: 'carol' })
    expect(await told('newIssue', { issue: 3 })).toEqual({ erin: 'watching' })
    const asked = forge.as('alice').notificationSettings.recipients({ project, issue: 1, event: 'newNote' })
    await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('of epics and merge requests as well, at the chosen address', async () => {
    const { host } = forge
    await host.notificationSettings.addEmail({ user: 'bob', email: 'bob@home.example' })
    await settings('bob').updateGlobal({ notificationEmail: 'bob@home.example' })
    const tell = { project, mergeRequest: 1, event: 'mergeMergeRequest' } as const
    expect(await host.notificationSettings.recipients(tell)).toMatchObject([
      { user: { username: 'alice' }, email: 'alice@example.com', reason: 'assigned' },
      { user: { username: 'bob' }, email: 'bob@home.example', reason: 'participating' },
    ])
    const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    await settings('bob').update({ group: 'acme', level: 'custom', newEpic: true })
    expect(
      await host.notificationSettings.recipients({ group: 'acme', epic: epic.id, event: 'newEpic', actor: 'alice' }),
    ).toMatchObject([{ user: { username: 'bob' }, reason: 'custom' }])
  })
})
