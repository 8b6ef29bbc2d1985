import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const projectPath = '/projects/acme%2Fweb/search'

const find = async (path: string, scope: string, search: string, as = 'alice') =>
  (await send(`GET ${path}?scope=${scope}&search=${search}`, { as })).body

test.each(['/search', '/groups/acme/search', projectPath])('%s finds items by words', async (path) => {
  const { issues, mergeRequests, milestones } = forge.as('alice')
  await issues.create({ project, title: 'A purple issue' })
  await mergeRequests.create({ project, title: 'A purple change', sourceBranch: 'purple', targetBranch: 'main' })
  await milestones.create({ project, title: 'The purple milestone' })
  expect(await find(path, 'issues', 'purple')).toMatchObject([{ title: 'A purple issue' }])
  expect(await find(path, 'merge_requests', 'purple')).toMatchObject([{ title: 'A purple change' }])
  expect(await find(path, 'milestones', 'purple')).toMatchObject([{ title: 'The purple milestone' }])
  expect(await find(path, 'users', 'alice')).toMatchObject([{ username: 'alice' }])
  expect(await find(path, 'issues', 'unknown')).toEqual([])
  expect((await send(`GET ${path}?scope=issues&search=purple&state=closed`, { as: 'alice' })).body).toEqual([])
})

test('projects are found in a group and in the instance', async () => {
  expect(await find('/search', 'projects', 'notes', 'bob')).toMatchObject([{ path_with_namespace: 'bob/notes' }])
  expect(await find('/search', 'projects', 'notes')).toEqual([])
  expect(await find('/groups/acme/search', 'projects', 'web')).toMatchObject([{ path_with_namespace: project }])
  expect(await find('/groups/acme/search', 'projects', 'notes', 'bob')).toEqual([])
})

test('comments of a project are found by those who can read them', async () => {
  const { notes, issues } = forge.as('alice')
  await issues.create({ project, title: 'Secret', confidential: true })
  const { items } = await issues.list({ project, search: 'Secret' })
  await notes.create({ project, issue: items[0]?.iid as number, body: 'A hidden octopus' })
  await notes.create({ project, issue: 1, body: 'A public octopus' })
  const bodies = async (as: string) =>
    (await find(projectPath, 'notes', 'octopus', as)).map(({ body }: { body: string }) => body)
  expect(await bodies('alice')).toEqual(['A public octopus', 'A hidden octopus'])
  expect(await bodies('mallory')).toEqual(['A public octopus'])
})

test('snippets are found by title', async () => {
  const input = { fileName: 'a', content: 'a' }
  await forge.as('alice').snippets.create({ ...input, title: 'A private trick', visibility: 'private' })
  await forge.as('alice').snippets.create({ ...input, title: 'A public trick', visibility: 'public' })
  expect(await find('/search', 'snippet_titles', 'trick')).toHaveLength(2)
  expect(await find('/search', 'snippet_titles', 'trick', 'bob')).toMatchObject([{ title: 'A public trick' }])
})

describe('the code of a project', () => {
  beforeEach(async () => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    const long = `${'x'.repeat(2_000)} octopus`
    const commits = [
      {
        message: 'Add the octopus',
        author,
        files: [{ path: 'src/deep sea.test.ts', content: 'a\nb\nc\nAn OCTOPUS.\nd\ne\nf\n' }],
      },
      {
        message: 'Add others',
        author,
        files: [
          { path: '.long', content: long },
          { path: 'image', content: Buffer.from('octopus\0') },
        ],
      },
      { message: 'Remove', author, branch: 'topic', parents: [1], files: [{ path: '.long', removed: true as const }] },
    ]
    await forge.host.commits.import({ project, commits })
  })

  test('is searched in files of Latin-1, which are shown as text', async () => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    const files = [{ path: 'old.txt', content: Buffer.from('café squid\n', 'latin1') }]
    await forge.host.commits.import({ project, commits: [{ message: 'Add', author, files }] })
    expect(await find(projectPath, 'blobs', 'squid')).toMatchObject([{ path: 'old.txt', data: 'café squid\n' }])
    expect(await find(projectPath, 'blobs', encodeURIComponent('café'))).toMatchObject([{ path: 'old.txt' }])
  })

  test('is searched for files, with the lines around the first match', async () => {
    expect(await find(projectPath, 'blobs', 'octopus')).toEqual([
      expect.objectContaining({ basename: '.long', data: 'x'.repeat(1_000), startline: 1 }),
      {
        basename: 'deep sea.test',
        data: 'b\nc\nAn OCTOPUS.\nd\ne',
        path: 'src/deep sea.test.ts',
        filename: 'src/deep sea.test.ts',
        id: null,
        ref: 'main',
        startline: 2,
        project_id: 1,
      },
    ])
    const { body, headers } = await send(`GET ${projectPath}?scope=blobs&search=octopus&per_page=1&page=2`, {
      as: 'bob',
    })
    expect([body.length, headers.get('x-total')]).toEqual([1, '2'])
    expect(await find(`${projectPath}`, 'blobs', 'octopus&ref=topic')).toMatchObject([{ ref: 'topic' }])
    for (const text of ['.ctopus', '-octopus', 'unknown']) expect(await find(projectPath, 'blobs', text)).toEqual([])
  })

  test('is searched for commits by message', async () => {
    const titles = async (search: string) =>
      (await find(projectPath, 'commits', search)).map(({ title }: { title: string }) => title)
    expect(await titles('OCTOPUS')).toEqual(['Add the octopus'])
    expect(await titles('add&per_page=1')).toEqual(['Add others'])
    expect(await titles('add&per_page=1&page=2')).toEqual(['Add the octopus'])
    expect(await titles('remove')).toEqual([])
    expect(await titles('remove&ref=topic')).toEqual(['Remove'])
  })

  test('is not found by those who cannot read it, and not at unknown references', async () => {
    for (const scope of ['blobs', 'commits']) {
      expect(await send(`GET ${projectPath}?scope=${scope}&search=x&ref=nope`, { as: 'bob' })).toMatchObject({
        status: 404,
      })
      const tooLong = `GET ${projectPath}?scope=${scope}&search=${'a'.repeat(2_000)}`
      expect(await send(tooLong, { as: 'bob' })).toMatchObject({ status: 400 })
      expect(await find('/projects/bob%2Fnotes/search', scope, 'x', 'bob')).toEqual([])
    }
    await forge.host.projects.update({ project, repositoryAccessLevel: 'private' })
    for (const scope of ['blobs', 'commits']) {
      expect(await find(projectPath, scope, 'octopus', 'mallory')).toEqual([])
      expect(await find(projectPath, scope, 'octopus')).not.toEqual([])
    }
  })
})

test('an unknown scope and a blank text are rejected', async () => {
  expect(await send('GET /search?scope=wiki_blobs&search=x', { as: 'bob' })).toMatchObject({ status: 400 })
  expect(await send('GET /search?scope=projects&search=', { as: 'bob' })).toMatchObject({ status: 400 })
  expect(await send('GET /search?scope=projects&search=x')).toMatchObject({ status: 401 })
})

everyRouteCalled('search')
