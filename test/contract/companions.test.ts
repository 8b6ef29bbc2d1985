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
const titles = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title)

describe('who and what', () => {
  test('GET /version', async () => {
    expect(await send('GET /version')).toMatchObject({ status: 401 })
    const { body } = await send('GET /version', { as: 'bob' })
    expect(body).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), revision: 'forgelet', enterprise: true })
  })

  test('GET /user', async () => {
    expect(await send('GET /user')).toMatchObject({ status: 401 })
    expect((await send('GET /user', { as: 'bob' })).body).toMatchObject({
      id: ids.bob,
      username: 'bob',
      email: 'bob@example.com',
      commit_email: 'bob@example.com',
    })
  })

  test('GET /users tells the signed in what everybody may know', async () => {
    expect(await send('GET /users')).toMatchObject({ status: 401 })
    const { body } = await send('GET /users?username=Alice', { as: 'mallory' })
    expect(body).toEqual([
      {
        id: ids.alice,
        username: 'alice',
        name: 'Alice Liddell',
        state: 'active',
        public_email: '',
        locked: false,
        avatar_url: expect.any(String),
        web_url: `${forge.url}/alice`,
      },
    ])
    expect((await send('GET /users?search=danvers', { as: 'mallory' })).body).toMatchObject([{ username: 'carol' }])
    expect((await send('GET /users?search=example.com', { as: 'mallory' })).body).toEqual([])
    expect((await send(`GET /users/${ids.alice}`, { as: 'mallory' })).body).toMatchObject(body[0])
    expect(await send('GET /users/99999', { as: 'mallory' })).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    })
  })
})

describe('projects', () => {
  const paths = ({ body }: { body: { path_with_namespace: string }[] }) =>
    body.map(({ path_with_namespace }) => path_with_namespace).sort()

  test('lists what the caller can see, narrowed to what is asked for', async () => {
    expect(paths(await send('GET /projects'))).toEqual(['acme/web'])
    expect(paths(await send('GET /projects', { as: 'bob' }))).toEqual(['acme/tools/deploy', 'acme/web', 'bob/notes'])
    expect(paths(await send('GET /projects?membership=true', { as: 'mallory' }))).toEqual([])
    expect(paths(await send('GET /projects?owned=true', { as: 'bob' }))).toEqual(['bob/notes'])
    expect(paths(await send('GET /projects?search=ships', { as: 'bob' }))).toEqual(['acme/tools/deploy'])
    const { body } = await send('GET /projects?simple=true')
    expect(body[0]).not.toHaveProperty('issues_enabled')
  })

  test('one project also says what the caller holds', async () => {
    expect((await send(`GET ${web}`)).body.permissions).toEqual({ project_access: null, group_access: null })
    const bob = (await send(`GET ${web}`, { as: 'bob' })).body
    expect(bob.permissions).toEqual({ project_access: null, group_access: { access_level: 30, notification_level: 3 } })
    expect(bob).toMatchObject({ path_with_namespace: 'acme/web', open_issues_count: 2, empty_repo: true })
    expect(bob).not.toHaveProperty('owner')
    const carol = (await send(`GET ${web}`, { as: 'carol' })).body
    expect(carol.permissions.project_access).toEqual({ access_level: 20, notification_level: 3 })
    const own = (await send('GET /projects/bob%2Fnotes', { as: 'bob' })).body
    expect(own).toMatchObject({ owner: { username: 'bob' }, name_with_namespace: 'Bob Builder / Notes' })
    expect(own.permissions.project_access).toMatchObject({ access_level: 40 })
    expect(await send('GET /projects/bob%2Fnotes', { as: 'alice' })).toMatchObject({ status: 404 })
  })

  test('a repository is empty until a branch is pushed', async () => {
    await forge.as('bob').events.create({
      project: 'acme/web',
      ref: 'main',
      before: null,
      after: 'a'.repeat(40),
      commitCount: 1,
      commitTitle: 'Start',
    })
    await forge.host.projects.update({ project: 'acme/web', settings: { readmePath: 'README.md' } })
    expect((await send(`GET ${web}`)).body).toMatchObject({
      empty_repo: false,
      readme_url: `${forge.url}/acme/web/-/blob/main/README.md`,
    })
  })
})

describe('issues', () => {
  test('an issue answers with these fields', async () => {
    const { body } = await send(`GET ${web}/issues/1`)
    expect(body).toEqual({
      id: expect.any(Number),
      iid: 1,
      project_id: expect.any(Number),
      title: 'The home page is slow',
      description: 'It takes four seconds to load.',
      state: 'opened',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      closed_at: null,
      closed_by: null,
      type: 'ISSUE',
      issue_type: 'issue',
      severity: 'UNKNOWN',
      merge_requests_count: 0,
      blocking_issues_count: 0,
      epic: null,
      epic_iid: null,
      iteration: null,
      health_status: null,
      imported: false,
      imported_from: 'none',
      service_desk_reply_to: null,
      moved_to_id: null,
      has_tasks: false,
      time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
      subscribed: false,
      labels: ['bug', 'urgent'],
      milestone: expect.objectContaining({ title: '1.0', group_id: expect.any(Number) }),
      assignees: [expect.objectContaining({ username: 'bob' })],
      author: expect.objectContaining({ username: 'dave' }),
      assignee: expect.objectContaining({ username: 'bob' }),
      user_notes_count: 0,
      upvotes: 2,
      downvotes: 0,
      discussion_locked: false,
      due_date: null,
      weight: null,
      confidential: false,
      task_completion_status: { count: 0, completed_count: 0 },
      references: { short: '#1', relative: '#1', full: 'acme/web#1' },
      web_url: `${forge.url}/acme/web/-/issues/1`,
      _links: {
        self: `${forge.url}/api/v4/projects/${body.project_id}/issues/1`,
        notes: `${forge.url}/api/v4/projects/${body.project_id}/issues/1/notes`,
        award_emoji: `${forge.url}/api/v4/projects/${body.project_id}/issues/1/award_emoji`,
        project: `${forge.url}/api/v4/projects/${body.project_id}`,
        closed_as_duplicate_of: null,
      },
    })
  })

  test('lists, without what the caller may not read', async () => {
    expect(titles(await send(`GET ${web}/issues`))).toEqual([
      'Typo in the footer',
      'Dark mode',
      'The home page is slow',
    ])
    expect(titles(await send(`GET ${web}/issues?state=closed`))).toEqual(['Typo in the footer'])
    expect(titles(await send(`GET ${web}/issues?iids[]=2&iids[]=3`))).toEqual(['Dark mode'])
    expect(titles(await send(`GET ${web}/issues?iids[]=2&iids[]=3`, { as: 'bob' }))).toHaveLength(2)
    expect(titles(await send(`GET ${web}/issues?labels=bug,urgent`))).toEqual(['The home page is slow'])
    expect(titles(await send(`GET ${web}/issues?search=footer`))).toEqual(['Typo in the footer'])
    expect(titles(await send(`GET ${web}/issues?sort=asc&per_page=1`))).toEqual(['The home page is slow'])
  })

  test('opens, changes, closes and opens again', async () => {
    expect(await send(`POST ${web}/issues`, { json: { title: 'No' } })).toMatchObject({ status: 401 })
    const json = {
      title: 'New',
      description: '- [x] one\n- [ ] two',
      labels: 'bug,fresh',
      assignee_ids: [ids.alice],
      due_date: '2027-01-01',
    }
    expect(await send(`POST ${web}/issues`, { as: 'mallory', json })).toMatchObject({ status: 403 })
    const opened = await send(`POST ${web}/issues`, { as: 'bob', json })
    expect(opened).toMatchObject({
      status: 201,
      body: {
        labels: ['bug', 'fresh'],
        assignee: { username: 'alice' },
        task_completion_status: { count: 2, completed_count: 1 },
      },
    })
    const path = `${web}/issues/${opened.body.iid}`
    const { body: stone } = await send(`POST ${web}/milestones`, { as: 'bob', json: { title: 'Next' } })
    const set = { milestone_id: stone.id, assignee_ids: [0], state_event: 'close' }
    expect((await send(`PUT ${path}`, { as: 'bob', json: set })).body).toMatchObject({
      milestone: { title: 'Next' },
      assignees: [],
      assignee: null,
      state: 'closed',
      closed_by: { username: 'bob' },
    })
    const again = await send(`PUT ${path}`, { as: 'bob', json: { state_event: 'reopen', milestone_id: 0 } })
    expect(again.body).toMatchObject({ state: 'opened', closed_at: null, milestone: null })
    const relabeled = await send(`PUT ${path}`, {
      as: 'bob',
      json: { add_labels: 'late, ui', remove_labels: ['fresh'] },
    })
    expect(relabeled.body.labels).toEqual(['bug', 'late', 'ui'])
    expect(await send(`PUT ${path}`, { as: 'bob', json: { state_event: 'burn' } })).toMatchObject({
      status: 400,
      body: { error: 'state_event does not have a valid value' },
    })
    expect(await send(`PUT ${path}`, { as: 'bob', json: {} })).toMatchObject({ status: 400 })
    expect(await send(`PUT ${path}`, { as: 'mallory', json: { state_event: 'close' } })).toMatchObject({ status: 403 })
  })

  test('a state alone states no other change', async () => {
    const stated: string[] = []
    forge.platform.on('issue.updated', () => void stated.push('updated'))
    forge.platform.on('issue.closed', () => void stated.push('closed'))
    await send(`PUT ${web}/issues/2`, { as: 'bob', json: { state_event: 'close' } })
    await send(`PUT ${web}/issues/2`, { as: 'bob', json: { title: 'Night mode', state_event: 'close' } })
    expect(stated).toEqual(['closed', 'updated'])
  })

  test('emoji', async () => {
    const path = `${web}/issues/2/award_emoji`
    const { status, body } = await send(`POST ${path}`, { as: 'bob', json: { name: 'rocket' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'rocket',
      url: null,
      user: expect.objectContaining({ username: 'bob' }),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      awardable_id: expect.any(Number),
      awardable_type: 'Issue',
    })
    expect((await send(`POST ${path}`, { as: 'bob', json: { name: 'rocket' } })).body).toEqual(body)
    expect((await send(`GET ${path}`)).body).toEqual([body])
    expect(await send(`POST ${path}`, { as: 'bob', json: { name: 'Rocket!' } })).toMatchObject({ status: 400 })
    expect(await send(`GET ${web}/issues/3/award_emoji`)).toMatchObject({ status: 404 })
  })
})

describe('merge requests', () => {
  test('lists and shows', async () => {
    const { body } = await send(`GET ${web}/merge_requests?state=opened&source_branch=cache-home&search=home`)
    expect(body).toHaveLength(1)
    expect(body[0]).toMatchObject({
      iid: 1,
      source_branch: 'cache-home',
      target_branch: 'main',
      draft: false,
      work_in_progress: false,
      has_conflicts: false,
      merged_by: null,
      reference: '!1',
      references: { full: 'acme/web!1' },
      web_url: `${forge.url}/acme/web/-/merge_requests/1`,
    })
    const one = {
      ...body[0],
      diff_refs: null,
      changes_count: null,
      merge_error: null,
      rebase_in_progress: false,
      subscribed: false,
      latest_build_started_at: null,
      latest_build_finished_at: null,
      first_deployed_to_production_at: null,
      first_contribution: false,
      pipeline: null,
      head_pipeline: null,
      user: { can_merge: false },
    }
    expect((await send(`GET ${web}/merge_requests/1`)).body).toEqual(one)
    expect((await send(`GET ${web}/merge_requests?target_branch=other`)).body).toEqual([])
    expect((await send(`GET ${web}/merge_requests?iids[]=7`)).body).toEqual([])
  })

  test('opens, changes, closes, opens again and merges', async () => {
    const json = { title: 'Draft: more', source_branch: 'more', target_branch: 'main', assignee_ids: [ids.bob] }
    expect(await send(`POST ${web}/merge_requests`, { as: 'dave', json })).toMatchObject({ status: 403 })
    const opened = await send(`POST ${web}/merge_requests`, { as: 'bob', json })
    expect(opened.body).toMatchObject({ iid: 2, draft: true, assignee: { username: 'bob' } })
    expect(await send(`POST ${web}/merge_requests`, { as: 'bob', json })).toMatchObject({
      status: 409,
      body: { message: ['Another open merge request already exists for this source branch: !2'] },
    })
    const path = `${web}/merge_requests/2`
    const put = (json: object) => send(`PUT ${path}`, { as: 'bob', json })
    expect((await put({ title: 'More', state_event: 'close' })).body).toMatchObject({ title: 'More', state: 'closed' })
    expect(await send(`PUT ${path}/merge`, { as: 'bob' })).toMatchObject({
      status: 405,
      body: { message: '405 Method Not Allowed' },
    })
    expect((await put({ state_event: 'reopen' })).body).toMatchObject({ state: 'opened', closed_by: null })
    expect(await send(`PUT ${path}/merge`, { as: 'carol' })).toMatchObject({ status: 403 })
    expect((await send(`PUT ${path}/merge`, { as: 'bob' })).body).toMatchObject({
      state: 'merged',
      merged_by: { username: 'bob' },
    })
    expect(await put({ state_event: 'reopen' })).toMatchObject({ status: 409 })
  })

  test('emoji', async () => {
    const path = `${web}/merge_requests/1/award_emoji`
    const { body } = await send(`POST ${path}`, { as: 'mallory', json: { name: 'thumbsup' } })
    expect(body).toMatchObject({ awardable_type: 'MergeRequest', user: { username: 'mallory' } })
    expect((await send(`GET ${path}`)).body).toEqual([body])
  })
})

test('milestones', async () => {
  const path = `${web}/milestones`
  expect(await send(`POST ${path}`, { as: 'dave', json: { title: 'Next' } })).toMatchObject({ status: 403 })
  const { body } = await send(`POST ${path}`, { as: 'bob', json: { title: 'Next', due_date: '2027-02-01' } })
  expect(body).toMatchObject({ iid: 1, title: 'Next', state: 'active', due_date: '2027-02-01', expired: false })
  expect((await send(`GET ${path}?state=active`)).body).toEqual([body])
  expect((await send(`GET ${path}?state=closed`)).body).toEqual([])
  expect((await send(`GET ${path}?title=Next`)).body).toEqual([body])
  expect(await send(`POST ${path}`, { as: 'bob', json: { title: 'Next' } })).toMatchObject({ status: 400 })
})

test('the metadata has the version and no server for agents', async () => {
  const { body: version } = await send('GET /version', { as: 'bob' })
  const kas = { enabled: false, externalUrl: null, version: null }
  expect((await send('GET /metadata', { as: 'bob' })).body).toEqual({ ...version, kas })
})

test('the license names the plan and the active users', async () => {
  const { body } = await send('GET /application/statistics', { as: 'root' })
  expect(await send('GET /license', { as: 'root' })).toMatchObject({
    status: 200,
    body: { plan: 'ultimate', expires_at: null, expired: false, user_limit: null, active_users: body.active_users },
  })
})

test('the objects of the instance are counted for administrators', async () => {
  const { status, body } = await send('GET /application/statistics', { as: 'root' })
  expect(status).toBe(200)
  for (const count of Object.values(body)) expect(count).toEqual(expect.any(Number))
  await forge.as('bob').issues.create({ project: 'acme/web', title: 'One more' })
  await forge.host.users.block({ user: 'carol' })
  expect((await send('GET /application/statistics', { as: 'root' })).body).toEqual({
    ...body,
    issues: body.issues + 1,
    active_users: body.active_users - 1,
  })
})

everyRouteCalled('instance')
