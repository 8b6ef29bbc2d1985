import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, type Send } from '../../../../../../test/contract/client.ts'
import { createClient } from '../../../../../../test/graphql/client.ts'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'

const project = 'acme/web'
const url = 'https://bot.example.com/events'

const everything = {
  tag_push_events: true,
  issues_events: true,
  note_events: true,
  merge_requests_events: true,
  releases_events: true,
  feature_flag_events: true,
  deployment_events: true,
  pipeline_events: true,
  job_events: true,
}

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const eventsOf = async (event: string) => {
  await forge.hooks.drain()
  return forge.hooks.deliveries.filter((request) => request.event === event)
}

const lastOf = async (event: string) => (await eventsOf(event)).at(-1)

const web = {
  id: 1,
  name: expect.any(String),
  web_url: expect.stringMatching(/^http:.*\/acme\/web$/),
  git_http_url: expect.stringMatching(/\/acme\/web\.git$/),
  git_ssh_url: expect.stringMatching(/^git@.*:acme\/web\.git$/),
  path_with_namespace: project,
  default_branch: 'main',
  visibility_level: expect.any(Number),
}

const bob = { username: 'bob', name: expect.any(String), email: '[REDACTED]' }

describe('hooks of a project', () => {
  beforeEach(async () => {
    // Over HTTP, which gives payloads the URL of the site.
    await send('POST /projects/acme%2Fweb/hooks', { as: 'alice', json: { url, ...everything } })
  })

  test('a new issue', async () => {
    const path = '/projects/acme%2Fweb/issues'
    const { body: issue } = await send(`POST ${path}`, { as: 'bob', json: { title: 'Broken', labels: 'bug' } })
    const { body, headers } = (await lastOf('issue')) ?? {}
    expect(headers).toMatchObject({ 'x-gitlab-event': 'Issue Hook' })
    expect(body).toMatchObject({
      object_kind: 'issue',
      event_type: 'issue',
      user: bob,
      project: web,
      repository: { homepage: body.project.web_url },
      object_attributes: {
        id: issue.id,
        iid: issue.iid,
        title: 'Broken',
        state: 'opened',
        state_id: 1,
        action: 'open',
        confidential: false,
        url: issue.web_url,
      },
      changes: {
        id: { previous: null, current: issue.id },
        iid: { previous: null, current: issue.iid },
        project_id: { previous: null, current: 1 },
        author_id: { previous: null, current: issue.author.id },
        title: { previous: null, current: 'Broken' },
        created_at: { previous: null, current: issue.created_at },
        state_id: { previous: null, current: 1 },
        labels: { previous: [], current: [{ title: 'bug' }] },
      },
    })
  })

  test('a changed, closed and reopened issue', async () => {
    const { iid } = await forge.as('carol').issues.create({ project, title: 'Broken' })
    const { issues } = forge.as('carol')
    await issues.update({ project, issue: iid, title: 'Mended', addLabels: ['bug'], assignees: ['bob'] })
    await issues.update({ project, issue: iid, stateEvent: 'close' })
    await issues.update({ project, issue: iid, stateEvent: 'reopen' })
    const events = (await eventsOf('issue')).map(({ body }) => body)
    expect(events.map(({ object_attributes }) => object_attributes.action)).toEqual([
      'open',
      'update',
      'close',
      'reopen',
    ])
    expect(events[1]).toMatchObject({
      labels: [{ title: 'bug', type: 'ProjectLabel' }],
      assignees: [bob],
      changes: {
        title: { previous: 'Broken', current: 'Mended' },
        labels: { previous: [], current: [{ title: 'bug' }] },
        assignees: { previous: [], current: [bob] },
      },
    })
    expect(events[2].changes).toMatchObject({ state_id: { previous: 1, current: 2 } })
    expect(events[3].changes).toMatchObject({ state_id: { previous: 2, current: 1 } })
  })

  test('comments on an issue, a merge request and a snippet', async () => {
    const bobs = forge.as('bob')
    await bobs.notes.create({ project, issue: 1, body: 'On the issue' })
    const { body: onIssue, headers } = (await lastOf('note')) ?? {}
    expect(headers).toMatchObject({ 'x-gitlab-event': 'Note Hook' })
    expect(onIssue).toMatchObject({
      object_kind: 'note',
      event_type: 'note',
      user: bob,
      project_id: 1,
      project: web,
      object_attributes: { note: 'On the issue', noteable_type: 'Issue', action: 'create', system: false },
      issue: { iid: 1, project_id: 1 },
    })
    expect(onIssue.object_attributes.url).toMatch(/\/acme\/web\/-\/issues\/1#note_\d+$/)
    const { id } = await stored(bobs.notes.create({ project, mergeRequest: 1, body: 'On the merge request' }))
    await bobs.notes.update({ project, mergeRequest: 1, note: id, body: 'Changed' })
    expect((await eventsOf('note')).slice(1).map(({ body }) => body)).toMatchObject([
      { object_attributes: { action: 'create', noteable_type: 'MergeRequest' }, merge_request: { iid: 1 } },
      { object_attributes: { action: 'update', note: 'Changed' }, merge_request: { iid: 1 } },
    ])
    const snippet = await bobs.snippets.create({ project, title: 'Tool', fileName: 'a.sh', content: 'echo' })
    await bobs.notes.create({ project, snippet: snippet.id, body: 'On the snippet' })
    expect((await lastOf('note'))?.body).toMatchObject({
      object_attributes: { noteable_type: 'Snippet' },
      snippet: { id: snippet.id, title: 'Tool', file_name: 'a.sh', content: 'echo' },
    })
  })

  test('a merge request', async () => {
    const { mergeRequests } = forge.as('carol')
    const opened = { project, title: 'Draft: Faster', sourceBranch: 'faster', targetBranch: 'main' }
    const { iid } = await forge.host.mergeRequests.create({ ...opened, author: 'carol' })
    await mergeRequests.update({ project, mergeRequest: iid, title: 'Faster', reviewers: ['bob'] })
    await mergeRequests.update({ project, mergeRequest: iid, stateEvent: 'close' })
    const events = (await eventsOf('merge_request')).map(({ body }) => body)
    expect(events).toMatchObject([
      {
        event_type: 'merge_request',
        project: web,
        object_attributes: {
          action: 'open',
          iid,
          draft: true,
          source_branch: 'faster',
          target_branch: 'main',
          source: web,
          target: web,
        },
      },
      {
        object_attributes: { action: 'update', draft: false },
        changes: {
          draft: { previous: true, current: false },
          title: { current: 'Faster' },
          reviewers: { previous: [], current: [{ ...bob, state: 'unreviewed', re_requested: false }] },
        },
        reviewers: [{ ...bob, state: 'unreviewed', re_requested: false }],
      },
      { object_attributes: { action: 'close', state: 'closed' }, changes: { state_id: { previous: 1, current: 2 } } },
    ])
  })

  test('a review that was submitted and requested again', async () => {
    const on = { project, mergeRequest: 1 }
    await forge.as('alice').notes.create({ ...on, body: '/request_review @carol' })
    await forge.as('carol').notes.create({ ...on, body: '/request_changes' })
    await forge.as('alice').notes.create({ ...on, body: '/request_review @carol' })
    const events = (await eventsOf('merge_request')).slice(-2).map(({ body }) => body)
    const carol = (state: string, isAgain = false) => ({ username: 'carol', state, re_requested: isAgain })
    expect(events).toMatchObject([
      {
        user: { username: 'carol' },
        object_attributes: { action: 'update' },
        reviewers: [carol('requested_changes')],
        changes: { reviewers: { previous: [carol('unreviewed')], current: [carol('requested_changes')] } },
      },
      {
        user: { username: 'alice' },
        object_attributes: { action: 'update' },
        reviewers: [carol('unreviewed', true)],
        changes: {
          reviewers: { previous: [carol('requested_changes')], current: [carol('unreviewed', true)] },
        },
      },
    ])
  })

  describe('a new merge request of a repository', () => {
    const branches = { source_branch: 'topic', target_branch: 'main' }
    const mutation = `mutation {
      mergeRequestCreate(
        input: { projectPath: "${project}", title: "A topic", sourceBranch: "topic", targetBranch: "main" }
      ) { errors }
    }`

    test.each<[string, () => Promise<unknown>]>([
      [
        'REST',
        () => send('POST /projects/acme%2Fweb/merge_requests', { as: 'bob', json: { title: 'A topic', ...branches } }),
      ],
      ['GraphQL', () => createClient(() => forge).data(mutation, { as: 'bob' })],
      [
        'the library',
        () =>
          forge
            .as('bob')
            .mergeRequests.create({ project, title: 'A topic', sourceBranch: 'topic', targetBranch: 'main' }),
      ],
    ])('has its last commit, opened by %s', async (_name, create) => {
      const author = { name: 'Bob', email: 'bob@example.com' }
      const commits = [
        { branch: 'main', message: 'Begin', author, files: [{ path: 'a', content: 'a' }] },
        { branch: 'topic', message: 'Change', author, parents: [0], files: [{ path: 'b', content: 'b' }] },
      ]
      const { ids } = await forge.host.commits.import({ project, commits })
      await create()
      const { body } = (await lastOf('merge_request')) ?? {}
      expect(body).toMatchObject({
        object_attributes: {
          action: 'open',
          last_commit: {
            id: ids[1],
            message: 'Change',
            title: 'Change',
            author,
            url: expect.stringContaining(`/${ids[1]}`),
          },
          merge_params: { force_remove_source_branch: '0' },
        },
        changes: {
          source_branch: { previous: null, current: 'topic' },
          target_branch: { previous: null, current: 'main' },
          target_project_id: { previous: null, current: 1 },
          title: { previous: null, current: 'A topic' },
        },
      })
    })
  })

  test('a merge request that waits for its pipeline', async () => {
    const sha = 'a'.repeat(40)
    const mergeRequest = { project, mergeRequest: 1 }
    await forge.host.mergeRequests.update({ ...mergeRequest, removeSourceBranch: true })
    await forge.host.pipelines.record({ ...mergeRequest, ref: 'x', sha, jobs: [{ name: 'test' }] })
    await forge.as('alice').mergeRequests.merge({ ...mergeRequest, autoMerge: true, mergeCommitMessage: 'All' })
    const { id } = await forge.host.users.get({ user: 'alice' })
    expect((await lastOf('merge_request'))?.body.object_attributes).toMatchObject({
      merge_when_pipeline_succeeds: true,
      merge_user_id: id,
      merge_params: {
        force_remove_source_branch: '1',
        auto_merge_strategy: 'merge_when_pipeline_succeeds',
        commit_message: 'All',
      },
    })
  })

  test('a pipeline and its jobs', async () => {
    const sha = 'a'.repeat(40)
    const jobs = [{ name: 'build', stage: 'build' }]
    const { pipelines } = forge.host
    const { id } = await pipelines.record({ project, ref: 'main', sha, user: 'bob', jobs })
    await pipelines.finish({ project, pipeline: id, results: { build: 'failed' } })
    const events = (await eventsOf('pipeline')).map(({ body }) => body)
    expect(events).toMatchObject([
      { object_attributes: { status: 'pending' } },
      { object_attributes: { status: 'failed' } },
    ])
    expect(events[1]).toMatchObject({
      object_attributes: { id, iid: 1, ref: 'main', sha, source: 'push', stages: ['build'], variables: [] },
      merge_request: null,
      user: bob,
      project: web,
      commit: { id: sha },
      builds: [{ name: 'build', status: 'failed', failure_reason: 'script_failure', when: 'on_success' }],
    })
    const built = await eventsOf('build')
    expect(built.map(({ body }) => body.build_status)).toEqual(['pending', 'failed'])
    expect(built[1]).toMatchObject({
      headers: { 'x-gitlab-event': 'Job Hook' },
      body: { build_name: 'build', pipeline_id: id, project_name: project, commit: { id, sha, status: 'failed' } },
    })
  })

  test('a deployment', async () => {
    const sha = 'a'.repeat(40)
    const input = { project, environment: 'staging', ref: 'main', sha, status: 'running' as const }
    const { id } = await forge.as('bob').deployments.create(input)
    await forge.as('bob').deployments.update({ project, deployment: id, status: 'success' })
    const events = (await eventsOf('deployment')).map(({ body }) => body)
    expect(events).toMatchObject([{ status: 'running' }, { status: 'success' }])
    expect(events[0]).toMatchObject({
      deployment_id: id,
      environment: 'staging',
      environment_tier: 'staging',
      short_sha: 'aaaaaaaa',
      user: bob,
      project: web,
    })
  })
})

describe('confidential items', () => {
  test('are sent only to hooks with the flags for them', async () => {
    await forge.host.hooks.create({ project, url, issuesEvents: true, noteEvents: true })
    await forge.host.hooks.create({
      project,
      url: 'https://trusted.example.com/',
      confidentialIssuesEvents: true,
      confidentialNoteEvents: true,
    })
    const { iid } = await forge.as('carol').issues.create({ project, title: 'Secret', confidential: true })
    await forge.as('carol').notes.create({ project, issue: iid, body: 'Secret' })
    await forge.as('carol').notes.create({ project, issue: 1, body: 'Secret', internal: true })
    await forge.hooks.drain()
    expect(
      forge.hooks.deliveries.map(({ url, headers, body }) => [url, headers['x-gitlab-event'], body.event_type]),
    ).toEqual([
      ['https://trusted.example.com/', 'Confidential Issue Hook', 'confidential_issue'],
      ['https://trusted.example.com/', 'Confidential Note Hook', 'confidential_note'],
      ['https://trusted.example.com/', 'Confidential Note Hook', 'confidential_note'],
    ])
  })
})

describe('pushes', () => {
  const [before, after] = ['a'.repeat(40), 'b'.repeat(40)]

  const recordPush = (push: object) =>
    forge.host.events.create({ project, author: 'bob', commitCount: 1, ref: 'main', before, after, ...push })

  test('a push to a branch, and a tag', async () => {
    await send('POST /projects/acme%2Fweb/hooks', { as: 'alice', json: { url, ...everything } })
    await recordPush({})
    await recordPush({ refType: 'tag', ref: 'v1', before: null, commitCount: 0 })
    await recordPush({ ref: 'old', after: null, commitCount: 0 })
    await forge.hooks.drain()
    const [push, tag, removed] = forge.hooks.deliveries
    expect(push?.headers).toMatchObject({ 'x-gitlab-event': 'Push Hook' })
    expect(push?.body).toMatchObject({
      object_kind: 'push',
      event_name: 'push',
      before,
      after,
      ref: 'refs/heads/main',
      checkout_sha: after,
      user_username: 'bob',
      project_id: 1,
      project: web,
      repository: { git_http_url: expect.stringMatching(/acme\/web\.git$/) },
      total_commits_count: 1,
    })
    expect(tag?.headers).toMatchObject({ 'x-gitlab-event': 'Tag Push Hook' })
    expect(tag?.body).toMatchObject({ object_kind: 'tag_push', before: '0'.repeat(40), after, ref: 'refs/tags/v1' })
    expect(removed?.body).toMatchObject({ after: '0'.repeat(40), checkout_sha: null, ref: 'refs/heads/old' })
  })

  test('the branch filter of a hook', async () => {
    await forge.host.hooks.create({ project, url, pushEventsBranchFilter: 'release/*' })
    for (const ref of ['main', 'release/1', 'release', 'my-release/1']) await recordPush({ ref })
    await forge.hooks.drain()
    expect(forge.hooks.deliveries.map(({ body }) => body.ref)).toEqual(['refs/heads/release/1'])
  })

  test('a push updates the open merge requests of the branch', async () => {
    await forge.host.hooks.create({ project, url, pushEvents: false, mergeRequestsEvents: true })
    const { items } = await forge.host.mergeRequests.list({ project, state: 'opened' })
    const [mergeRequest] = items
    await recordPush({ ref: mergeRequest?.sourceBranch ?? '' })
    expect((await lastOf('merge_request'))?.body).toMatchObject({
      object_attributes: { iid: mergeRequest?.iid, action: 'update', oldrev: before, last_commit: { id: after } },
    })
  })
})

test('a feature flag is sent when it is turned on or off', async () => {
  await forge.host.hooks.create({ project, url, featureFlagEvents: true })
  const { featureFlags } = forge.as('bob')
  const { id } = await featureFlags.create({ project, name: 'new-search', description: 'Search' })
  const change = { project, featureFlag: 'new-search' }
  await featureFlags.update({ ...change, active: false })
  await featureFlags.update({ ...change, active: false, description: 'The search' })
  const [event, ...others] = await eventsOf('feature_flag')
  expect(others).toEqual([])
  expect(event?.headers['x-gitlab-event']).toBe('Feature Flag Hook')
  expect(event?.body).toEqual({
    object_kind: 'feature_flag',
    project: expect.objectContaining({ id: web.id, path_with_namespace: 'acme/web' }),
    user: expect.objectContaining({ username: 'bob' }),
    user_url: expect.stringMatching(/\/bob$/),
    object_attributes: { id, name: 'new-search', description: 'Search', active: false },
  })
})

describe('commits', () => {
  const isolated = async () => {
    const forge = await world({ seed: demoWithCode })
    await forge.host.hooks.create({ project, url, releasesEvents: true })
    return forge
  }

  test('a push contains its commits with their files, the oldest first', async () => {
    await using forge = await isolated()
    const add = (path: string) => ({ action: 'create' as const, filePath: path, content: 'Text' })
    const commit = (commitMessage: string, actions: object[]) =>
      forge.as('alice').commits.create({ project, branch: 'main', commitMessage, actions: actions as never })
    const { id } = await commit('Add files', [add('a.txt'), add('b.txt')])
    await forge.hooks.waitFor({ event: 'push' })
    await commit('Change files', [
      { action: 'update', filePath: 'a.txt', content: 'More' },
      { action: 'delete', filePath: 'b.txt' },
    ])
    await forge.hooks.drain()
    const [first, second] = forge.hooks.deliveries.map(({ body }) => body)
    expect(forge.hooks.deliveries).toHaveLength(2)
    expect(first).toMatchObject({
      after: id,
      total_commits_count: 1,
      commits: [
        {
          id,
          title: 'Add files',
          url: expect.stringMatching(`/acme/web/-/commit/${id}$`),
          added: ['a.txt', 'b.txt'],
          modified: [],
          removed: [],
        },
      ],
    })
    expect(second).toMatchObject({ before: id, commits: [{ added: [], modified: ['a.txt'], removed: ['b.txt'] }] })
  })

  test('a comment on a commit contains the commit', async () => {
    await using forge = await world({ seed: demoWithCode })
    await forge.host.hooks.create({ project, url, noteEvents: true, pushEvents: false })
    const { id: sha } = (await forge.host.branches.get({ project, branch: 'main' })).commit
    const { discussions, commitComments } = forge.as('bob')
    const { id, notes } = await stored(discussions.create({ project, commit: sha, body: 'Why?' }))
    const note = notes[0]?.id as number
    await discussions.updateNote({ project, commit: sha, discussion: id, note, body: 'How?' })
    await commitComments.create({ project, commit: sha, note: 'Nice' })
    await forge.hooks.drain()
    const events = forge.hooks.deliveries.map(({ body }) => body)
    const attributes = { noteable_type: 'Commit', noteable_id: null, commit_id: sha }
    expect(events).toMatchObject([
      {
        object_kind: 'note',
        project: { path_with_namespace: project },
        object_attributes: { action: 'create', note: 'Why?', ...attributes },
        commit: { id: sha, message: expect.any(String), author: { name: expect.any(String) } },
      },
      { object_attributes: { action: 'update', note: 'How?', ...attributes }, commit: { id: sha } },
      { object_attributes: { action: 'create', note: 'Nice', ...attributes } },
    ])
    expect(events[0].object_attributes.url).toMatch(new RegExp(`/acme/web/-/commit/${sha}#note_${note}$`))
  })

  test('a release contains its commit', async () => {
    await using forge = await isolated()
    await forge.as('alice').releases.create({ project, tagName: 'v9', ref: 'main', name: 'Nine' })
    await forge.as('alice').releases.update({ project, tagName: 'v9', description: 'Notes' })
    await forge.as('alice').releases.remove({ project, tagName: 'v9' })
    await forge.hooks.drain()
    const releases = forge.hooks.deliveries.filter(({ event }) => event === 'release')
    expect(releases.map(({ body }) => body.action)).toEqual(['create', 'update', 'delete'])
    expect(releases[0]?.body).toMatchObject({
      tag: 'v9',
      name: 'Nine',
      assets: { count: 4, links: [] },
      commit: { id: expect.stringMatching(/^[0-9a-f]{40}$/), author: { name: expect.any(String) } },
    })
  })
})

describe('system hooks and hooks of groups', () => {
  const system = 'https://system.example.com/'

  test('projects, groups, users and members', async () => {
    await forge.host.hooks.create({ url: system })
    const { host } = forge
    await host.users.create({ username: 'newcomer' })
    await host.groups.create({ path: 'new-group' })
    await host.projects.create({ namespace: 'new-group', path: 'tool', name: 'Tool' })
    await host.members.add({ project: 'new-group/tool', users: ['newcomer'], accessLevel: 40 })
    await host.members.update({ project: 'new-group/tool', user: 'newcomer', accessLevel: 30 })
    await host.members.remove({ project: 'new-group/tool', user: 'newcomer' })
    await host.members.add({ group: 'new-group', users: ['newcomer'], accessLevel: 50 })
    await host.projects.update({ project: 'new-group/tool', description: 'Better' })
    await host.projects.remove({ project: 'new-group/tool' })
    await host.groups.remove({ group: 'new-group' })
    await host.users.remove({ user: 'newcomer', hardDelete: true })
    await forge.hooks.drain()
    const events = forge.hooks.deliveries
    expect(events.map(({ event }) => event)).toEqual([
      'user_create',
      'group_create',
      'project_create',
      'user_add_to_team',
      'user_update_for_team',
      'user_remove_from_team',
      'user_add_to_group',
      'project_update',
      'project_destroy',
      'group_destroy',
      'user_destroy',
    ])
    for (const { headers } of events) expect(headers['x-gitlab-event']).toBe('System Hook')
    expect(events[2]?.body).toMatchObject({
      name: 'Tool',
      path: 'tool',
      path_with_namespace: 'new-group/tool',
      project_visibility: expect.any(String),
    })
    expect(events[3]?.body).toMatchObject({ access_level: 'Maintainer', user_username: 'newcomer' })
    expect(events[5]?.body).toMatchObject({ access_level: 'Developer' })
    expect(events[6]?.body).toMatchObject({ group_access: 'Owner', group_path: 'new-group' })
  })

  test('renames of groups and users', async () => {
    const { host } = forge
    await host.hooks.create({ url, pushEvents: false })
    await host.groups.update({ group: 'acme/tools', name: 'Utilities' })
    await host.groups.update({ group: 'acme/tools', path: 'utilities' })
    await host.users.update({ user: 'mallory', name: 'Malory' })
    await host.users.update({ user: 'mallory', username: 'malory' })
    await forge.hooks.drain()
    const renamed = forge.hooks.deliveries.map(({ body }) => body)
    expect(renamed).toMatchObject([
      {
        event_name: 'group_rename',
        path: 'utilities',
        full_path: 'acme/utilities',
        old_path: 'tools',
        old_full_path: 'acme/tools',
      },
      { event_name: 'user_rename', username: 'malory', old_username: 'mallory' },
    ])
  })

  test('requests for access to projects and groups', async () => {
    await forge.host.hooks.create({ url, pushEvents: false })
    await forge.host.hooks.create({ group: 'acme', url, pushEvents: false, memberEvents: true })
    const { accessRequests } = forge.as('mallory')
    const { id } = await accessRequests.create({ group: 'acme' })
    await forge.as('alice').accessRequests.remove({ group: 'acme', user: id })
    await accessRequests.create({ project: 'acme/web' })
    await accessRequests.remove({ project: 'acme/web', user: id })
    await forge.hooks.drain()
    const events = forge.hooks.deliveries.map(({ body, headers }) => [headers['x-gitlab-event'], body.event_name])
    expect(events.toSorted()).toEqual([
      ['Member Hook', 'user_access_request_denied_for_group'],
      ['Member Hook', 'user_access_request_to_group'],
      ['System Hook', 'user_access_request_denied_for_group'],
      ['System Hook', 'user_access_request_to_group'],
      ['System Hook', 'user_access_request_to_project'],
    ])
    expect(forge.hooks.deliveries[0]?.body).toMatchObject({ group_path: 'acme', user_username: 'mallory' })
  })

  test('subgroups and members of a group', async () => {
    await forge.host.hooks.create({ group: 'acme', url, pushEvents: false, subgroupEvents: true, memberEvents: true })
    await forge.host.groups.create({ parent: 'acme', path: 'more' })
    await forge.host.members.add({ group: 'acme/more', users: ['mallory'], accessLevel: 10 })
    await forge.host.groups.remove({ group: 'acme/more' })
    await forge.hooks.drain()
    expect(forge.hooks.deliveries.map(({ body, headers }) => [headers['x-gitlab-event'], body.event_name])).toEqual([
      ['Subgroup Hook', 'subgroup_create'],
      ['Member Hook', 'user_add_to_group'],
      ['Subgroup Hook', 'subgroup_destroy'],
    ])
    expect(forge.hooks.deliveries[0]?.body).toMatchObject({ full_path: 'acme/more', parent_full_path: 'acme' })
  })
})
