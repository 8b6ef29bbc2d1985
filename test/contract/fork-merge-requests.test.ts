import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let source: number
let target: number

const author = { name: 'Mallory', email: 'mallory@example.com' }

const commit = async (project: number | string, branch: string, path: string, content: string) => {
  const { ids } = await forge.host.repository.commit({
    project,
    commits: [{ branch, message: `Change ${path}`, author, files: [{ path, content }] }],
  })
  return ids[0] as string
}

/** `acme/app` is public, and `mallory/app` is a fork of it with the branch `topic`. */
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  target = (await forge.host.projects.create({ namespace: 'acme', name: 'App', path: 'app', visibility: 'public' })).id
  await commit(target, 'main', 'README.md', 'Hello')
  source = (await send('POST /projects/acme%2Fapp/fork', { as: 'mallory' })).body.id
  await send(`POST /projects/${source}/repository/branches?branch=topic&ref=main`, { as: 'mallory' })
  await commit(source, 'topic', 'new.md', 'New')
})
afterEach(() => forge.close())

const open = (fields: object = {}, as = 'mallory') =>
  send(`POST /projects/${source}/merge_requests`, {
    as,
    json: { source_branch: 'topic', target_branch: 'main', title: 'Add a file', target_project_id: target, ...fields },
  })

const get = async (path = '', as = 'alice') =>
  (await send(`GET /projects/${target}/merge_requests/1${path}`, { as })).body

describe('a merge request from a fork', () => {
  test('belongs to the target project', async () => {
    const { status, body } = await open()
    expect([status < 300, body.message]).toEqual([true, undefined])
    expect(body).toMatchObject({
      iid: 1,
      project_id: target,
      target_project_id: target,
      source_project_id: source,
      source_branch: 'topic',
      web_url: `${forge.url}/acme/app/-/merge_requests/1`,
      references: { full: 'acme/app!1' },
      detailed_merge_status: 'mergeable',
      changes_count: '1',
      allow_collaboration: false,
      user: { can_merge: false },
    })
    expect(await get('/changes')).toMatchObject({ changes: [{ new_path: 'new.md' }] })
    expect(await get('/commits')).toMatchObject([{ title: 'Change new.md' }])
    expect(await get('/versions')).toHaveLength(1)
    const ids = async (path: string) => (await send(path, { as: 'mallory' })).body.map(({ id }: { id: number }) => id)
    expect(await ids(`GET /projects/${target}/merge_requests`)).toEqual([body.id])
    expect(await ids(`GET /projects/${source}/merge_requests`)).toEqual([])
    expect(await ids(`GET /merge_requests?scope=all&source_project_id=${source}`)).toEqual([body.id])
    expect(await ids(`GET /projects/${target}/merge_requests?source_project_id=${target}`)).toEqual([])
  })

  test('follows the pushes to its branch', async () => {
    await open()
    const sha = await commit(source, 'topic', 'second.md', 'Second')
    expect(await get()).toMatchObject({ sha, changes_count: '2', detailed_merge_status: 'mergeable' })
    expect(await get('/versions')).toHaveLength(2)
    await commit(source, 'topic', 'README.md', 'Mine')
    await commit(target, 'main', 'README.md', 'Yours')
    expect(await get()).toMatchObject({ detailed_merge_status: 'conflict', has_conflicts: true })
  })

  test('needs access to both projects, and a fork network', async () => {
    expect((await open({}, 'dave')).status).toBe(403)
    await send(`POST /projects/${source}/members`, {
      as: 'mallory',
      json: { user_id: (await forge.host.users.get({ user: 'dave' })).id, access_level: 30 },
    })
    expect((await open({ target_project_id: 999 }, 'dave')).status).toBe(404)
    const notes = (
      await forge.host.projects.create({ namespace: 'acme', path: 'other', name: 'o', visibility: 'public' })
    ).id
    expect(await open({ target_project_id: notes }, 'dave')).toMatchObject({ status: 422 })
    await forge.host.projects.update({ project: target, mergeRequestsAccessLevel: 'private' })
    expect((await open({}, 'dave')).status).toBe(403)
    expect((await send(`GET /projects/${target}`, { as: 'dave' })).body).toMatchObject({
      can_create_merge_request_in: false,
    })
    await forge.host.projects.update({ project: target, mergeRequestsAccessLevel: 'enabled' })
    expect((await send(`GET /projects/${target}`, { as: 'dave' })).body).toMatchObject({
      can_create_merge_request_in: true,
    })
    await forge.host.projects.archive({ project: target })
    expect((await open({}, 'dave')).status).toBe(403)
    await forge.host.projects.unarchive({ project: target })
    expect((await open({}, 'dave')).status).toBeLessThan(300)
    expect(await open({}, 'mallory')).toMatchObject({ status: 409 })
    expect(await open({ source_branch: 'none' }, 'mallory')).toMatchObject({ status: 400 })
    expect(await open({ target_branch: 'none' }, 'mallory')).toMatchObject({ status: 400 })
  })

  test('merges into the target project, and removes the branch of the fork', async () => {
    await open({ remove_source_branch: true })
    const merge = `PUT /projects/${target}/merge_requests/1/merge`
    expect((await send(merge, { as: 'mallory' })).status).toBe(403)
    // Alice may not push to the fork.
    await forge.host.members.add({ project: source, user: 'alice', accessLevel: 30 })
    const { status, body } = await send(merge, { as: 'alice' })
    expect([status, body.state]).toEqual([200, 'merged'])
    const { text } = await send(`GET /projects/${target}/repository/files/new.md/raw?ref=main`, { as: 'alice' })
    expect(text).toBe('New')
    await forge.platform.jobs.drain()
    expect((await send(`GET /projects/${source}/repository/branches/topic`, { as: 'mallory' })).status).toBe(404)
    expect(await get('/changes')).toMatchObject({ changes: [{ new_path: 'new.md' }] })
  })

  test('keeps the branch of the fork if the merging user may not push there', async () => {
    await open()
    const json = { should_remove_source_branch: true }
    expect(await send(`PUT /projects/${target}/merge_requests/1/merge`, { as: 'alice', json })).toMatchObject({
      status: 200,
    })
    await forge.platform.jobs.drain()
    expect((await send(`GET /projects/${source}/repository/branches/topic`, { as: 'mallory' })).status).toBe(200)
  })

  test('is rebased in the fork by those who may push there', async () => {
    await open()
    const tip = await commit(target, 'main', 'other.md', 'Other')
    const rebase = `PUT /projects/${target}/merge_requests/1/rebase`
    expect((await send(rebase, { as: 'alice' })).status).toBe(403)
    await forge.host.members.add({ project: source, user: 'alice', accessLevel: 30 })
    expect(await send(rebase, { as: 'alice' })).toMatchObject({ status: 202 })
    expect(await get()).toMatchObject({ merge_error: null, diff_refs: { base_sha: tip } })
  })

  test('shows nothing of a fork to those who cannot see it', async () => {
    await open()
    await forge.host.projects.update({ project: source, visibility: 'private' })
    expect(await get()).toMatchObject({ source_project_id: null, sha: expect.any(String) })
    expect(await get('', 'mallory')).toMatchObject({ source_project_id: source })
    expect(await get('/changes')).toMatchObject({ source_project_id: null, changes: [{ new_path: 'new.md' }] })
  })

  test('is closed when the fork is removed, and keeps its changes', async () => {
    await open()
    await send(`DELETE /projects/${source}`, { as: 'mallory' })
    await forge.platform.jobs.drain()
    expect(await get()).toMatchObject({ state: 'closed', source_project_id: null, source_branch: 'topic' })
    expect(await get('/changes')).toMatchObject({ changes: [{ new_path: 'new.md' }] })
    const reopened = await send(`PUT /projects/${target}/merge_requests/1?state_event=reopen`, { as: 'alice' })
    expect(reopened.status).toBe(409)
  })

  test('is closed when the fork relation ends', async () => {
    await open()
    await send(`DELETE /projects/${source}/fork`, { as: 'mallory' })
    await forge.platform.jobs.drain()
    expect(await get()).toMatchObject({ state: 'closed', source_project_id: source })
  })
})

describe('the visibility of forks', () => {
  test('is at most that of their source', async () => {
    const visibilityOf = async (project: number) => (await forge.host.projects.get({ project })).visibility
    await send(`PUT /projects/${source}`, { as: 'mallory', json: { visibility: 'public' } })
    const { body: second } = await send(`POST /projects/${source}/fork`, {
      as: 'mallory',
      json: { path: 'again', name: 'again' },
    })
    await send(`PUT /projects/${second.id}`, { as: 'mallory', json: { visibility: 'public' } })
    await send(`PUT /projects/${target}`, { as: 'alice', json: { visibility: 'internal' } })
    expect([await visibilityOf(source), await visibilityOf(second.id)]).toEqual(['internal', 'internal'])
    const raised = await send(`PUT /projects/${source}`, { as: 'mallory', json: { visibility: 'public' } })
    expect(raised).toMatchObject({
      status: 400,
      body: { message: { visibility: [expect.stringContaining('source')] } },
    })
    expect(await send(`PUT /projects/${source}`, { as: 'mallory', json: { visibility: 'private' } })).toMatchObject({
      status: 200,
    })
    await expect(
      forge.as('mallory').projects.create({ name: 'third', visibility: 'public', forkedFrom: target }),
    ).rejects.toMatchObject({ code: 'invalid' })
  })
})
