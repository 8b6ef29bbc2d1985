import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { world } from '../sqlite-world.ts'

const clientOf = (forge: FakeForge, user: string) =>
  new Gitlab({ host: forge.url, token: forge.tokens[user] as string })

const project = 'acme/web'

/** The calls that all note resources of the client have. */
interface Notes {
  create(body: string): Promise<{ id: number }>
  all(options?: object): Promise<readonly unknown[]>
  show(id: number): Promise<unknown>
  edit(id: number, body: string): Promise<unknown>
  remove(id: number): Promise<unknown>
}

async function checkNotes(notes: Notes, type: string) {
  const { id } = await notes.create('Please @alice, look at this')
  expect(await notes.show(id)).toMatchObject({ id, body: 'Please @alice, look at this', noteable_type: type })
  expect(await notes.edit(id, 'Never mind')).toMatchObject({ id, body: 'Never mind', system: false })
  for (let count = 0; count < 25; count++) await notes.create(`Comment ${count}`)
  expect(await notes.all({ perPage: 10 })).toHaveLength(26)
  expect(await notes.all({ sort: 'asc', orderBy: 'created_at', maxPages: 1, perPage: 5 })).toHaveLength(5)
  await notes.remove(id)
  await expect(notes.show(id)).rejects.toThrow('404 Not found')
  await expect(notes.create('')).rejects.toThrow("can't be blank")
}

async function snippetsAndNotes(forge: FakeForge) {
  const api = clientOf(forge, 'bob')
  const asAlice = clientOf(forge, 'alice')
  const snippet = await forge.as('carol').snippets.create({
    project,
    title: 'A trick',
    fileName: 'trick.sh',
    content: 'true',
    visibility: 'public',
  })
  const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Conquer the world' })

  const { IssueNotes, MergeRequestNotes, ProjectSnippetNotes, EpicNotes } = api
  await checkNotes(
    {
      create: (body) => IssueNotes.create(project, 1, body),
      all: (options) => IssueNotes.all(project, 1, options),
      show: (id) => IssueNotes.show(project, 1, id),
      edit: (id, body) => IssueNotes.edit(project, 1, id, { body }),
      remove: (id) => IssueNotes.remove(project, 1, id),
    },
    'Issue',
  )
  await checkNotes(
    {
      create: (body) => MergeRequestNotes.create(project, 1, body),
      all: (options) => MergeRequestNotes.all(project, 1, options),
      show: (id) => MergeRequestNotes.show(project, 1, id),
      edit: (id, body) => MergeRequestNotes.edit(project, 1, id, { body }),
      remove: (id) => MergeRequestNotes.remove(project, 1, id),
    },
    'MergeRequest',
  )
  await checkNotes(
    {
      create: (body) => ProjectSnippetNotes.create(project, snippet.id, body),
      all: (options) => ProjectSnippetNotes.all(project, snippet.id, options),
      show: (id) => ProjectSnippetNotes.show(project, snippet.id, id),
      edit: (id, body) => ProjectSnippetNotes.edit(project, snippet.id, id, { body }),
      remove: (id) => ProjectSnippetNotes.remove(project, snippet.id, id),
    },
    'Snippet',
  )
  await checkNotes(
    {
      create: (body) => EpicNotes.create('acme', epic.id, body),
      all: (options) => EpicNotes.all('acme', epic.id, options),
      show: (id) => EpicNotes.show('acme', epic.id, id),
      edit: (id, body) => EpicNotes.edit('acme', epic.id, id, { body }),
      remove: (id) => EpicNotes.remove('acme', epic.id, id),
    },
    'Epic',
  )

  const backdated = await asAlice.IssueNotes.create(project, 2, 'Long ago', { createdAt: '2016-01-07T12:44:33.959Z' })
  expect(backdated.created_at).toBe('2016-01-07T12:44:33.959Z')
  // An older signature of the client: a string is spread into one parameter per letter.
  const malformed = api.IssueNotes.edit(project, 1, backdated.id, 'b' as never)
  await expect(malformed).rejects.toThrow('body is missing')

  const { Snippets } = api
  const personal = await Snippets.create('Mine', { fileName: 'a.txt', content: 'Hello', visibility: 'public' } as never)
  expect(await Snippets.show(personal.id)).toMatchObject({
    title: 'Mine',
    file_name: 'a.txt',
    author: { username: 'bob' },
  })
  expect(await Snippets.edit(personal.id, { title: 'Still mine' } as never)).toMatchObject({ title: 'Still mine' })
  expect(await Snippets.all()).toMatchObject([{ id: personal.id }])
  expect(await clientOf(forge, 'mallory').Snippets.all({ public: true })).toMatchObject([{ id: personal.id }])
  expect(String(await contentOf(await Snippets.showContent(personal.id)))).toBe('Hello')
  await expect(asAlice.Snippets.remove(personal.id)).rejects.toThrow('404 Snippet Not Found')
  const detail = await clientOf(forge, 'root').Snippets.showUserAgentDetails(personal.id)
  expect(detail).toMatchObject({ user_agent: expect.any(String), akismet_submitted: false })
  await Snippets.remove(personal.id)
  await expect(Snippets.show(personal.id)).rejects.toThrow('404 Snippet Not Found')
}

/** The client returns raw content as a string or a Blob, depending on its type. */
const contentOf = async (content: unknown): Promise<unknown> => (content instanceof Blob ? content.text() : content)

afterEach(() => vi.unstubAllGlobals())

describe('@gitbeaker/rest', () => {
  test('manages notes and snippets on a server on a port', async () => {
    await using forge = await world({ port: 0 })
    await snippetsAndNotes(forge)
  })

  test('manages notes and snippets without a socket', async () => {
    await using forge = await world()
    vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) => {
      const request = new Request(input, init)
      if (!request.headers.has('user-agent')) request.headers.set('user-agent', 'gitbeaker')
      return forge.fetch(request)
    })
    await snippetsAndNotes(forge)
  })
})
