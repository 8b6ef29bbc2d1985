import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const issue = { project: 'acme/web', issue: 1 } as const
const mergeRequest = { project: 'acme/web', mergeRequest: 1 } as const

const write = (who: string, body: string, on: typeof issue | typeof mergeRequest = issue) =>
  forge.as(who).notes.write({ ...on, body })
const comments = async (on: typeof issue | typeof mergeRequest = issue) =>
  (await forge.host.notes.list({ ...on, activityFilter: 'only_comments' })).items.map(({ body }) => body)
const idOf = async (user: string) => (await forge.host.users.get({ user })).id
const labelId = async (name: string) => (await forge.host.labels.get({ project: 'acme/web', label: name })).id

describe('on an issue', () => {
  test('a text of nothing else leaves no note', async () => {
    const before = await comments()
    expect(await write('alice', '/close')).toEqual({
      note: null,
      commandsChanges: { stateEvent: 'close' },
      summary: ['Closed this issue.'],
    })
    expect((await forge.host.issues.get(issue)).state).toBe('closed')
    expect(await comments()).toEqual(before)
  })

  test('a note is stored without them, and tells what they did', async () => {
    const { note } = await write('alice', 'Enough of it\n/title Fast\n/close\n/lock')
    expect(note).toMatchObject({
      body: 'Enough of it',
      commandsChanges: { title: 'Fast', stateEvent: 'close', discussionLocked: true },
    })
    expect(await forge.host.issues.get(issue)).toMatchObject({ title: 'Fast', state: 'closed', discussionLocked: true })
    expect(await comments()).toContain('Enough of it')
    const records = await forge.host.notes.list({ ...issue, activityFilter: 'only_activity' })
    expect(records.items.map(({ author }) => author.username)).toEqual(['alice', 'alice', 'alice'])
  })

  test('each sees what the ones before it did', async () => {
    expect(await write('alice', '/close\n/reopen\n/close\n/close')).toMatchObject({
      summary: ['Closed this issue. Reopened this issue. Closed this issue. Could not apply close command.'],
    })
    expect((await forge.host.issues.get(issue)).state).toBe('closed')
  })

  test('labels are put on, taken off and replaced; none is made', async () => {
    await forge.make.label({ project: 'acme/web', name: 'needs review' })
    await forge.host.issues.update({ ...issue, labels: [] })
    const [bug, review] = [await labelId('bug'), await labelId('needs review')]
    expect(await write('alice', '/label ~bug ~"needs review" ~nothing')).toMatchObject({
      commandsChanges: { addLabelIds: [bug, review] },
      summary: ['Added ~bug ~"needs review" labels.'],
    })
    expect(await write('alice', `/unlabel ~${bug}`)).toMatchObject({ commandsChanges: { removeLabelIds: [bug] } })
    expect((await forge.host.issues.get(issue)).labels).toEqual(['needs review'])
    expect(await write('alice', '/relabel bug')).toMatchObject({ commandsChanges: { labelIds: [bug] } })
    expect((await forge.host.issues.get(issue)).labels).toEqual(['bug'])
    expect(await write('alice', '/unlabel')).toMatchObject({ commandsChanges: { labelIds: [] } })
    for (const body of ['/unlabel', '/unlabel ~bug', '/label ~nothing', '/label']) {
      expect(await write('alice', body), body).toMatchObject({ summary: [expect.stringMatching(/^Could not apply/)] })
    }
    expect((await forge.host.issues.get(issue)).labels).toEqual([])
    await expect(forge.host.labels.get({ project: 'acme/web', label: 'nothing' })).rejects.toThrow()
  })

  test('people are assigned who can see it, beside those who are', async () => {
    await forge.host.issues.update({ ...issue, assignees: ['bob'] })
    const [alice, bob] = [await idOf('alice'), await idOf('bob')]
    expect(await write('alice', '/assign me')).toMatchObject({
      commandsChanges: { assigneeIds: [alice, bob].sort((a, b) => a - b) },
      summary: ['Assigned @alice.'],
    })
    expect(await write('alice', '/unassign @bob')).toMatchObject({ commandsChanges: { assigneeIds: [alice] } })
    expect(await write('alice', '/unassign')).toMatchObject({ commandsChanges: { assigneeIds: [] } })
    expect(await write('alice', '/unassign')).toMatchObject({ summary: ['Could not apply unassign command.'] })
    expect(await write('alice', '/assign @nobody')).toMatchObject({ summary: ['Could not apply assign command.'] })
  })

  test('the milestone is set by its title and removed', async () => {
    await forge.host.issues.update({ ...issue, milestone: null })
    expect(await write('alice', '/milestone %"1.0"')).toMatchObject({
      commandsChanges: { milestoneId: expect.any(Number) },
    })
    expect((await forge.host.issues.get(issue)).milestone?.title).toBe('1.0')
    expect(await write('alice', '/remove_milestone')).toMatchObject({ commandsChanges: { milestoneId: null } })
    expect(await write('alice', '/milestone %9.9')).toMatchObject({ summary: ['Could not apply milestone command.'] })
    expect((await forge.host.issues.get(issue)).milestone).toBeNull()
  })

  test('emoji are given, and to-do items asked for and done', async () => {
    expect(await write('bob', '/award :tada:\n/todo')).toMatchObject({
      commandsChanges: { emojiAward: 'tada', todoEvent: 'add' },
    })
    expect((await forge.host.awardEmoji.listOnIssue(issue)).items.map(({ name }) => name)).toContain('tada')
    const own = async () =>
      (await forge.as('bob').todos.list({})).items.filter(({ target }) => target.title === 'The home page is slow')
    expect(await own()).toMatchObject([{ actionName: 'marked' }])
    // Writing a note ends what was asked; what its commands ask for stays.
    await write('bob', 'Later\n/todo')
    expect(await own()).toHaveLength(1)
    await write('bob', '/done')
    expect(await own()).toEqual([])
  })

  test('whoever may not do it writes the note all the same', async () => {
    const { note } = await write('mallory', 'I want this\n/close\n/lock\n/label ~bug\n/confidential')
    expect(note).toMatchObject({ body: 'I want this', confidential: false })
    expect(note?.commandsChanges).toEqual({})
    expect(await write('mallory', '/close')).toEqual({
      note: null,
      commandsChanges: {},
      summary: ['Could not apply close command.'],
    })
    const after = await forge.host.issues.get(issue)
    expect(after).toMatchObject({ state: 'opened', discussionLocked: false, confidential: false })
  })

  test('a title that cannot be is refused, and nothing else with it', async () => {
    expect(await write('alice', `/title ${'x'.repeat(256)}\n/title\n/close`)).toMatchObject({
      commandsChanges: { stateEvent: 'close' },
    })
  })

  test('confidentiality shows on the note itself', async () => {
    expect((await write('alice', 'Hush\n/confidential')).note).toMatchObject({ confidential: true })
  })

  test('mentions in commands ask nobody', async () => {
    const { note } = await write('alice', 'Look\n/unassign @carol')
    expect(note?.body).toBe('Look')
    const asked = (await forge.as('carol').todos.list({})).items.filter(({ noteId }) => noteId === note?.id)
    expect(asked).toEqual([])
  })
})

describe('elsewhere', () => {
  test('merge requests know all but confidentiality', async () => {
    const said = '/title Cache\n/assign @bob\n/label ~bug\n/award 👍\n/lock\n/confidential\n/close'
    expect(await write('alice', said, mergeRequest)).toMatchObject({
      commandsChanges: { title: 'Cache', discussionLocked: true, emojiAward: 'thumbsup', stateEvent: 'close' },
      summary: [expect.stringContaining('Could not apply confidential command. Closed this merge request.')],
    })
    expect(await forge.host.mergeRequests.get(mergeRequest)).toMatchObject({ state: 'closed', title: 'Cache' })
  })

  test('a merged merge request is not opened again', async () => {
    await forge.host.mergeRequests.merge(mergeRequest)
    expect(await write('alice', '/reopen', mergeRequest)).toMatchObject({
      summary: ['Could not apply reopen command.'],
    })
    expect((await forge.host.mergeRequests.get(mergeRequest)).state).toBe('merged')
  })

  test('epics are closed, opened, renamed and made confidential', async () => {
    const { id: epic } = await forge.as('alice').epics.create({ group: 'acme', title: 'Conquer the world' })
    const on = { group: 'acme', epic }
    const obeyed = await forge
      .as('alice')
      .notes.write({ ...on, body: '/title All\n/label ~bug\n/confidential\n/close' })
    expect(obeyed).toMatchObject({ commandsChanges: { title: 'All', confidential: true, stateEvent: 'close' } })
    expect(await forge.host.epics.get(on)).toMatchObject({ title: 'All', confidential: true, state: 'closed' })
    expect(
      await forge.as('alice').notes.write({ ...on, body: '/reopen\n/todo\n/lock\n/assign me\n/award :tada:' }),
    ).toEqual({
      note: null,
      commandsChanges: { stateEvent: 'reopen', todoEvent: 'add' },
      summary: [expect.stringMatching(/^Reopened this epic\. Added .* Could not apply lock command\./)],
    })
  })

  test('snippets know none', async () => {
    const of = { project: 'acme/web', title: 'x', fileName: 'x', content: 'x', visibility: 'public' } as const
    const { id: snippet } = await forge.as('carol').snippets.create(of)
    const { note } = await forge.as('carol').notes.write({ project: 'acme/web', snippet, body: '/close' })
    expect(note).toMatchObject({ body: '/close' })
  })
})

test('what the host writes, and what is created as it stands, is no command', async () => {
  expect((await forge.host.notes.write({ ...issue, body: '/close', author: 'alice' })).note?.body).toBe('/close')
  expect((await forge.as('alice').notes.create({ ...issue, body: '/close' })).body).toBe('/close')
  expect((await forge.host.issues.get(issue)).state).toBe('opened')
})

test('blank texts are refused as ever', async () => {
  await expect(write('alice', ' \n')).rejects.toMatchObject({ code: 'invalid' })
})
