import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const ref = { project: 'acme/web', mergeRequest: 1 }
const drafts = (username: string) => forge.as(username).draftNotes
const bodies = async () => (await forge.host.notes.list({ ...ref, sort: 'asc' })).items.map(({ body }) => body)
const position = {
  baseSha: 'a'.repeat(40),
  startSha: 'b'.repeat(40),
  headSha: 'c'.repeat(40),
  newPath: 'a',
  newLine: 2,
}

test('only the author sees a draft until it is published', async () => {
  const before = await bodies()
  const { id } = await drafts('bob').create({ ...ref, note: 'Hello' })
  expect(await drafts('bob').update({ ...ref, draftNote: id, note: 'Hello @carol' })).toMatchObject({
    note: 'Hello @carol',
    discussionId: null,
    position: null,
  })
  expect((await drafts('alice').list(ref)).items).toEqual([])
  await expect(drafts('alice').get({ ...ref, draftNote: id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(drafts('alice').publish({ ...ref, draftNote: id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(drafts('alice').remove({ ...ref, draftNote: id })).rejects.toMatchObject({ code: 'not_found' })
  expect(await bodies()).toEqual(before)
  await drafts('bob').publish({ ...ref, draftNote: id })
  expect((await bodies()).slice(before.length)).toEqual(['Hello @carol'])
  expect((await drafts('bob').list(ref)).items).toEqual([])
  const { items } = await forge.as('carol').todos.list({ action: 'directly_addressed' })
  expect([...items, ...(await forge.as('carol').todos.list({ action: 'mentioned' })).items]).toMatchObject([
    { author: { username: 'bob' } },
  ])
})

test('all drafts are published at once, as replies, notes on the diff and comments', async () => {
  const { discussions } = forge.as('alice')
  const { id: discussion } = await stored(discussions.create({ ...ref, body: 'Why?' }))
  await drafts('bob').create({
    ...ref,
    note: 'Because',
    inReplyToDiscussionId: discussion,
    resolveDiscussion: true,
    position,
  })
  await drafts('bob').create({ ...ref, note: 'On a line', position })
  await drafts('bob').create({ ...ref, note: 'In general\n/title Faster' })
  await drafts('alice').create({ ...ref, note: 'Not yet' })
  await drafts('bob').publish(ref)
  expect(await discussions.get({ ...ref, discussion })).toMatchObject({
    notes: [{ resolved: true }, { body: 'Because', type: 'DiscussionNote', resolved: true, position: null }],
  })
  const { items } = await discussions.list({ ...ref, perPage: 100 })
  expect(items.flatMap(({ notes }) => notes)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        body: 'On a line',
        type: 'DiffNote',
        position: expect.objectContaining({ newLine: 2 }),
      }),
      expect.objectContaining({ body: 'In general', type: null }),
    ]),
  )
  expect(await forge.host.mergeRequests.get(ref)).toMatchObject({ title: 'Faster' })
  expect((await drafts('alice').list(ref)).items).toMatchObject([{ note: 'Not yet' }])
})

test('rejects what could not be published', async () => {
  const create = (input: object) => drafts('bob').create({ ...ref, note: 'x', ...input })
  await expect(create({ note: ' ' })).rejects.toMatchObject({ code: 'invalid' })
  await expect(create({ position: { ...position, newLine: null } })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(create({ inReplyToDiscussionId: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(create({ resolveDiscussion: true })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(create({ author: 'alice' })).rejects.toMatchObject({ code: 'forbidden' })
  const { id: discussion } = await stored(forge.as('alice').discussions.create({ ...ref, body: 'Why?' }))
  const resolution = { note: 'x', inReplyToDiscussionId: discussion, resolveDiscussion: true }
  await expect(drafts('mallory').create({ ...ref, ...resolution })).rejects.toMatchObject({ code: 'forbidden' })
})

test('a reply to a removed discussion is published as a comment', async () => {
  const { discussions } = forge.as('alice')
  const { id: discussion, notes } = await stored(discussions.create({ ...ref, body: 'Why?' }))
  await drafts('bob').create({ ...ref, note: 'Because', inReplyToDiscussionId: discussion, resolveDiscussion: true })
  await discussions.removeNote({ ...ref, discussion, note: notes[0]?.id as number })
  await drafts('bob').publish(ref)
  expect((await bodies()).at(-1)).toBe('Because')
})

test('a user can have 100 drafts on a merge request', async () => {
  for (let at = 0; at < 100; at++) await drafts('bob').create({ ...ref, note: 'x' })
  await expect(drafts('bob').create({ ...ref, note: 'x' })).rejects.toMatchObject({ code: 'invalid' })
  await drafts('alice').create({ ...ref, note: 'x' })
  await drafts('bob').publish(ref)
  await drafts('bob').create({ ...ref, note: 'x' })
})

test('drafts are removed with their author and their merge request', async () => {
  await drafts('bob').create({ ...ref, note: 'x' })
  await drafts('alice').create({ ...ref, note: 'y' })
  await forge.host.users.remove({ user: 'bob' })
  expect((await forge.host.draftNotes.list(ref)).items).toMatchObject([{ note: 'y' }])
  await forge.host.draftNotes.publish(ref)
  expect((await forge.host.notes.list(ref)).items[0]).toMatchObject({ body: 'y', author: { username: 'alice' } })
})
