import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

/** What happens to a merge request from a fork when one of the two projects changes. */

let forge: FakeForge
let send: Send
let source: number
let target: number

const author = { name: 'Mallory', email: 'mallory@example.com' }

const commit = (project: number, branch: string, path: string) =>
  forge.host.commits.import({
    project,
    commits: [{ branch, message: `Change ${path}`, author, files: [{ path, content: path }] }],
  })

/** `acme/app` is public, and `mallory/app` is a fork of it with an open merge request from `topic`. */
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  target = (await forge.host.projects.create({ namespace: 'acme', name: 'App', path: 'app', visibility: 'public' })).id
  await commit(target, 'main', 'README.md')
  source = (await send('POST /projects/acme%2Fapp/fork', { as: 'mallory' })).body.id
  await send(`POST /projects/${source}/repository/branches?branch=topic&ref=main`, { as: 'mallory' })
  await commit(source, 'topic', 'new.md')
  await open('topic')
})
afterEach(() => forge.close())

const open = (branch: string) =>
  send(`POST /projects/${source}/merge_requests`, {
    as: 'mallory',
    json: { source_branch: branch, target_branch: 'main', title: 'Add a file', target_project_id: target },
  })

const mergeRequest = '/merge_requests/1'
const read = async (path = '', as = 'alice') => {
  await forge.platform.jobs.drain()
  return (await send(`GET /projects/${target}${mergeRequest}${path}`, { as })).body
}
const change = (query: string, as = 'alice') => send(`PUT /projects/${target}${mergeRequest}${query}`, { as })
const comment = (as: string) => send(`POST /projects/${target}${mergeRequest}/notes?body=x`, { as })
const changesOfNewFile = { changes: [{ new_path: 'new.md' }] }

describe.each(['source', 'target'] as const)('the %s project', (which) => {
  const idOf = () => (which === 'source' ? source : target)
  const owner = which === 'source' ? 'mallory' : 'alice'

  test('is transferred and renamed', async () => {
    await forge.host.groups.create({ path: 'new-home', name: 'New home', visibility: 'public' })
    await forge.host.projects.transfer({ project: idOf(), namespace: 'new-home' })
    await forge.host.projects.update({ project: idOf(), path: 'new-name' })
    const { body } = await send(`GET /projects/${target}${mergeRequest}`)
    expect(body).toMatchObject({ state: 'opened', source_project_id: source, target_project_id: target })
    const path = which === 'target' ? 'new-home/new-name' : 'acme/app'
    expect(body).toMatchObject({
      web_url: `${forge.url}/${path}/-/merge_requests/1`,
      references: { full: `${path}!1` },
    })
    expect(await read('/changes')).toMatchObject(changesOfNewFile)
    expect((await send(`GET /projects/${source}`, { as: 'mallory' })).body).toMatchObject({
      forked_from_project: { id: target, path_with_namespace: path },
    })
    expect((await change('/merge', 'root')).body).toMatchObject({ state: 'merged' })
  })

  test('is transferred into a private group, with what its members see', async () => {
    await forge.host.groups.create({ path: 'den', name: 'Den', visibility: 'private' })
    await forge.host.members.add({ group: 'den', users: ['dave'], accessLevel: 30 })
    const transfer = () => forge.host.projects.transfer({ project: idOf(), namespace: 'den' })
    await expect(transfer()).rejects.toMatchObject({ code: 'invalid' })
    await forge.host.projects.update({ project: idOf(), visibility: 'private' })
    await transfer()
    const url = `GET /projects/${target}${mergeRequest}`
    const [shown, hidden] = [await send(url, { as: 'dave' }), await send(url)]
    expect(shown).toMatchObject({ status: 200, body: { source_project_id: which === 'source' ? source : null } })
    if (which === 'source') expect(hidden).toMatchObject({ status: 200, body: { source_project_id: null } })
    else expect(hidden.status).toBe(404)
    for (const as of [undefined, 'carol']) {
      const { text } = await send(url, as === undefined ? {} : { as })
      expect(text).not.toMatch(/den\/app/)
    }
  })

  test('is archived', async () => {
    await forge.host.branches.create({ project: source, branch: 'other', ref: 'topic' })
    await send(`POST /projects/${idOf()}/archive`, { as: owner })
    expect(await read()).toMatchObject({ state: 'opened', source_project_id: source })
    expect(await read('/changes')).toMatchObject(changesOfNewFile)
    expect((await open('other')).status).toBe(403)
    expect((await change('/rebase', 'root')).status).toBe(403)
    const isMerged = which === 'source'
    expect([(await comment('mallory')).status < 300, (await change('/merge')).status]).toEqual([
      isMerged,
      isMerged ? 200 : 403,
    ])
    await send(`POST /projects/${idOf()}/unarchive`, { as: owner })
    expect((await open('other')).status).toBeLessThan(300)
  })
})

describe('the relation of the fork', () => {
  const unlink = () => send(`DELETE /projects/${source}/fork`, { as: 'mallory' })
  const link = () => forge.host.forks.link({ project: source, forkedFrom: target })

  test('ends: the merge request is closed and stays closed', async () => {
    expect((await unlink()).status).toBe(204)
    expect(await read()).toMatchObject({ state: 'closed', source_project_id: source })
    for (const as of ['alice', 'mallory', 'root'])
      expect([as, (await change('?state_event=reopen', as)).status]).toEqual([as, 409])
    expect((await open('topic')).status).toBe(422)
    expect((await send(`GET /projects/${source}`, { as: 'mallory' })).body).not.toHaveProperty('forked_from_project')
    expect((await send(`GET /projects/${target}/forks`)).body).toEqual([])
    expect(await read('/changes')).toMatchObject(changesOfNewFile)
    expect((await unlink()).status).toBe(404)
  })

  test('begins again: the merge request can be reopened and merged', async () => {
    await unlink()
    await read()
    await link()
    expect((await change('?state_event=reopen')).body).toMatchObject({ state: 'opened' })
    await commit(source, 'topic', 'later.md')
    expect(await read('/changes')).toMatchObject({ changes: [{ new_path: 'later.md' }, { new_path: 'new.md' }] })
    expect((await change('/merge')).body).toMatchObject({ state: 'merged' })
  })
})

test('a removed target takes its merge requests along, and leaves the fork', async () => {
  await send(`DELETE /projects/${target}`, { as: 'root' })
  await forge.platform.jobs.drain()
  expect((await send(`GET /projects/${target}${mergeRequest}`, { as: 'mallory' })).status).toBe(404)
  const ofFork = await send(`GET /merge_requests?scope=all&source_project_id=${source}`, { as: 'mallory' })
  expect(ofFork).toMatchObject({ status: 200, body: [] })
  const { status, body } = await send(`GET /projects/${source}`, { as: 'mallory' })
  expect([status, body.forked_from_project]).toEqual([200, undefined])
  expect((await send(`GET /projects/${source}/repository/branches/topic`, { as: 'mallory' })).status).toBe(200)
  expect((await open('topic')).status).toBe(404)
})
