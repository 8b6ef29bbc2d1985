import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
  await forge.host.snippets.create({
    project,
    title: 'x',
    fileName: 'x',
    content: 'x',
    author: 'bob',
    visibility: 'public',
  })
  await forge.host.epics.create({ group: 'acme', title: 'Big', author: 'alice' })
})
afterEach(() => forge.close())

const project = 'acme/web'
const noteables = {
  issue: { project, issue: 1 },
  'merge request': { project, mergeRequest: 1 },
  snippet: { project, snippet: 1 },
  epic: { group: 'acme', epicId: 1 },
} as const
const onIssue = noteables.issue
const missing = { code: 'not_found' }

/** Bodies of the comments that a caller can list. */
const bodiesFor = async (as: string | undefined, on: (typeof noteables)[keyof typeof noteables]) => {
  const session = as === undefined ? forge.platform : forge.as(as)
  const { items, total } = await session.notes.list({ ...on, activityFilter: 'only_comments' })
  expect(total).toBe(items.length)
  const discussions = await session.discussions.list(on)
  expect(discussions.total).toBe(discussions.items.length)
  const inDiscussions = discussions.items.flatMap(({ notes }) => notes).filter(({ system }) => !system)
  expect(new Set(inDiscussions.map(({ body }) => body))).toEqual(new Set(items.map(({ body }) => body)))
  return items.map(({ body }) => body).sort()
}

describe.each(Object.keys(noteables) as (keyof typeof noteables)[])('internal notes of one %s', (kind) => {
  const on = noteables[kind]

  test('are readable by reporters and above and their author only', async () => {
    const note = await stored(forge.as('alice').notes.create({ ...on, body: 'Internal', internal: true }))
    expect(note).toMatchObject({ internal: true, confidential: true })
    await forge.as('alice').notes.create({ ...on, body: 'Public' })
    for (const as of [undefined, 'mallory', 'erin', ...(kind === 'epic' ? [] : ['dave'])]) {
      const isReporter = as === 'erin' && kind !== 'epic'
      const session = as === undefined ? forge.platform : forge.as(as)
      expect(await bodiesFor(as, on)).toEqual(isReporter ? ['Internal', 'Public'] : ['Public'])
      if (isReporter) continue
      await expect(session.notes.get({ ...on, note: note.id })).rejects.toMatchObject(missing)
      const discussion = note.id.toString(16).padStart(40, '0')
      await expect(session.discussions.get({ ...on, discussion })).rejects.toMatchObject(missing)
    }
    for (const as of ['alice', 'bob', 'root']) expect(await bodiesFor(as, on)).toEqual(['Internal', 'Public'])
    expect(await forge.as('bob').notes.get({ ...on, note: note.id })).toMatchObject({ body: 'Internal' })
  })

  test('can be system notes of the host', async () => {
    const record = { ...on, body: 'changed', author: 'alice', system: true, internal: true }
    const { id } = await forge.host.notes.create(record)
    const idsFor = async (as: string) => (await forge.as(as).notes.list(on)).items.map((note) => note.id)
    expect(await idsFor('bob')).toContain(id)
    expect(await idsFor('mallory')).not.toContain(id)
  })

  test('cannot be written by users who could not read those of others', async () => {
    for (const input of [{ internal: true }, { confidential: true }]) {
      const call = forge.as('mallory').notes.create({ ...on, body: 'x', ...input })
      await expect(call).rejects.toMatchObject({ code: 'forbidden' })
      const discussion = forge.as('mallory').discussions.create({ ...on, body: 'x', ...input })
      await expect(discussion).rejects.toMatchObject({ code: 'forbidden' })
    }
    expect(await bodiesFor('alice', on)).toEqual([])
  })

  test('can only be replied to internally', async () => {
    const { id: discussion } = await stored(
      forge.as('alice').discussions.create({ ...on, body: 'First', confidential: true }),
    )
    await forge.as('bob').discussions.reply({ ...on, discussion, body: 'Second' })
    await expect(forge.as('mallory').discussions.reply({ ...on, discussion, body: 'x' })).rejects.toMatchObject(missing)
    expect(await bodiesFor('bob', on)).toEqual(['First', 'Second'])
    expect(await bodiesFor('mallory', on)).toEqual([])
    const published = forge.as('bob').discussions.reply({ ...on, discussion, body: 'x', internal: false })
    await expect(published).rejects.toMatchObject({ code: 'invalid', problems: [{ fields: ['internal'] }] })
  })
})

test('`internal` takes precedence over `confidential`', async () => {
  const { notes } = forge.as('carol')
  expect(await notes.create({ ...onIssue, body: 'a', internal: false, confidential: true })).toMatchObject({
    internal: false,
  })
  expect(await notes.create({ ...onIssue, body: 'b', internal: true, confidential: false })).toMatchObject({
    internal: true,
  })
})

test('a note stays internal or public', async () => {
  const { notes, discussions } = forge.as('carol')
  const problem = { code: 'invalid', problems: [{ fields: ['internal'] }] }
  const { id: note } = await stored(notes.create({ ...onIssue, body: 'a', internal: true }))
  await expect(notes.update({ ...onIssue, note, body: 'b', internal: false })).rejects.toMatchObject(problem)
  await expect(notes.update({ ...onIssue, note, body: 'b', confidential: false })).rejects.toMatchObject(problem)
  expect(await notes.update({ ...onIssue, note, body: 'b', confidential: true })).toMatchObject({ internal: true })
  const { id: discussion, notes: created } = await stored(discussions.create({ ...onIssue, body: 'a' }))
  const first = { ...onIssue, discussion, note: created[0]?.id as number }
  await expect(discussions.updateNote({ ...first, body: 'b', internal: true })).rejects.toMatchObject(problem)
  // The notes of a confidential issue are confidential without being internal.
  const secret = { project, issue: 3 }
  const { id } = await stored(notes.create({ ...secret, body: 'a' }))
  expect(await notes.update({ ...secret, note: id, body: 'b', confidential: true })).toMatchObject({
    internal: false,
    confidential: true,
  })
})

test('an author without the role of a reporter still reads the own note, and no replies', async () => {
  const { id: discussion } = await stored(
    forge.as('carol').discussions.create({ ...onIssue, body: 'Mine', internal: true }),
  )
  await forge.as('bob').discussions.reply({ ...onIssue, discussion, body: 'Theirs' })
  await forge.host.members.update({ project, user: 'carol', accessLevel: 10 })
  expect(await bodiesFor('carol', onIssue)).toEqual(['Mine'])
  await forge.as('carol').discussions.reply({ ...onIssue, discussion, body: 'Still internal' })
  expect(await bodiesFor('dave', onIssue)).toEqual([])
  expect(await bodiesFor('bob', onIssue)).toEqual(['Mine', 'Still internal', 'Theirs'])
})

test('counts of comments contain only readable notes', async () => {
  await forge.as('carol').notes.create({ ...onIssue, body: 'Public' })
  await forge.as('carol').notes.create({ ...onIssue, body: 'Internal', internal: true })
  const countFor = async (as: string) => (await forge.as(as).issues.get(onIssue)).userNotesCount
  expect([await countFor('bob'), await countFor('root'), await countFor('dave'), await countFor('mallory')]).toEqual([
    2, 2, 1, 1,
  ])
  const { items } = await forge.as('mallory').issues.list({ project, iids: [1] })
  expect(items).toMatchObject([{ userNotesCount: 1 }])
  await forge.as('dave').todos.create(onIssue)
  expect((await forge.as('dave').todos.list()).items).toMatchObject([{ target: { userNotesCount: 1 } }])
})

test('events of internal notes are hidden, from lists and totals', async () => {
  await forge.as('carol').notes.create({ ...onIssue, body: 'Internal', internal: true })
  const eventsFor = async (as: string) => {
    const { events } = forge.as(as)
    const action = 'commented'
    const pages = [await events.list({ project, action }), await events.list({ user: 'carol', action })]
    return pages.map(({ items, total }) => [items.length, total])
  }
  for (const as of ['carol', 'bob', 'root'])
    expect(await eventsFor(as)).toEqual([
      [1, 1],
      [1, 1],
    ])
  for (const as of ['dave', 'mallory'])
    expect(await eventsFor(as)).toEqual([
      [0, 0],
      [0, 0],
    ])
  await forge.host.members.update({ project, user: 'carol', accessLevel: 10 })
  expect(await eventsFor('carol')).toEqual([
    [1, 1],
    [1, 1],
  ])
})

test('mentions create to-dos only for users who can read the note', async () => {
  await forge.as('carol').notes.create({ ...onIssue, body: '@dave @bob @mallory', internal: true })
  expect((await forge.as('dave').todos.list()).items).toEqual([])
  expect((await forge.as('mallory').todos.list()).items).toEqual([])
  const todosOfBob = async () => (await forge.as('bob').todos.list({ action: 'mentioned' })).items
  expect(await todosOfBob()).toEqual([])
  await forge.as('bob').todos.finish({})
  await forge.as('carol').notes.create({ ...onIssue, body: 'Again: @bob', internal: true })
  expect(await todosOfBob()).toMatchObject([{ body: 'Again: @bob', noteId: expect.any(Number) }])
  // Without the role, the to-do shows the title of the issue instead of the text.
  await forge.host.members.update({ group: 'acme', user: 'bob', accessLevel: 10 })
  expect(await todosOfBob()).toMatchObject([{ body: 'The home page is slow', noteId: null }])
})

test('notifications of internal notes are sent only to users who can read them', async () => {
  const { id: note } = await stored(forge.as('carol').notes.create({ ...onIssue, body: '@alice', internal: true }))
  const recipientsOf = async (input: object) =>
    (
      await forge.host.notificationSettings.listRecipients({
        ...onIssue,
        event: 'newNote',
        actor: 'carol',
        mentioned: ['alice', 'dave'],
        ...input,
      })
    ).map(({ user }) => user.username)
  expect(await recipientsOf({ note })).toEqual(['alice', 'bob'])
  expect(await recipientsOf({})).toEqual(['alice', 'bob', 'dave'])
  await expect(recipientsOf({ note: 999 })).rejects.toMatchObject(missing)
})
