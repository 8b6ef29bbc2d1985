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
const notes = '/projects/acme%2Fweb/issues/2/notes'
const missing = { status: 404, body: { message: '404 Not found' } }

const pending = async (as: string) => (await send('GET /todos', { as })).body

test('open assigned items and pending to-do items are counted', async () => {
  const { issues, mergeRequests } = forge.host
  const { id: bob } = await forge.host.users.get({ user: 'bob' })
  const before = (await send('GET /user_counts', { as: 'bob' })).body
  await issues.create({ project, author: 'alice', title: 'One', assignees: [bob] })
  const closed = await issues.create({ project, author: 'alice', title: 'Two', assignees: [bob] })
  await issues.update({ project, issue: closed.iid, stateEvent: 'close' })
  const branches = { sourceBranch: 'counted', targetBranch: 'main' }
  await mergeRequests.create({ project, author: 'alice', title: 'MR', ...branches, assignees: [bob], reviewers: [bob] })
  const { body } = await send('GET /user_counts', { as: 'bob' })
  expect(body).toEqual({
    merge_requests: before.merge_requests + 1,
    assigned_issues: before.assigned_issues + 1,
    assigned_merge_requests: before.assigned_merge_requests + 1,
    review_requested_merge_requests: before.review_requested_merge_requests + 1,
    todos: (await pending('bob')).length,
  })
})

test.each([
  ['issues', 1],
  ['merge_requests', 1],
])('the target among %s has the fields of the single one', async (kind, iid) => {
  const path = `/projects/acme%2Fweb/${kind}/${iid}`
  const { body } = await send(`POST ${path}/todo`, { as: 'erin' })
  const single = (await send(`GET ${path}`, { as: 'erin' })).body
  expect(single).toMatchObject(body.target)
  expect(body.target).toMatchObject({ references: single.references, subscribed: single.subscribed })
  await send(`POST ${path}/notes`, { as: 'erin', json: { body: 'I take part' } })
  // A comment completes the to-do item.
  const [done] = (await send('GET /todos?state=done', { as: 'erin' })).body
  expect(done).toMatchObject({ id: body.id, target: { subscribed: true } })
})

test('the target of a to-do item on an epic is the epic, and its group is a namespace', async () => {
  const { body: epic } = await send('POST /groups/acme/epics', { as: 'alice', json: { title: 'Grow' } })
  const path = `/groups/acme/epics/${epic.iid}`
  const { body } = await send(`POST ${path}/todo`, { as: 'bob' })
  const { id, name } = (await send('GET /groups/acme')).body
  expect(body.group).toMatchObject({ id, name, kind: 'group', full_path: 'acme', parent_id: null })
  expect(body.target).toEqual((await send(`GET ${path}`, { as: 'bob' })).body)
  expect(body.target).toMatchObject({ ...epic, subscribed: false, user_notes_count: 0 })
  await send(`POST ${path}/notes`, { as: 'bob', json: { body: 'I take part' } })
  expect((await send(`GET ${path}`, { as: 'bob' })).body).toMatchObject({ subscribed: true, user_notes_count: 1 })
})

test('a todo tells of its project, author and target', async () => {
  const [todo] = await pending('bob')
  const { id } = await forge.host.projects.get({ project })
  expect(todo).toEqual({
    id: expect.any(Number),
    project: {
      id,
      description: 'The public website',
      name: 'Web',
      name_with_namespace: 'Acme / Web',
      path: 'web',
      path_with_namespace: project,
      created_at: expect.any(String),
    },
    author: expect.objectContaining({ username: 'dave', state: 'active' }),
    action_name: 'assigned',
    target_type: 'Issue',
    target: expect.objectContaining({
      iid: 1,
      project_id: id,
      title: 'The home page is slow',
      state: 'opened',
      upvotes: 2,
      downvotes: 0,
      labels: ['bug', 'urgent'],
      author: expect.objectContaining({ username: 'dave' }),
      assignee: expect.objectContaining({ username: 'bob' }),
      assignees: [expect.objectContaining({ username: 'bob' })],
      milestone: expect.objectContaining({ title: '1.0', state: 'active', due_date: '2027-01-31' }),
      user_notes_count: 0,
      subscribed: true,
      confidential: false,
      due_date: null,
      web_url: 'http://forge.test/acme/web/-/issues/1',
    }),
    target_url: 'http://forge.test/acme/web/-/issues/1',
    body: 'The home page is slow',
    state: 'pending',
    created_at: expect.stringMatching(/\.\d{3}Z$/),
    updated_at: expect.stringMatching(/\.\d{3}Z$/),
  })
})

test('a merge request as target has all that the specification names', async () => {
  const [{ target, target_url }] = await pending('alice')
  expect(target).toMatchObject({
    iid: 1,
    title: 'Cache the home page',
    description: null,
    state: 'opened',
    target_branch: 'main',
    source_branch: 'cache-home',
    upvotes: 0,
    downvotes: 0,
    author: { username: 'bob' },
    assignee: { username: 'alice' },
    labels: ['bug'],
    work_in_progress: false,
    milestone: null,
    merge_when_pipeline_succeeds: false,
    merge_status: 'can_be_merged',
    subscribed: true,
    user_notes_count: 0,
  })
  expect(target.source_project_id).toBe(target.project_id)
  expect(target.target_project_id).toBe(target.project_id)
  expect(target_url).toBe('http://forge.test/acme/web/-/merge_requests/1')
})

test('comments end one’s own todos and open those of whom they mention, one for each comment', async () => {
  await forge.as('bob').todos.create({ project, issue: 2 })
  const first = await send(`POST ${notes}`, { as: 'bob', json: { body: 'what does @mallory say?' } })
  await send(`POST ${notes}`, { as: 'bob', json: { body: '@mallory ?' } })
  expect((await pending('bob')).map((todo: { body: string }) => todo.body)).toEqual(['The home page is slow'])
  expect(await pending('mallory')).toMatchObject([
    { action_name: 'directly_addressed', body: '@mallory ?' },
    {
      action_name: 'mentioned',
      body: 'what does @mallory say?',
      target_url: `http://forge.test/acme/web/-/issues/2#note_${first.body.id}`,
      target: { user_notes_count: 2 },
    },
  ])
  await send(`POST ${notes}`, { as: 'bob', json: { body: '@dave look' } })
  expect(await pending('dave')).toMatchObject([{ action_name: 'directly_addressed' }])
  await send(`DELETE ${notes}/${first.body.id}`, { as: 'bob' })
  expect(await pending('mallory')).toMatchObject([{ action_name: 'directly_addressed' }])
})

test('a request of access has the project or group as target, and the URL of its members', async () => {
  await send('POST /groups/acme/access_requests', { as: 'mallory' })
  await send('POST /projects/acme%2Fweb/access_requests', { as: 'mallory' })
  const list = async (type: string) => (await send(`GET /todos?type=${type}`, { as: 'alice' })).body
  const { id: groupId } = await forge.host.groups.get({ group: 'acme' })
  expect(await list('Namespace')).toMatchObject([
    {
      action_name: 'member_access_requested',
      author: { username: 'mallory' },
      target_type: 'Namespace',
      target: { id: groupId, full_path: 'acme', web_url: 'http://forge.test/groups/acme' },
      target_url: 'http://forge.test/groups/acme/-/group_members?tab=access_requests',
      body: 'acme',
    },
  ])
  expect(await list('Project')).toMatchObject([
    {
      target_type: 'Project',
      target: { path_with_namespace: project, web_url: 'http://forge.test/acme/web' },
      target_url: 'http://forge.test/acme/web/-/project_members?tab=access_requests',
      project: { path_with_namespace: project },
    },
  ])
  expect(await list('Commit')).toEqual([])
  expect((await send('GET /todos?type=Unknown', { as: 'alice' })).status).toBe(400)
})

test('newest first, pending unless done ones are asked for', async () => {
  await forge.as('bob').todos.create({ project, issue: 2 })
  await forge.as('bob').todos.create({ project, mergeRequest: 1 })
  const ids = (await pending('bob')).map(({ id }: { id: number }) => id)
  expect(ids).toEqual([...ids].sort((a: number, b: number) => b - a))
  expect(await send(`POST /todos/${ids[1]}/mark_as_done`, { as: 'bob' })).toMatchObject({
    status: 200,
    body: { id: ids[1], state: 'done' },
  })
  const list = async (query: string) =>
    (await send(`GET /todos${query}`, { as: 'bob' })).body.map(({ id }: { id: number }) => id)
  expect(await list('')).toEqual([ids[0], ids[2]])
  expect(await list('?state=pending')).toEqual([ids[0], ids[2]])
  expect(await list('?state=open')).toEqual([ids[0], ids[2]])
  expect(await list('?state=done')).toEqual([ids[1]])
  expect(await list('?type=MergeRequest')).toEqual([ids[0]])
  expect(await list('?action=assigned')).toEqual([ids[2]])
  expect(await list('?per_page=1&page=2')).toEqual([ids[2]])
})

test('marking again, somebody else’s, a missing one', async () => {
  const [{ id }] = await pending('bob')
  for (const as of ['alice', 'root'])
    expect(await send(`POST /todos/${id}/mark_as_done`, { as })).toMatchObject(missing)
  expect(await send(`POST /todos/${id}/mark_as_done`)).toMatchObject({ status: 401 })
  for (let times = 0; times < 2; times++) {
    const { status, body } = await send(`POST /todos/${id}/mark_as_done`, { as: 'bob' })
    expect([status, body.state]).toEqual([200, 'done'])
  }
  expect(await send('POST /todos/4711/mark_as_done', { as: 'bob' })).toMatchObject(missing)
  expect(await send('POST /todos/x/mark_as_done', { as: 'bob' })).toMatchObject({
    status: 400,
    body: { error: 'id is invalid' },
  })
})

test('marking all answers nothing, and touches nobody else', async () => {
  const done = await send('POST /todos/mark_as_done', { as: 'bob' })
  expect([done.status, done.text]).toEqual([204, ''])
  expect(await pending('bob')).toEqual([])
  expect(await pending('alice')).toHaveLength(1)
  expect(await send('POST /todos/mark_as_done')).toMatchObject({ status: 401 })
})

test('places and people that cannot be found, hidden or not', async () => {
  const hidden = (await forge.host.projects.get({ project: 'acme/tools/deploy' })).id
  const group = (await forge.host.groups.get({ group: 'partners' })).id
  for (const query of [
    `project_id=${hidden}`,
    'project_id=4711',
    `group_id=${group}`,
    'group_id=4711',
    'author_id=4711',
  ]) {
    expect(await send(`GET /todos?${query}`, { as: 'mallory' }), query).toMatchObject(missing)
  }
  const { id } = await forge.host.groups.get({ group: 'acme' })
  expect((await send(`GET /todos?group_id=${id}`, { as: 'bob' })).body).toHaveLength(1)
})

test('a todo on what is no longer readable is left out, and does not count', async () => {
  await forge.as('alice').issues.update({ project, issue: 3, assignees: ['mallory'] })
  expect(await pending('mallory')).toHaveLength(1)
  await forge.as('alice').issues.update({ project, issue: 3, assignees: [] })
  const { body, headers } = await send('GET /todos', { as: 'mallory' })
  expect([body, headers.get('x-total')]).toEqual([[], '0'])
})

test('a todo on an epic has a group', async () => {
  const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
  await forge.as('mallory').todos.create({ group: 'acme', epic: epic.iid })
  const [todo] = await pending('mallory')
  expect(todo).toMatchObject({ target_type: 'Epic', group: { full_path: 'acme' }, target: { title: 'Big' } })
  expect(todo.target_url).toBe(`http://forge.test/groups/acme/-/epics/${epic.iid}`)
  expect(todo).not.toHaveProperty('project')
  const [item] = (await forge.as('mallory').todos.list({ state: 'pending' })).items
  expect(item).toMatchObject({ group: { fullPath: 'acme' }, target: { title: 'Big' } })
  expect(item).not.toHaveProperty('project')
  const ofIssue = (await pending('bob')).find(({ target_type }: { target_type: string }) => target_type === 'Issue')
  expect(ofIssue).toMatchObject({ project: { path_with_namespace: project } })
  expect(ofIssue).not.toHaveProperty('group')
})

test.each([
  ['action=asked', 'action does not have a valid value'],
  ['type=issue', 'type does not have a valid value'],
  ['author_id=bob', 'author_id is invalid'],
  ['project_id=acme%2Fweb', 'project_id is invalid'],
  ['group_id=acme', 'group_id is invalid'],
  ['per_page=0', 'per_page has a value not allowed'],
])('%s is refused', async (query, error) => {
  expect(await send(`GET /todos?${query}`, { as: 'bob' })).toMatchObject({ status: 400, body: { error } })
  expect(await send(`GET /todos?${query}`)).toMatchObject({ status: 401 })
})

test.each(['projects/acme%2Fweb/issues', 'projects/acme%2Fweb/merge_requests', 'groups/acme/epics'])(
  'a todo on one of %s is created once',
  async (path) => {
    await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    const line = `POST /${path}/1/todo`
    const { status, body } = await send(line, { as: 'mallory' })
    expect({ status, body }).toMatchObject({ status: 201, body: { action_name: 'marked', target: { iid: 1 } } })
    expect(await send(line, { as: 'mallory' })).toMatchObject({ status: 304 })
  },
)

everyRouteCalled('todos')
