import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const onIssue = { project, issue: 1 }
const onMergeRequest = { project, mergeRequest: 1 }
const discussions = (who = 'bob') => forge.as(who).discussions

test('a discussion is begun and answered', async () => {
  const begun = await discussions('dave').create({ ...onIssue, body: 'Why?' })
  expect(begun).toMatchObject({
    individualNote: false,
    notes: [{ body: 'Why?', type: 'DiscussionNote', resolvable: false, author: { username: 'dave' } }],
  })
  expect(begun.id).toMatch(/^[0-9a-f]{40}$/)
  const answer = await discussions().reply({ ...onIssue, discussion: begun.id, body: 'Because.' })
  expect(answer).toMatchObject({ body: 'Because.', type: 'DiscussionNote' })
  const read = await discussions().get({ ...onIssue, discussion: begun.id })
  expect(read.notes.map(({ body }) => body)).toEqual(['Why?', 'Because.'])
  // Both are notes like any other.
  const { items } = await forge.as('bob').notes.list({ ...onIssue, sort: 'asc', activityFilter: 'only_comments' })
  expect(items).toMatchObject([{ type: 'DiscussionNote' }, { type: 'DiscussionNote' }])
})

test('a note that stood by itself becomes the first one of a discussion when it is answered', async () => {
  const { id } = await forge.as('bob').notes.create({ ...onMergeRequest, body: 'Alone' })
  const [alone] = (await discussions().list(onMergeRequest)).items
  expect(alone).toMatchObject({ individualNote: true, notes: [{ id, type: null, resolvable: false }] })
  await discussions('alice').reply({ ...onMergeRequest, discussion: alone?.id as string, body: 'No longer' })
  expect((await discussions().list(onMergeRequest)).items).toMatchObject([
    { id: alone?.id, individualNote: false, notes: [{ id, type: 'DiscussionNote', resolvable: true }, {}] },
  ])
})

test('pages hold whole discussions, the oldest first', async () => {
  const first = await discussions().create({ ...onMergeRequest, body: '1' })
  await forge.as('bob').notes.create({ ...onMergeRequest, body: '2' })
  await discussions().create({ ...onMergeRequest, body: '3' })
  await discussions().reply({ ...onMergeRequest, discussion: first.id, body: '1.1' })
  const page = await discussions().list({ ...onMergeRequest, perPage: 2 })
  expect(page).toMatchObject({ total: 3, hasNext: true })
  expect(page.items.map(({ notes }) => notes.map(({ body }) => body))).toEqual([['1', '1.1'], ['2']])
})

const sha = 'a'.repeat(40)
const position = { baseSha: sha, startSha: sha, headSha: sha, newPath: 'README.md', newLine: 3 }

test('a remark stands at a place in the changes of a merge request', async () => {
  const { id } = await discussions().create({ ...onMergeRequest, body: 'Here', position })
  const answer = await discussions('alice').reply({ ...onMergeRequest, discussion: id, body: 'Where?' })
  expect(answer).toMatchObject({
    type: 'DiffNote',
    position: { positionType: 'text', newPath: 'README.md', oldPath: 'README.md', newLine: 3, oldLine: null },
  })
  const wrong = [
    { ...onIssue, body: 'x', position },
    { ...onMergeRequest, body: 'x', position: { ...position, newLine: null } },
    { ...onMergeRequest, body: 'x', position: { ...position, headSha: 'HEAD' } },
  ]
  for (const given of wrong) {
    await expect(discussions().create(given)).rejects.toMatchObject({ code: 'invalid_input' })
  }
})

test('developers and the author of a merge request settle its discussions', async () => {
  const { id: discussion } = await discussions('mallory').create({ ...onMergeRequest, body: 'Hm' })
  await expect(discussions('carol').resolve({ ...onMergeRequest, discussion, resolved: true })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const settled = await discussions('alice').resolve({ ...onMergeRequest, discussion, resolved: true })
  expect(settled.notes).toMatchObject([{ resolved: true, resolvedBy: { username: 'alice' } }])
  const opened = await discussions().resolve({ ...onMergeRequest, discussion, resolved: false })
  expect(opened.notes).toMatchObject([{ resolved: false, resolvedBy: null, resolvedAt: null }])
  const { id: noteId } = await forge.as('bob').notes.create({ ...onMergeRequest, body: 'Alone' })
  const alone = noteId.toString(16).padStart(40, '0')
  await expect(discussions().resolve({ ...onMergeRequest, discussion: alone, resolved: true })).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('notes of a discussion are changed and removed by those who may; the rest stays one discussion', async () => {
  const { id: discussion, notes } = await discussions('dave').create({ ...onIssue, body: 'First' })
  const note = notes[0]?.id as number
  await discussions().reply({ ...onIssue, discussion, body: 'Second' })
  await discussions().reply({ ...onIssue, discussion, body: 'Third' })
  const at = { ...onIssue, discussion, note }
  await expect(discussions('carol').updateNote({ ...at, body: 'Mine' })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await discussions('dave').updateNote({ ...at, body: 'Changed' })).toMatchObject({ body: 'Changed' })
  await discussions('dave').removeNote(at)
  const rest = await discussions().get({ ...onIssue, discussion })
  expect(rest.notes.map(({ body }) => body)).toEqual(['Second', 'Third'])
  expect((await discussions().list(onIssue)).items).toMatchObject([{ id: discussion }])
})

test('names of no discussion here are missed', async () => {
  const elsewhere = await discussions().create({ ...onMergeRequest, body: 'x' })
  for (const discussion of ['x', elsewhere.id, 'f'.repeat(40)]) {
    await expect(discussions().get({ ...onIssue, discussion })).rejects.toMatchObject({ code: 'not_found' })
    await expect(discussions().reply({ ...onIssue, discussion, body: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
  }
})

test('whoever cannot read the thing finds no discussion of it', async () => {
  const secret = { project, issue: 3 }
  await forge.as('carol').discussions.create({ ...secret, body: 'Hush' })
  await expect(discussions('dave').list(secret)).rejects.toMatchObject({ code: 'not_found' })
  await expect(discussions('mallory').create({ ...secret, body: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(forge.platform.discussions.create({ ...onIssue, body: 'x' })).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})
