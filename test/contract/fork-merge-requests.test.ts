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
  const { ids } = await forge.host.commits.import({
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
    await forge.host.members.add({ project: source, users: ['alice'], accessLevel: 30 })
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
    await forge.host.members.add({ project: source, users: ['alice'], accessLevel: 30 })
    expect(await send(rebase, { as: 'alice' })).toMatchObject({ status: 202 })
    expect(await get()).toMatchObject({ merge_error: null, diff_refs: { base_sha: tip } })
  })

  test('is rebased in the fork by those who may merge it, if its author allows collaboration', async () => {
    await open({ allow_collaboration: true })
    const tip = await commit(target, 'main', 'other.md', 'Other')
    const rebase = (as: string) => send(`PUT /projects/${target}/merge_requests/1/rebase`, { as })
    expect((await rebase('dave')).status).toBe(403)
    const url = `PUT /projects/${target}/merge_requests/1?allow_collaboration=false`
    expect([(await send(url, { as: 'alice' })).status, (await send(url, { as: 'mallory' })).status]).toEqual([403, 200])
    expect((await rebase('alice')).status).toBe(403)
    await send(url.replace('false', 'true'), { as: 'mallory' })
    expect((await rebase('alice')).status).toBe(202)
    expect(await get()).toMatchObject({ merge_error: null, diff_refs: { base_sha: tip } })
    const { body } = await send(`GET /projects/${source}/repository/branches/topic`, { as: 'mallory' })
    expect(body.commit).toMatchObject({ title: 'Change new.md', parent_ids: [tip] })
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

describe('pipelines of a merge request from a fork', () => {
  const file =
    'unit:\n  script: test\n  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event", changes: [new.md] }]\n'
  const run = (as: string) => send(`POST /projects/${target}/merge_requests/1/pipelines`, { as })

  beforeEach(async () => {
    await commit(source, 'topic', '.gitlab-ci.yml', file)
    await open()
  })

  test('run in the fork, or in the target project for those who may run pipelines there', async () => {
    const { body: ofFork } = await run('mallory')
    expect(ofFork).toMatchObject({ project_id: source, ref: 'topic', source: 'merge_request_event' })
    expect(await get()).toMatchObject({ head_pipeline: { id: ofFork.id } })
    const { body: ofTarget } = await run('alice')
    expect(ofTarget).toMatchObject({ project_id: target, ref: 'refs/merge-requests/1/head', sha: ofFork.sha })
    expect(await get()).toMatchObject({ head_pipeline: { id: ofTarget.id } })
    expect((await run('dave')).status).toBe(403)
    const listed = (await get('/pipelines', 'dave')).map(({ id }: { id: number }) => id)
    expect(listed).toEqual([ofTarget.id, ofFork.id])
  })

  test('of a private fork are shown to those who can read it', async () => {
    await run('mallory')
    await forge.host.projects.update({ project: source, visibility: 'private' })
    expect(await get()).toMatchObject({ head_pipeline: null, pipeline: null })
    expect(await get('/pipelines')).toEqual([])
    expect(await get('/pipelines', 'mallory')).toHaveLength(1)
  })

  test('decide whether it can be merged, also if the merging user cannot see them', async () => {
    await send(`PUT /projects/${target}?only_allow_merge_if_pipeline_succeeds=true`, { as: 'alice' })
    const { body } = await run('mallory')
    await forge.host.projects.update({ project: source, visibility: 'private' })
    expect(await get()).toMatchObject({ detailed_merge_status: 'ci_still_running' })
    const merge = `PUT /projects/${target}/merge_requests/1/merge`
    const waiting = await send(merge, { as: 'alice', json: { merge_when_pipeline_succeeds: true } })
    expect(waiting.body).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    await forge.ci.finish(body)
    await forge.platform.jobs.drain()
    expect(await get()).toMatchObject({ state: 'merged' })
  })

  test('have no protected variables of the target project', async () => {
    await forge.host.protectedBranches.create({ project: target, name: 'topic' })
    await send(`POST /projects/${target}/variables`, { as: 'alice', json: { key: 'KEY', value: 'x', protected: true } })
    const rules = 'unit:\n  script: test\n  rules: [{ if: $KEY }]\n'
    await commit(source, 'topic', '.gitlab-ci.yml', rules)
    expect(await run('alice')).toMatchObject({ status: 400 })
  })
})

describe('webhooks of the target project', () => {
  const events = async () => {
    await forge.platform.jobs.drain()
    await forge.hooks.drain()
    return forge.hooks.deliveries.filter(({ event }) => event === 'merge_request').map(({ body }) => body)
  }

  beforeEach(async () => {
    const json = { url: 'https://bot.example.com/events', merge_requests_events: true }
    await send(`POST /projects/${target}/hooks`, { as: 'alice', json })
  })

  test('contain both projects, and the commits of the fork', async () => {
    await open()
    const sha = await commit(source, 'topic', 'second.md', 'Second')
    const found = await events()
    expect(found.map(({ object_attributes: { action } }) => action)).toEqual(['open', 'update'])
    expect(found.at(-1)).toMatchObject({
      project: { path_with_namespace: 'acme/app' },
      object_attributes: {
        source_project_id: source,
        target_project_id: target,
        source: { path_with_namespace: 'mallory/app' },
        target: { path_with_namespace: 'acme/app' },
        last_commit: { id: sha, title: 'Change second.md' },
      },
    })
  })

  test('contain nothing of a private fork', async () => {
    await forge.host.projects.update({ project: source, visibility: 'private' })
    await open()
    const found = await events()
    expect(found).toMatchObject([{ object_attributes: { source_project_id: null, source: null } }])
    expect(JSON.stringify(found)).not.toContain('mallory/app')
  })
})

describe('approvals of a merge request from a fork', () => {
  test('end with a push to the fork, also a waiting merge', async () => {
    await send(`POST /projects/${target}/approvals?reset_approvals_on_push=true`, { as: 'alice' })
    await open()
    await send(`POST /projects/${target}/merge_requests/1/approve`, { as: 'alice' })
    expect(await get('/approvals')).toMatchObject({ approved_by: [{ user: { username: 'alice' } }] })
    await commit(source, 'topic', 'later.md', 'Later')
    expect(await get('/approvals')).toMatchObject({ approved_by: [] })
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

describe('a comparison with from_project_id', () => {
  const compare = (project: number, query: string, as = 'mallory') =>
    send(`GET /projects/${project}/repository/compare?${query}`, { as })

  test('starts from the revision of another project of the fork network', async () => {
    const base = await commit(target, 'main', 'later.md', 'Later')
    const { status, body } = await compare(source, `from=main&to=topic&from_project_id=${target}`)
    expect(status).toBe(200)
    expect(body.diffs).toMatchObject([{ new_path: 'new.md', new_file: true }])
    const direct = await compare(source, `from=main&to=topic&from_project_id=${target}&straight=true`)
    const paths = direct.body.diffs.map(({ new_path: path }: { new_path: string }) => path)
    expect(paths.toSorted()).toEqual(['later.md', 'new.md'])
    expect(direct.body.web_url).toContain(`/mallory/app/-/compare/${base}...`)
    const reverse = await compare(target, `from=topic&to=main&from_project_id=${source}`)
    expect(reverse.body.commits).toMatchObject([{ id: base }])
    expect((await compare(source, `from=topic&to=topic&from_project_id=${target}`)).status).toBe(404)
  })

  test('rejects other projects, and those whose code the caller cannot read', async () => {
    const web = (await send('GET /projects/acme%2Fweb')).body.id
    const notes = (await send('GET /projects/bob%2Fnotes', { as: 'bob' })).body.id
    for (const id of [web, notes, 999_999]) {
      expect(await compare(source, `from=main&to=topic&from_project_id=${id}`)).toMatchObject({
        status: 400,
        body: { message: `Target project id:${id} is not a fork of project id:${source}` },
      })
    }
    await send(`PUT /projects/${target}`, { as: 'root', json: { repository_access_level: 'private' } })
    expect((await compare(source, `from=main&to=topic&from_project_id=${target}`)).status).toBe(400)
  })
})
