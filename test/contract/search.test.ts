import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

test('an unknown scope and a blank text are rejected', async () => {
  expect(await send('GET /search?scope=wiki_blobs&search=x', { as: 'bob' })).toMatchObject({ status: 400 })
  expect(await send('GET /search?scope=projects&search=', { as: 'bob' })).toMatchObject({ status: 400 })
  expect(await send('GET /search?scope=projects&search=x')).toMatchObject({ status: 401 })
})

everyRouteCalled('search')
