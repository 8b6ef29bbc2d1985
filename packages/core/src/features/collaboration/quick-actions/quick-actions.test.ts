import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const issue = { project: 'acme/web', issue: 1 } as const
const mergeRequest = { project: 'acme/web', mergeRequest: 1 } as const

const write = (username: string, body: string, on: typeof issue | typeof mergeRequest = issue) =>
  forge.as(username).notes.create({ ...on, body })
const comments = async (on: typeof issue | typeof mergeRequest = issue) =>
  (await forge.host.notes.list({ ...on, activityFilter: 'only_comments' })).items.map(({ body }) => body)
const idOf = async (user: string) => (await forge.host.users.get({ user })).id
const labelId = async (name: string) => (await forge.host.labels.get({ project: 'acme/web', label: name })).id

describe('on an issue', () => {
  test('a text of quick actions only creates no note', async () => {
    const before = await comments()
    expect(await write('alice', '/close')).toEqual({
      id: null,
      commandsChanges: { stateEvent: 'close' },
      summary: ['Closed this issue.'],
    })
    expect((await forge.host.issues.get(issue)).state).toBe('closed')
    expect(await comments()).toEqual(before)
  })

  test('are removed from the note, which reports their changes', async () => {
    const note = await write('alice', 'Enough of it\n/title Fast\n/close\n/lock')
    expect(note).toMatchObject({
      body: 'Enough of it',
      commandsChanges: { title: 'Fast', stateEvent: 'close', discussionLocked: true },
    })
    expect(await forge.host.issues.get(issue)).toMatchObject({ title: 'Fast', state: 'closed', discussionLocked: true })
    expect(await comments()).toContain('Enough of it')
    const records = await forge.host.notes.list({ ...issue, activityFilter: 'only_activity' })
    expect(records.items.map(({ author }) => author.username)).toEqual(['alice', 'alice', 'alice'])
  })

  test('sets and removes the weight', async () => {
    expect(await write('alice', '/weight 4')).toMatchObject({
      commandsChanges: { weight: 4 },
      summary: ['Set weight to 4.'],
    })
    expect((await forge.host.issues.get(issue)).weight).toBe(4)
    for (const argument of ['', '-1', 'four', '4000000000'])
      expect(await write('alice', `/weight ${argument}`)).toMatchObject({
        summary: ['Could not apply weight command.'],
      })
    expect(await write('alice', '/clear_weight\n/clear_weight')).toMatchObject({
      commandsChanges: { weight: null },
      summary: ['Cleared weight. Could not apply clear_weight command.'],
    })
    expect((await forge.host.issues.get(issue)).weight).toBeNull()
    const records = await forge.host.notes.list({ ...issue, activityFilter: 'only_activity', sort: 'asc' })
    expect(records.items.slice(-2).map(({ body }) => body)).toEqual(['changed weight to **4**', 'removed the weight'])
  })

  test('each quick action sees the changes of the previous ones', async () => {
    expect(await write('alice', '/close\n/reopen\n/close\n/close')).toMatchObject({
      summary: ['Closed this issue. Reopened this issue. Closed this issue. Could not apply close command.'],
    })
    expect((await forge.host.issues.get(issue)).state).toBe('closed')
  })

  test('adds, removes and replaces labels, but creates none', async () => {
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

  test('assigns and unassigns users who can read the issue', async () => {
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

  test('sets the milestone by title and removes it', async () => {
    await forge.host.issues.update({ ...issue, milestone: null })
    expect(await write('alice', '/milestone %"1.0"')).toMatchObject({
      commandsChanges: { milestoneId: expect.any(Number) },
    })
    expect((await forge.host.issues.get(issue)).milestone?.title).toBe('1.0')
    expect(await write('alice', '/remove_milestone')).toMatchObject({ commandsChanges: { milestoneId: null } })
    expect(await write('alice', '/milestone %9.9')).toMatchObject({ summary: ['Could not apply milestone command.'] })
    expect((await forge.host.issues.get(issue)).milestone).toBeNull()
  })

  test('awards emoji, creates to-do items and marks them as done', async () => {
    expect(await write('bob', '/award :tada:\n/todo')).toMatchObject({
      commandsChanges: { emojiAward: 'tada', todoEvent: 'add' },
    })
    expect((await forge.host.awardEmoji.list(issue)).items.map(({ name }) => name)).toContain('tada')
    const pendingTodos = async () =>
      (await forge.as('bob').todos.list({})).items.filter(({ body }) => body === 'The home page is slow')
    expect(await pendingTodos()).toMatchObject([{ actionName: 'marked' }])
    // A new note completes earlier to-do items, but not those that its quick actions create.
    await write('bob', 'Later\n/todo')
    expect(await pendingTodos()).toHaveLength(1)
    await write('bob', '/done')
    expect(await pendingTodos()).toEqual([])
  })

  test('a caller without permission still creates the note', async () => {
    const note = await write('mallory', 'I want this\n/close\n/lock\n/label ~bug\n/confidential')
    expect(note).toMatchObject({ body: 'I want this', confidential: false })
    expect(note?.commandsChanges).toEqual({})
    expect(await write('mallory', '/close')).toEqual({
      id: null,
      commandsChanges: {},
      summary: ['Could not apply close command.'],
    })
    const after = await forge.host.issues.get(issue)
    expect(after).toMatchObject({ state: 'opened', discussionLocked: false, confidential: false })
  })

  test('an invalid title does not affect the other quick actions', async () => {
    expect(await write('alice', `/title ${'x'.repeat(256)}\n/title\n/close`)).toMatchObject({
      commandsChanges: { stateEvent: 'close' },
    })
  })

  test('the returned note is confidential after /confidential', async () => {
    expect(await write('alice', 'Hush\n/confidential')).toMatchObject({ confidential: true })
  })

  test('mentions in quick actions create no to-do items', async () => {
    const note = await write('alice', 'Look\n/unassign @carol')
    expect(note).toMatchObject({ body: 'Look' })
    const todos = (await forge.as('carol').todos.list({})).items.filter(({ noteId }) => noteId === note.id)
    expect(todos).toEqual([])
  })
})

describe('on other noteables', () => {
  test('merge requests support all but /confidential', async () => {
    const body = '/title Cache\n/assign @bob\n/label ~bug\n/award 👍\n/lock\n/confidential\n/close'
    expect(await write('alice', body, mergeRequest)).toMatchObject({
      commandsChanges: { title: 'Cache', discussionLocked: true, emojiAward: 'thumbsup', stateEvent: 'close' },
      summary: [expect.stringContaining('Could not apply confidential command. Closed this merge request.')],
    })
    expect(await forge.host.mergeRequests.get(mergeRequest)).toMatchObject({ state: 'closed', title: 'Cache' })
  })

  test('a merged merge request cannot be reopened', async () => {
    await forge.host.mergeRequests.merge(mergeRequest)
    expect(await write('alice', '/reopen', mergeRequest)).toMatchObject({
      summary: ['Could not apply reopen command.'],
    })
    expect((await forge.host.mergeRequests.get(mergeRequest)).state).toBe('merged')
  })

  test('epics support those for their fields', async () => {
    const { iid: epic } = await forge.as('alice').epics.create({ group: 'acme', title: 'Conquer the world' })
    const on = { group: 'acme', epic }
    const result = await forge
      .as('alice')
      .notes.create({ ...on, body: '/title All\n/label ~bug\n/confidential\n/close' })
    expect(result).toMatchObject({ commandsChanges: { title: 'All', confidential: true, stateEvent: 'close' } })
    expect(await forge.host.epics.get(on)).toMatchObject({ title: 'All', confidential: true, state: 'closed' })
    expect(
      await forge.as('alice').notes.create({ ...on, body: '/reopen\n/todo\n/lock\n/assign me\n/award :tada:' }),
    ).toEqual({
      id: null,
      commandsChanges: { stateEvent: 'reopen', todoEvent: 'add', emojiAward: 'tada' },
      summary: [expect.stringMatching(/^Reopened this epic\. Added .* Could not apply lock command\./)],
    })
  })

  test('epics get parents and children', async () => {
    const { epics, notes } = forge.as('alice')
    const [parent, child] = [
      await epics.create({ group: 'acme', title: 'Parent' }),
      await epics.create({ group: 'acme', title: 'Child' }),
    ]
    const parentOf = async () => (await forge.host.epics.get({ group: 'acme', epic: child.iid })).parent?.iid
    const run = async (epic: number, body: string) => (await notes.create({ group: 'acme', epic, body })) as unknown
    expect(await run(child.iid, `/parent_epic &${parent.iid}`)).toMatchObject({
      summary: [`Set &${parent.iid} as parent epic.`],
    })
    expect(await parentOf()).toBe(parent.iid)
    expect(await run(parent.iid, `/parent_epic &${child.iid}`)).toMatchObject({
      summary: ['Could not apply parent_epic command.'],
    })
    await run(child.iid, '/remove_parent_epic')
    expect(await parentOf()).toBeUndefined()
    await run(parent.iid, `/child_epic acme&${child.iid}`)
    expect(await parentOf()).toBe(parent.iid)
    await run(parent.iid, `/remove_child_epic &${child.iid}`)
    expect(await parentOf()).toBeUndefined()
    const { iid } = await forge.make.epic({ group: 'acme' })
    const skipped = await forge
      .as('mallory')
      .notes.create({ group: 'acme', epic: iid, body: `/child_epic &${child.iid}` })
    expect(skipped).toMatchObject({ summary: ['Could not apply child_epic command.'] })
  })

  test('epics can be subscribed to', async () => {
    const { iid: epic } = await forge.as('alice').epics.create({ group: 'acme', title: 'Conquer the world' })
    const { epics, notes } = forge.as('carol')
    const on = { group: 'acme', epic }
    expect((await epics.get(on)).subscribed).toBe(false)
    expect(await notes.create({ ...on, body: '/subscribe\n/subscribe' })).toMatchObject({
      commandsChanges: { subscriptionEvent: 'subscribe' },
      summary: ['Subscribed to this epic. Could not apply subscribe command.'],
    })
    expect((await epics.get(on)).subscribed).toBe(true)
    await notes.create({ ...on, body: '/unsubscribe' })
    expect((await epics.get(on)).subscribed).toBe(false)
  })

  test('a text of quick actions only starts no discussion', async () => {
    const { items: before } = await forge.host.discussions.list(issue)
    const created = await forge.as('alice').discussions.create({ ...issue, body: '/close' })
    expect(created).toEqual({ id: null, commandsChanges: { stateEvent: 'close' }, summary: ['Closed this issue.'] })
    const { items } = await forge.host.discussions.list(issue)
    // The change of the state is recorded.
    expect(items.flatMap(({ notes }) => notes).filter(({ system }) => !system)).toHaveLength(
      before.flatMap(({ notes }) => notes).filter(({ system }) => !system).length,
    )
  })

  test('/submit_review publishes the draft notes of its author once', async () => {
    const { draftNotes, notes } = forge.as('alice')
    for (const note of ['First', 'Second\n/submit_review', 'Third']) await draftNotes.create({ ...mergeRequest, note })
    await forge.as('bob').draftNotes.create({ ...mergeRequest, note: 'Mine' })
    expect(await notes.create({ ...mergeRequest, body: '/submit_review requested_changes' })).toMatchObject({
      commandsChanges: { reviewerState: 'requested_changes' },
      summary: ['Submitted the current review.'],
    })
    expect((await draftNotes.list(mergeRequest)).items).toEqual([])
    expect((await forge.as('bob').draftNotes.list(mergeRequest)).items).toHaveLength(1)
    expect((await comments(mergeRequest)).filter((body) => /^(First|Second|Third|Mine)$/.test(body)).sort()).toEqual([
      'First',
      'Second',
      'Third',
    ])
    const { reviewers } = await forge.host.mergeRequests.get(mergeRequest)
    expect(reviewers.map(({ username }) => username)).toContain('alice')
    expect(await notes.create({ ...mergeRequest, body: '/submit_review maybe' })).toMatchObject({
      summary: ['Could not apply submit_review command.'],
    })
  })

  test('snippets support none', async () => {
    const input = { project: 'acme/web', title: 'x', fileName: 'x', content: 'x', visibility: 'public' } as const
    const { id: snippet } = await forge.as('carol').snippets.create(input)
    const note = await forge.as('carol').notes.create({ project: 'acme/web', snippet, body: '/close' })
    expect(note).toMatchObject({ body: '/close' })
  })
})

test('are not executed for the host, which stores texts unchanged', async () => {
  const note = await forge.host.notes.create({ ...issue, body: '/close', author: 'alice' })
  expect(note).toMatchObject({ body: '/close' })
  expect((await forge.host.issues.get(issue)).state).toBe('opened')
})

test('rejects blank texts', async () => {
  await expect(write('alice', ' \n')).rejects.toMatchObject({ code: 'invalid' })
})
