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
