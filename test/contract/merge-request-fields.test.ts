import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const base = '/projects/acme%2Fweb/merge_requests'

test('a single merge request says whether the current user is subscribed', async () => {
  const fix = { project, author: 'bob', title: 'Fix *it*', description: 'See **this**', sourceBranch: 'fix' }
  const { iid } = await forge.host.mergeRequests.create({ ...fix, targetBranch: 'main' })
  const subscribed = async (as: string) => (await send(`GET ${base}/${iid}`, { as })).body.subscribed
  expect([await subscribed('bob'), await subscribed('carol')]).toEqual([true, false])
  const { body } = await send(`POST ${base}/${iid}/subscribe`, { as: 'carol' })
  expect(body).toMatchObject({ iid, subscribed: true, diff_refs: null, pipeline: null, changes_count: null })
  expect(await subscribed('carol')).toBe(true)
})

test('the title and the description are rendered on request', async () => {
  const fix = { project, author: 'bob', title: 'Fix *it*', description: 'See **this**', sourceBranch: 'fix' }
  const { iid } = await forge.host.mergeRequests.create({ ...fix, targetBranch: 'main' })
  const { body } = await send(`GET ${base}/${iid}?render_html=true`, { as: 'bob' })
  expect(body.description_html).toContain('<strong>this</strong>')
  expect(body.title_html).toContain('Fix')
  expect(body.title_html).not.toContain('<p')
  expect((await send(`GET ${base}/${iid}`, { as: 'bob' })).body.title_html).toBeUndefined()
})

test('scope=reviews_for_me lists the merge requests whose review is requested', async () => {
  const fix = { project, author: 'bob', title: 'Fix', sourceBranch: 'fix', targetBranch: 'main' }
  const { iid } = await forge.host.mergeRequests.create({ ...fix, reviewers: ['carol'] })
  const list = async (as: string, path: string) =>
    (await send(`GET ${path}?scope=reviews_for_me`, { as })).body.map((item: { iid: number }) => item.iid)
  expect([await list('carol', base), await list('carol', '/merge_requests')]).toEqual([[iid], [iid]])
  expect(await list('bob', base)).toEqual([])
})

test('merge_after prevents the merge until its time', async () => {
  const later = new Date(forge.clock.now() + 2 * 86_400_000).toISOString()
  const json = { title: 'Later', source_branch: 'fix', target_branch: 'main', merge_after: later }
  const { iid } = (await send(`POST ${base}`, { as: 'bob', json })).body
  const read = async () => (await send(`GET ${base}/${iid}`, { as: 'bob' })).body
  expect(await read()).toMatchObject({ merge_after: later, detailed_merge_status: 'merge_time' })
  expect((await send(`PUT ${base}/${iid}/merge`, { as: 'alice' })).status).toBe(405)
  const waiting = await send(`PUT ${base}/${iid}/merge`, { as: 'alice', json: { auto_merge: true } })
  expect(waiting.body).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
  await forge.clock.advance({ days: 1 })
  await forge.platform.jobs.drain()
  expect(await read()).toMatchObject({ state: 'opened', detailed_merge_status: 'merge_time' })
  await forge.clock.advance({ days: 1 })
  await forge.platform.jobs.drain()
  expect(await read()).toMatchObject({ state: 'merged', merged_by: { username: 'alice' } })
})

test('a removed merge_after lets the waiting merge request merge', async () => {
  const json = { title: 'Later', source_branch: 'fix', target_branch: 'main', merge_after: '2100-01-01' }
  const { iid } = (await send(`POST ${base}`, { as: 'bob', json: { ...json, add_labels: 'a,b', remove_labels: 'b' } }))
    .body
  await send(`PUT ${base}/${iid}/merge`, { as: 'alice', json: { auto_merge: true } })
  const { body } = await send(`PUT ${base}/${iid}`, { as: 'bob', json: { merge_after: null } })
  expect(body).toMatchObject({ merge_after: null, labels: ['a'] })
  await forge.platform.jobs.drain()
  expect((await send(`GET ${base}/${iid}`, { as: 'bob' })).body.state).toBe('merged')
})

test('with_merge_status_recheck compares the branches of listed merge requests', async () => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const change = async (branch: string, path: string, parents: string[] = []) => {
    const commit = { branch, message: path, author, files: [{ path, content: path }], parents }
    return (await forge.host.commits.import({ project, commits: [commit] })).ids[0] as string
  }
  const start = await change('main', 'a')
  const head = await change('fix', 'b', [start])
  const json = { title: 'Fix', source_branch: 'fix', target_branch: 'main' }
  const { iid } = (await send(`POST ${base}`, { as: 'bob', json })).body
  await change('fix', 'c', [head])
  const status = async (query: string) =>
    (await send(`GET ${base}?state=opened&source_branch=fix&${query}`, { as: 'bob' })).body
  expect(await status('per_page=20')).toMatchObject([{ iid, merge_status: 'unchecked' }])
  expect(await status('with_merge_status_recheck=true')).toMatchObject([{ merge_status: 'unchecked' }])
  await forge.platform.jobs.drain()
  expect(await status('per_page=20')).toMatchObject([{ merge_status: 'can_be_merged' }])
})
