import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { world } from '../sqlite-world.ts'

const clientOf = (forge: FakeForge, user: string) =>
  new Gitlab({ host: forge.url, token: forge.tokens[user] as string })

const project = 'acme/web'

async function checkActivity(forge: FakeForge) {
  const bob = clientOf(forge, 'bob')
  const mallory = clientOf(forge, 'mallory')

  for (let count = 0; count < 25; count++) await bob.IssueNotes.create(project, 2, `Comment ${count}`)
  await bob.IssueNotes.create(project, 2, '@mallory what do you think?')

  const bobsEvents = await bob.Events.all({ perPage: 10, action: 'commented' })
  expect(bobsEvents).toHaveLength(26)
  expect(bobsEvents[0]).toMatchObject({ action_name: 'commented on', target_type: 'Note', author_username: 'bob' })
  const ofProject = await mallory.Events.all({ projectId: project, targetType: 'note', maxPages: 1, perPage: 5 })
  expect(ofProject).toHaveLength(5)
  const ofUser = await mallory.Events.all({ userId: 'bob', sort: 'asc', before: '2000-01-01' })
  expect(ofUser).toEqual([])
  expect((await bob.Events.all({ scope: 'all' })).length).toBeGreaterThan(bobsEvents.length)
  await expect(mallory.Events.all({ userId: 'nobody' })).rejects.toThrow('404 User Not Found')
  await expect(mallory.Events.all({ projectId: 'bob/notes' })).rejects.toThrow('404 Project Not Found')

  const todos = await mallory.TodoLists.all()
  expect(todos).toMatchObject([{ action_name: 'directly_addressed', target_type: 'Issue', state: 'pending' }])
  const todoId = todos[0]?.id as number
  await expect(bob.TodoLists.done({ todoId })).rejects.toThrow('404 Not found')
  expect(await mallory.TodoLists.done({ todoId })).toMatchObject({ id: todoId, state: 'done' })
  expect(await mallory.TodoLists.all({ state: 'done' })).toHaveLength(1)
  expect(await bob.TodoLists.all()).toMatchObject([{ action_name: 'assigned' }])
  await bob.TodoLists.done()
  expect(await bob.TodoLists.all()).toEqual([])

  const { NotificationSettings } = bob
  expect(await NotificationSettings.show()).toMatchObject({ level: 'participating' })
  expect(await NotificationSettings.edit({ level: 'mention' as never })).toMatchObject({ level: 'mention' })
  // The client sends events in this form, although its types do not declare it.
  const kinds: object = { events: { newNote: true } }
  const custom = await NotificationSettings.edit({ projectId: project, level: 'custom' as never, ...kinds })
  expect(custom).toMatchObject({ level: 'custom', events: { new_note: true, new_issue: false, failed_pipeline: true } })
  expect(await NotificationSettings.show({ groupId: 'acme' })).toMatchObject({ level: 'global' })
  const bogus = NotificationSettings.edit({ groupId: 'acme', level: 'bogus' as never })
  await expect(bogus).rejects.toThrow("'bogus' is not a valid level")
}

afterEach(() => vi.unstubAllGlobals())

describe('@gitbeaker/rest', () => {
  test('reads activity, todos and settings from a server on a port', async () => {
    await using forge = await world({ port: 0 })
    await checkActivity(forge)
  })

  test('reads them without a socket', async () => {
    await using forge = await world()
    vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) => forge.fetch(new Request(input, init)))
    await checkActivity(forge)
  })
})
