import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const onIssue = { project, issue: 1 }
const onMergeRequest = { project, mergeRequest: 1 }
const discussions = (username = 'bob') => forge.as(username).discussions

test('starts a discussion and replies to it', async () => {
  const created = await stored(discussions('dave').create({ ...onIssue, body: 'Why?' }))
  expect(created).toMatchObject({
    individualNote: false,
    notes: [{ body: 'Why?', type: 'DiscussionNote', resolvable: false, author: { username: 'dave' } }],
  })
  expect(created.id).toMatch(/^[0-9a-f]{40}$/)
  const reply = await discussions().reply({ ...onIssue, discussion: created.id, body: 'Because.' })
  expect(reply).toMatchObject({ body: 'Because.', type: 'DiscussionNote' })
  const discussion = await discussions().get({ ...onIssue, discussion: created.id })
  expect(discussion.notes.map(({ body }) => body)).toEqual(['Why?', 'Because.'])
  // The list of notes contains both.
  const { items } = await forge.as('bob').notes.list({ ...onIssue, sort: 'asc', activityFilter: 'only_comments' })
  expect(items).toMatchObject([{ type: 'DiscussionNote' }, { type: 'DiscussionNote' }])
})

test('gets one note of a discussion, unless it is internal and the caller cannot read it', async () => {
  const { id, notes } = await stored(discussions().create({ ...onMergeRequest, body: 'Here', position }))
  const ref = { ...onMergeRequest, discussion: id, note: notes[0]?.id as number }
  expect(await discussions('dave').getNote(ref)).toEqual(notes[0])
  const internal = await stored(discussions().create({ ...onIssue, body: 'Secret', internal: true }))
  const secret = { ...onIssue, discussion: internal.id, note: internal.notes[0]?.id as number }
  expect(await discussions('carol').getNote(secret)).toMatchObject({ body: 'Secret', internal: true })
  const missing = { code: 'not_found' }
  await expect(discussions('dave').getNote(secret)).rejects.toMatchObject(missing)
  const { discussion, note } = secret
  await expect(discussions().getNote({ ...onMergeRequest, discussion, note })).rejects.toMatchObject(missing)
  await expect(discussions().getNote({ ...secret, discussion: id })).rejects.toMatchObject(missing)
})

test('a reply makes an individual note the first note of a discussion', async () => {
  const { id } = await stored(forge.as('bob').notes.create({ ...onMergeRequest, body: 'Alone' }))
  const [alone] = (await discussions().list(onMergeRequest)).items
  expect(alone).toMatchObject({ individualNote: true, notes: [{ id, type: null, resolvable: false }] })
  await discussions('alice').reply({ ...onMergeRequest, discussion: alone?.id as string, body: 'No longer' })
  expect((await discussions().list(onMergeRequest)).items).toMatchObject([
    { id: alone?.id, individualNote: false, notes: [{ id, type: 'DiscussionNote', resolvable: true }, {}] },
  ])
})

test('pages contain whole discussions, oldest first', async () => {
  const first = await stored(discussions().create({ ...onMergeRequest, body: '1' }))
  await forge.as('bob').notes.create({ ...onMergeRequest, body: '2' })
  await discussions().create({ ...onMergeRequest, body: '3' })
  await discussions().reply({ ...onMergeRequest, discussion: first.id, body: '1.1' })
  const page = await discussions().list({ ...onMergeRequest, perPage: 2 })
  expect(page).toMatchObject({ total: 3, hasNext: true })
  expect(page.items.map(({ notes }) => notes.map(({ body }) => body))).toEqual([['1', '1.1'], ['2']])
})

const sha = 'a'.repeat(40)
const position = { baseSha: sha, startSha: sha, headSha: sha, newPath: 'README.md', newLine: 3 }

test('a discussion on a merge request can have a position in its diff', async () => {
  const { id } = await stored(discussions().create({ ...onMergeRequest, body: 'Here', position }))
  const reply = await discussions('alice').reply({ ...onMergeRequest, discussion: id, body: 'Where?' })
  expect(reply).toMatchObject({
    type: 'DiffNote',
    position: { positionType: 'text', newPath: 'README.md', oldPath: 'README.md', newLine: 3, oldLine: null },
  })
  const invalidInputs = [
    { ...onIssue, body: 'x', position },
    { ...onMergeRequest, body: 'x', position: { ...position, newLine: null } },
    { ...onMergeRequest, body: 'x', position: { ...position, headSha: 'HEAD' } },
  ]
  for (const input of invalidInputs) {
    await expect(discussions().create(input)).rejects.toMatchObject({ code: 'invalid_input' })
  }
})

test('developers and the author of a merge request resolve its discussions', async () => {
  const { id: discussion } = await stored(discussions('mallory').create({ ...onMergeRequest, body: 'Hm' }))
  await expect(discussions('carol').resolve({ ...onMergeRequest, discussion, resolved: true })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const resolved = await discussions('alice').resolve({ ...onMergeRequest, discussion, resolved: true })
  expect(resolved.notes).toMatchObject([{ resolved: true, resolvedBy: { username: 'alice' } }])
  const unresolved = await discussions().resolve({ ...onMergeRequest, discussion, resolved: false })
  expect(unresolved.notes).toMatchObject([{ resolved: false, resolvedBy: null, resolvedAt: null }])
  const { id: noteId } = await stored(forge.as('bob').notes.create({ ...onMergeRequest, body: 'Alone' }))
  const alone = noteId.toString(16).padStart(40, '0')
  await expect(discussions().resolve({ ...onMergeRequest, discussion: alone, resolved: true })).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('resolving a single note requires the same permission as resolving its discussion', async () => {
  const byMallory = await stored(discussions('mallory').create({ ...onMergeRequest, body: 'Hm' }))
  const ref = { ...onMergeRequest, discussion: byMallory.id, note: byMallory.notes[0]?.id as number }
  const forbidden = { code: 'forbidden' }
  // The author of the note may change its text only, a reporter neither.
  await expect(discussions('mallory').updateNote({ ...ref, resolved: true })).rejects.toMatchObject(forbidden)
  await expect(discussions('mallory').updateNote({ ...ref, body: 'x', resolved: true })).rejects.toMatchObject(
    forbidden,
  )
  await expect(discussions('carol').updateNote({ ...ref, resolved: true })).rejects.toMatchObject(forbidden)
  expect(await discussions('mallory').updateNote({ ...ref, body: 'Hm?' })).toMatchObject({ resolved: false })
  // The author of the merge request and developers may resolve it, but not change its text.
  await forge.host.members.update({ group: 'acme', user: 'bob', accessLevel: 10 })
  expect(await discussions('bob').updateNote({ ...ref, resolved: true })).toMatchObject({
    body: 'Hm?',
    resolved: true,
    resolvedBy: { username: 'bob' },
  })
  await expect(discussions('bob').updateNote({ ...ref, body: 'x' })).rejects.toMatchObject(forbidden)
  await expect(discussions('bob').updateNote({ ...ref, body: 'x', resolved: false })).rejects.toMatchObject(forbidden)
  await forge.host.members.add({ project, users: ['erin'], accessLevel: 30 })
  expect(await discussions('erin').updateNote({ ...ref, resolved: false })).toMatchObject({ resolved: false })
})

test('notes of issues cannot be resolved', async () => {
  const { id: discussion, notes } = await stored(discussions('dave').create({ ...onIssue, body: 'Hm' }))
  const call = { ...onIssue, discussion, note: notes[0]?.id as number, resolved: true }
  await expect(discussions('dave').updateNote(call)).rejects.toMatchObject({ code: 'invalid' })
  await expect(discussions('bob').updateNote(call)).rejects.toMatchObject({ code: 'forbidden' })
})

test('updating and removing notes requires permission; the remaining notes stay one discussion', async () => {
  const { id: discussion, notes } = await stored(discussions('dave').create({ ...onIssue, body: 'First' }))
  const note = notes[0]?.id as number
  await discussions().reply({ ...onIssue, discussion, body: 'Second' })
  await discussions().reply({ ...onIssue, discussion, body: 'Third' })
  const ref = { ...onIssue, discussion, note }
  await expect(discussions('carol').updateNote({ ...ref, body: 'Mine' })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await discussions('dave').updateNote({ ...ref, body: 'Changed' })).toMatchObject({ body: 'Changed' })
  await discussions('dave').removeNote(ref)
  const rest = await discussions().get({ ...onIssue, discussion })
  expect(rest.notes.map(({ body }) => body)).toEqual(['Second', 'Third'])
  expect((await discussions().list(onIssue)).items).toMatchObject([{ id: discussion }])
})

test('rejects an invalid discussion id and the id of a discussion elsewhere', async () => {
  const elsewhere = await stored(discussions().create({ ...onMergeRequest, body: 'x' }))
  for (const discussion of ['x', elsewhere.id, 'f'.repeat(40)]) {
    await expect(discussions().get({ ...onIssue, discussion })).rejects.toMatchObject({ code: 'not_found' })
    await expect(discussions().reply({ ...onIssue, discussion, body: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
  }
})

test('discussions of an unreadable issue are not found', async () => {
  const secret = { project, issue: 3 }
  await forge.as('carol').discussions.create({ ...secret, body: 'Hush' })
  await expect(discussions('dave').list(secret)).rejects.toMatchObject({ code: 'not_found' })
  await expect(discussions('mallory').create({ ...secret, body: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(forge.platform.discussions.create({ ...onIssue, body: 'x' })).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test('on commits, discussions have the same fields, and those of other items are rejected', async () => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const files = [{ path: 'README.md', content: 'x' }]
  const { ids } = await forge.host.commits.import({
    project,
    commits: [{ branch: 'main', message: 'x', author, files }],
  })
  const onCommit = { project, commit: 'main' }
  const { id, notes } = await stored(discussions().create({ ...onCommit, body: 'Why?' }))
  expect(notes).toMatchObject([
    { noteableType: 'Commit', noteableId: null, sha: ids[0], resolved: false, system: false },
  ])
  const note = notes[0]?.id ?? 0
  for (const input of [{ internal: true }, { confidential: true }, { storedPosition: {} }])
    await expect(discussions().create({ ...onCommit, body: 'x', ...(input as object) })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  await expect(discussions().updateNote({ ...onCommit, discussion: id, note, resolved: true })).rejects.toThrow(
    'commit, resolved are mutually exclusive',
  )
  await expect(discussions().create({ ...onCommit, body: ' ' })).rejects.toThrow("can't be blank")
  await expect(discussions().list({ ...onCommit, issue: 1 })).rejects.toMatchObject({ code: 'invalid_input' })
  const { individualNote } = await discussions().get({ ...onCommit, discussion: id })
  expect(individualNote).toBe(false)
  await forge.as('carol').commitComments.create({ ...onCommit, note: 'Nice' })
  expect((await discussions().list(onCommit)).items).toMatchObject([{ id }, { individualNote: true }])
})
