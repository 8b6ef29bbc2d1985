import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let ids: Record<string, number>
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
  const { items } = await forge.host.users.list({ perPage: 100 })
  ids = Object.fromEntries(items.map(({ id, username }) => [username, id]))
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'

describe('merge requests with a repository', () => {
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const path = `${web}/merge_requests`

  /** `main`, `topic` with one more commit, and `clash` with a conflicting one. */
  const createBranches = async () => {
    const file = (content: string) => [{ path: 'a.txt', content }]
    const commits = [
      { branch: 'main', message: 'Begin', author, files: file('one\n') },
      { branch: 'topic', message: 'Change', author, parents: [0], files: file('two\n') },
      { branch: 'clash', message: 'Clash', author, parents: [0], files: file('three\n') },
    ]
    const { ids } = await forge.host.commits.import({ project: 'acme/web', commits })
    return { base: ids[0] as string, head: ids[1] as string }
  }
  const open = (json: object) => send(`POST ${path}`, { as: 'bob', json: { target_branch: 'main', ...json } })
  const put = (iid: number, action: string, json: object = {}) =>
    send(`PUT ${path}/${iid}${action}`, { as: 'bob', json })

  test('are opened from an existing branch, with reviewers and merge options', async () => {
    const { base, head } = await createBranches()
    expect(await open({ title: 'x', source_branch: 'missing' })).toMatchObject({
      status: 400,
      body: { message: { source_branch: ['does not exist'] } },
    })
    const other = { title: 'x', source_branch: 'topic', target_project_id: 99_999 }
    expect(await open(other)).toMatchObject({ status: 404 })
    const { body } = await open({
      title: 'A topic',
      source_branch: 'topic',
      assignee_id: ids.alice,
      reviewer_ids: [ids.carol],
      remove_source_branch: true,
      squash: true,
      allow_collaboration: true,
    })
    expect(body).toMatchObject({
      sha: head,
      diff_refs: { base_sha: base, head_sha: head, start_sha: base },
      changes_count: '1',
      merge_status: 'can_be_merged',
      detailed_merge_status: 'mergeable',
      has_conflicts: false,
      assignee: { username: 'alice' },
      assignees: [{ username: 'alice' }],
      reviewers: [{ username: 'carol' }],
      squash: true,
      squash_on_merge: true,
      force_remove_source_branch: true,
      should_remove_source_branch: true,
      user: { can_merge: true },
      time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    })
    expect((await send(`GET ${path}/${body.iid}/reviewers`)).body).toMatchObject([
      { user: { username: 'carol' }, state: 'unreviewed' },
    ])
    const participants = await send(`GET ${path}/${body.iid}/participants`)
    expect(participants.body.map(({ username }: { username: string }) => username).sort()).toEqual([
      'alice',
      'bob',
      'carol',
    ])
    const changed = await put(body.iid, '', { assignee_id: 0, reviewer_ids: [], squash: false })
    expect(changed.body).toMatchObject({ assignees: [], reviewers: [], squash: false, sha: head })
    const list = await send(`GET ${path}?source_branch=topic`)
    expect(list.body).toMatchObject([{ sha: head, detailed_merge_status: 'mergeable' }])
    const one = await send(
      `GET ${path}/${body.iid}?include_diverged_commits_count=true&include_rebase_in_progress=true`,
    )
    expect(one.body).toMatchObject({ diverged_commits_count: 0, rebase_in_progress: false })
  })

  test('are merged, and the branches move', async () => {
    const { base, head } = await createBranches()
    const { body } = await open({ title: 'A topic', source_branch: 'topic', description: 'Closes #1' })
    expect(await put(body.iid, '/merge', { sha: base })).toMatchObject({
      status: 409,
      body: { message: `SHA does not match HEAD of source branch: ${head}` },
    })
    const merged = await put(body.iid, '/merge', {
      sha: head,
      merge_when_pipeline_succeeds: true,
      should_remove_source_branch: true,
    })
    expect(merged).toMatchObject({
      status: 200,
      body: {
        state: 'merged',
        sha: head,
        merged_by: { username: 'bob' },
        merge_user: { username: 'bob' },
        merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        squash_commit_sha: null,
        detailed_merge_status: 'not_open',
      },
    })
    const { items } = await forge.host.branches.list({ project: 'acme/web' })
    expect(items.map(({ name, commit }) => [name, commit.id])).toContainEqual(['main', merged.body.merge_commit_sha])
    expect(items.map(({ name }) => name)).not.toContain('topic')
    expect((await send(`GET ${web}/issues/1`)).body.state).toBe('closed')
    expect(await put(body.iid, '/merge')).toMatchObject({ status: 405, body: { message: '405 Method Not Allowed' } })
    expect(await put(body.iid, '/rebase')).toMatchObject({ status: 405 })
  })

  test('are tried without moving the branches', async () => {
    const { head } = await createBranches()
    const { body } = await open({ title: 'A topic', source_branch: 'topic' })
    const tried = await send(`GET ${path}/${body.iid}/merge_ref`)
    expect(tried).toMatchObject({ status: 200, body: { commit_id: expect.stringMatching(/^[0-9a-f]{40}$/) } })
    const { body: commit } = await send(`GET ${web}/repository/commits/${tried.body.commit_id}`)
    expect(commit.parent_ids).toContain(head)
    expect((await send(`GET ${path}/${body.iid}`)).body).toMatchObject({ state: 'opened', sha: head })
    await put(body.iid, '/merge')
    expect(await send(`GET ${path}/${body.iid}/merge_ref`)).toMatchObject({
      status: 400,
      body: { message: 'Merge request is not mergeable' },
    })
  })

  const record = (iid: number, sha: string, fields: object = {}) =>
    forge.host.pipelines.record({
      project: 'acme/web',
      ref: 'topic',
      mergeRequest: iid,
      sha,
      jobs: [{ name: 'test' }],
      ...fields,
    })

  test('are merged when the pipeline succeeds', async () => {
    const { head } = await createBranches()
    const { body } = await open({ title: 'A topic', source_branch: 'topic' })
    const pipeline = await record(body.iid, head)
    expect((await send(`GET ${path}/${body.iid}`)).body).toMatchObject({
      head_pipeline: { id: pipeline.id, status: 'pending' },
      pipeline: { id: pipeline.id },
      detailed_merge_status: 'mergeable',
    })
    const options = { merge_when_pipeline_succeeds: true, should_remove_source_branch: true }
    const waiting = await put(body.iid, '/merge', options)
    expect(waiting).toMatchObject({ status: 200, body: { state: 'opened', merge_when_pipeline_succeeds: true } })
    const cancel = () => send(`POST ${path}/${body.iid}/cancel_merge_when_pipeline_succeeds`, { as: 'bob' })
    expect(await cancel()).toMatchObject({ status: 201, body: { merge_when_pipeline_succeeds: false } })
    expect(await cancel()).toMatchObject({ status: 405 })
    await put(body.iid, '/merge', options)
    await forge.ci.finish(pipeline)
    await forge.platform.jobs.drain()
    expect((await send(`GET ${path}/${body.iid}`)).body).toMatchObject({
      state: 'merged',
      merged_by: { username: 'bob' },
      merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    const { items } = await forge.host.branches.list({ project: 'acme/web' })
    expect(items.map(({ name }) => name)).not.toContain('topic')
  })

  test('are not merged when the pipeline fails, or after another push', async () => {
    const { head } = await createBranches()
    const { body } = await open({ title: 'A topic', source_branch: 'topic' })
    const pipeline = await record(body.iid, head)
    await put(body.iid, '/merge', { merge_when_pipeline_succeeds: true })
    await forge.ci.finish(pipeline, { test: 'failed' })
    await forge.platform.jobs.drain()
    expect((await send(`GET ${path}/${body.iid}`)).body).toMatchObject({
      state: 'opened',
      merge_when_pipeline_succeeds: true,
    })
    const actions = [{ action: 'create' as const, filePath: 'b.txt', content: 'b' }]
    const change = { project: 'acme/web', branch: 'topic', commitMessage: 'More', actions }
    await forge.as('bob').commits.create(change)
    expect((await send(`GET ${path}/${body.iid}`)).body).toMatchObject({
      merge_when_pipeline_succeeds: false,
      head_pipeline: null,
    })
  })

  test('need a successful pipeline if the project requires it', async () => {
    const { head } = await createBranches()
    const settings = { onlyAllowMergeIfPipelineSucceeds: true }
    await forge.host.projects.update({ project: 'acme/web', settings })
    const { body } = await open({ title: 'A topic', source_branch: 'topic' })
    const statusOf = async () => (await send(`GET ${path}/${body.iid}`)).body.detailed_merge_status
    expect(await statusOf()).toBe('ci_must_pass')
    expect(await put(body.iid, '/merge')).toMatchObject({ status: 405 })
    const pipeline = await record(body.iid, head)
    expect(await statusOf()).toBe('ci_still_running')
    expect(await put(body.iid, '/merge')).toMatchObject({ status: 405 })
    await forge.ci.finish(pipeline)
    expect(await statusOf()).toBe('mergeable')
    expect(await put(body.iid, '/merge')).toMatchObject({ status: 200, body: { state: 'merged' } })
  })

  test('with conflicts are not merged', async () => {
    await createBranches()
    const { body: first } = await open({ title: 'A topic', source_branch: 'topic' })
    const { body: second } = await open({ title: 'A clash', source_branch: 'clash' })
    await put(first.iid, '/merge')
    expect((await send(`GET ${path}/${second.iid}`)).body).toMatchObject({
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'conflict',
      has_conflicts: true,
    })
    expect(await put(second.iid, '/merge')).toMatchObject({ status: 422, body: { message: 'Branch cannot be merged' } })
    expect(await put(second.iid, '/rebase')).toMatchObject({
      status: 202,
      body: { rebase_in_progress: false, merge_error: expect.stringContaining('Rebase failed') },
    })
    expect((await send(`GET ${path}/${second.iid}`)).body.merge_error).toContain('Rebase failed')
  })
})

test('an owner deletes a merge request', async () => {
  const path = `${web}/merge_requests/1`
  expect(await send(`DELETE ${path}`, { as: 'bob' })).toMatchObject({ status: 403 })
  expect(await send(`DELETE ${path}`, { as: 'alice' })).toMatchObject({ status: 204 })
  for (const line of [`GET ${path}`, `DELETE ${path}`, `GET ${path}/notes`])
    expect(await send(line, { as: 'alice' })).toMatchObject({ status: 404 })
})

test('every list has the fields of the branches', async () => {
  const milestone = await forge.host.milestones.create({ project: 'acme/web', title: 'Next' })
  const { items } = await forge.host.milestones.list({ group: 'acme' })
  const [inGroup] = items
  const create = (title: string, milestoneId: number) => ({
    title,
    source_branch: title,
    target_branch: 'main',
    milestone_id: milestoneId,
  })
  await send(`POST ${web}/merge_requests`, { as: 'bob', json: create('own', milestone.id) })
  await send(`POST ${web}/merge_requests`, { as: 'bob', json: create('shared', inGroup?.id as number) })
  for (const list of [
    '/merge_requests?scope=all',
    '/groups/acme/merge_requests',
    `${web}/merge_requests`,
    `${web}/milestones/${milestone.id}/merge_requests`,
    `/groups/acme/milestones/${inGroup?.id}/merge_requests`,
  ]) {
    const { body } = await send(`GET ${list}`, { as: 'bob' })
    expect(body[0]).toMatchObject({ sha: null, detailed_merge_status: 'mergeable', reviewers: [], squash: false })
  }
})

test('a merge request lists the pipelines that were created for it', async () => {
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const files = [{ path: '.gitlab-ci.yml', content: 'build: { script: make, rules: [{ when: always }] }' }]
  const commits = ['main', 'topic'].map((branch) => ({ branch, message: 'Build', author, files }))
  await forge.host.commits.import({ project: 'acme/web', commits })
  const source = { project: 'acme/web', sourceBranch: 'topic' }
  const { iid } = await forge.as('bob').mergeRequests.create({ ...source, title: 'Build' })
  const created = await send(`POST ${web}/merge_requests/${iid}/pipelines`, { as: 'bob' })
  expect(created).toMatchObject({ status: 201, body: { source: 'merge_request_event' } })
  const { body } = await send(`GET ${web}/merge_requests/${iid}/pipelines`)
  expect(body).toMatchObject([{ id: created.body.id, sha: created.body.sha }])
})

everyRouteCalled('merge requests')
