import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { preparedWorld } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let restore: () => Promise<void>

const path = '/projects/acme%2Fweb'

beforeAll(async () => {
  const prepared = await preparedWorld({}, async ({ host }) => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    const commits = [{ branch: 'main', message: 'Begin', author, files: [{ path: 'a', content: 'x\n' }] }]
    await host.commits.import({ project: 'acme/web', commits })
  })
  forge = prepared.forge
  restore = prepared.restore
  send = client(forge)
})
beforeEach(() => restore())
afterAll(() => forge.close())

const post = (to: string, json: object, as = 'bob') => send(`POST ${path}${to}`, { as, json })
const createIssue = async (json: object): Promise<number> => (await post('/issues', { title: 'x', ...json })).body.iid
const commit = async (message: string, branch = 'main', as = 'bob'): Promise<string> => {
  const actions = [{ action: 'create', file_path: message.replace(/\W/g, ''), content: 'x' }]
  const json = { branch, commit_message: message, actions, ...(branch !== 'main' && { start_branch: 'main' }) }
  return (await post('/repository/commits', json, as)).body.id
}
const systemNotes = async (of: string): Promise<string[]> => {
  await forge.platform.jobs.drain()
  const { body } = await send(`GET ${path}${of}/notes?activity_filter=only_activity&sort=asc`, { as: 'alice' })
  return body.map((note: { body: string }) => note.body)
}
const readState = async (iid: number) => (await send(`GET ${path}/issues/${iid}`, { as: 'alice' })).body.state

test('a commit that is pushed to the default branch closes the issues that it names', async () => {
  const issue = await createIssue({})
  const kept = await createIssue({})
  const onBranch = await commit(`Closes #${issue}`, 'topic')
  expect(await systemNotes(`/issues/${issue}`)).toEqual([`mentioned in commit ${onBranch}`])
  expect(await readState(issue)).toBe('opened')
  const onMain = await commit(`Fixes #${issue}`, 'main', 'alice')
  const mentioned = `mentioned in commit ${onMain}`
  const expected = [`mentioned in commit ${onBranch}`, mentioned, `closed via commit ${onMain}`]
  expect((await systemNotes(`/issues/${issue}`)).toSorted()).toEqual(expected.toSorted())
  expect(await readState(issue)).toBe('closed')
  await send(`PUT ${path}`, { as: 'alice', json: { autoclose_referenced_issues: false } })
  await commit(`Closes #${kept}`, 'main', 'alice')
  expect(await systemNotes(`/issues/${kept}`)).toHaveLength(1)
  expect(await readState(kept)).toBe('opened')
})

test('texts that mention issues and merge requests leave one system note for each source', async () => {
  const target = await createIssue({})
  const source = await createIssue({ description: `See #${target} and \`#1\`, !1` })
  const expected = [`mentioned in issue #${source}`]
  expect(await systemNotes(`/issues/${target}`)).toEqual(expected)
  await post(`/issues/${source}/notes`, { body: `Also #${target}` })
  await post(`/issues/${target}/notes`, { body: `#${target} itself` })
  expect(await systemNotes(`/issues/${target}`)).toEqual(expected)
  expect(await systemNotes('/merge_requests/1')).toEqual(expected)
  await post('/merge_requests/1/notes', { body: `#${target}` })
  expect(await systemNotes(`/issues/${target}`)).toEqual([...expected, 'mentioned in merge request !1'])
})

test('sources that others cannot read leave no notes', async () => {
  const target = await createIssue({})
  const source = await createIssue({ description: `See #${target}`, confidential: true })
  await post(`/issues/${source}/notes`, { body: `#${target}` })
  await post('/issues/1/notes', { body: `#${target}`, internal: true })
  expect(await systemNotes(`/issues/${target}`)).toEqual([])
})

test('a project is named to the readers of another one, if they can see it', async () => {
  const target = await createIssue({})
  const json = { title: 'x', description: `acme/web#${target}` }
  const { id } = (await send('POST /projects', { as: 'bob', json: { name: 'open', visibility: 'public' } })).body
  await send(`POST /projects/${id}/issues`, { as: 'bob', json })
  const closed = (await send('POST /projects', { as: 'bob', json: { name: 'closed', visibility: 'private' } })).body
  await send(`POST /projects/${closed.id}/issues`, { as: 'bob', json })
  expect(await systemNotes(`/issues/${target}`)).toEqual(['mentioned in issue bob/open#1'])
})

test('a merge closes issues by naming the merge request', async () => {
  const issue = await createIssue({})
  await commit('Add a file', 'topic')
  const { iid } = (
    await post('/merge_requests', { title: `Closes #${issue}`, source_branch: 'topic', target_branch: 'main' })
  ).body
  await send(`PUT ${path}/merge_requests/${iid}/merge`, { as: 'alice' })
  expect(await systemNotes(`/issues/${issue}`)).toEqual(
    expect.arrayContaining([`mentioned in merge request !${iid}`, `closed via merge request !${iid}`]),
  )
})
