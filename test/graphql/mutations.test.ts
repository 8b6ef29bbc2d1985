import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fullSeed, readIds } from '../full-seed.ts'
import { world } from '../world.ts'
import { createClient } from './client.ts'

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
beforeEach(async () => {
  forge = await world({ seed: fullSeed, time: '2026-01-01T00:00:00Z' })
  ids = await readIds(forge)
})
afterEach(() => forge.close())

const { data, run, rest } = createClient(() => forge)
const projectPath = 'acme/web'
const base = '/projects/acme%2Fweb'

const labelId = async (name: string) => {
  const { project } = await data(
    'query ($name: String) { project(fullPath: "acme/web") { labels(title: $name) { nodes { id } } } }',
    {
      as: 'alice',
      variables: { name },
    },
  )
  return project.labels.nodes[0].id as string
}

describe('issues', () => {
  const input = { projectPath, iid: '1' }
  const issue = () => rest(`${base}/issues/1`, 'alice')

  test('assignees are replaced, added and removed', async () => {
    const set = async (assigneeUsernames: string[], operationMode?: string) => {
      await run(
        'issueSetAssignees',
        { ...input, assigneeUsernames, ...(operationMode && { operationMode }) },
        'issue { iid }',
      )
      return (await issue()).assignees.map(({ username }: { username: string }) => username).sort()
    }
    expect(await set(['bob'])).toEqual(['bob'])
    expect(await set(['carol', 'bob'], 'APPEND')).toEqual(['bob', 'carol'])
    expect(await set(['Bob'], 'REMOVE')).toEqual(['carol'])
    expect(await set([])).toEqual([])
  })

  test('single fields are changed', async () => {
    await run('issueSetConfidential', { ...input, confidential: true }, 'issue { confidential }')
    await run('issueSetLocked', { ...input, locked: true }, 'issue { discussionLocked }')
    await run('issueSetDueDate', { ...input, dueDate: '2026-03-01' }, 'issue { dueDate }')
    await run('issueSetWeight', { ...input, weight: 3 }, 'issue { weight }')
    expect(await issue()).toMatchObject({
      confidential: true,
      discussion_locked: true,
      due_date: '2026-03-01',
      weight: 3,
    })
    expect(await run('issueSetWeight', input, 'issue { weight }')).toEqual({ issue: { weight: null }, errors: [] })
    expect(await run('issueSetDueDate', input, 'issue { dueDate }')).toEqual({ issue: { dueDate: null }, errors: [] })
    const milestoneId = `gid://gitlab/Milestone/${ids.milestone_id}`
    const update = {
      ...input,
      milestoneId,
      labelIds: [await labelId('bug')],
      addLabelIds: [await labelId('of-the-group')],
    }
    await run('updateIssue', update, 'issue { iid }')
    expect(await issue()).toMatchObject({ milestone: { id: ids.milestone_id }, labels: ['bug', 'of-the-group'] })
    await run(
      'updateIssue',
      { ...input, milestoneId: null, removeLabelIds: [await labelId('bug')], description: null },
      'issue { iid }',
    )
    expect(await issue()).toMatchObject({ milestone: null, labels: ['of-the-group'], description: null })
    expect(await run('updateIssue', input, 'issue { iid }')).toEqual({
      issue: null,
      errors: [expect.stringContaining('title')],
    })
  })

  test('new issues have labels and a milestone', async () => {
    const create = {
      projectPath,
      title: 'New',
      labelIds: [await labelId('bug')],
      milestoneId: `gid://gitlab/Milestone/${ids.milestone_id}`,
    }
    const { issue: created } = await run('createIssue', create, 'issue { milestone { id } labels { nodes { title } } }')
    expect(created).toEqual({ milestone: { id: create.milestoneId }, labels: { nodes: [{ title: 'bug' }] } })
  })
})

describe('merge requests', () => {
  const input = { projectPath, iid: '1' }
  const read = () => rest(`${base}/merge_requests/1`, 'alice')

  test('users, labels, the milestone, the draft and the lock are changed', async () => {
    await run('mergeRequestSetAssignees', { ...input, assigneeUsernames: ['bob'] }, 'mergeRequest { iid }')
    await run('mergeRequestSetReviewers', { ...input, reviewerUsernames: ['carol'] }, 'mergeRequest { iid }')
    await run(
      'mergeRequestSetReviewers',
      { ...input, reviewerUsernames: ['bob'], operationMode: 'APPEND' },
      'mergeRequest { iid }',
    )
    await run('mergeRequestSetLabels', { ...input, labelIds: [await labelId('bug')] }, 'mergeRequest { iid }')
    await run('mergeRequestSetLocked', { ...input, locked: true }, 'mergeRequest { iid }')
    const milestoneId = `gid://gitlab/Milestone/${ids.milestone_id}`
    await run('mergeRequestSetMilestone', { ...input, milestoneId }, 'mergeRequest { iid }')
    const changed = await read()
    expect(changed).toMatchObject({
      assignees: [{ username: 'bob' }],
      labels: ['bug'],
      milestone: { id: ids.milestone_id },
      discussion_locked: true,
    })
    expect(changed.reviewers.map(({ username }: { username: string }) => username).sort()).toEqual(['bob', 'carol'])
    await run(
      'mergeRequestSetLabels',
      { ...input, labelIds: [await labelId('bug')], operationMode: 'REMOVE' },
      'mergeRequest { iid }',
    )
    await run('mergeRequestSetMilestone', input, 'mergeRequest { iid }')
    expect(await read()).toMatchObject({ labels: [], milestone: null })
    const { title } = await read()
    for (const draft of [true, true, false, false]) {
      const { mergeRequest } = await run('mergeRequestSetDraft', { ...input, draft }, 'mergeRequest { draft title }')
      expect(mergeRequest).toEqual({ draft, title: draft ? `Draft: ${title}` : title })
    }
  })

  test('a merge requires the current head', async () => {
    const { sha } = await read()
    const accept = (given: string) => run('mergeRequestAccept', { ...input, sha: given }, 'mergeRequest { state }')
    expect(await accept('f'.repeat(40))).toEqual({ mergeRequest: null, errors: [expect.any(String)] })
    expect(await accept(sha)).toEqual({ mergeRequest: { state: 'merged' }, errors: [] })
    expect((await accept(sha)).errors).toHaveLength(1)
  })
})

describe('notes', () => {
  test('notes are created, changed and removed', async () => {
    const noteableId = `gid://gitlab/MergeRequest/${(await rest(`${base}/merge_requests/1`, 'alice')).id}`
    const { note } = await run('createNote', { noteableId, body: 'Text', internal: true }, 'note { id internal }', {
      as: 'bob',
    })
    expect(note.internal).toBe(true)
    const updated = await run('updateNote', { id: note.id, body: 'Better' }, 'note { body system }', { as: 'bob' })
    expect(updated).toEqual({ note: { body: 'Better', system: false }, errors: [] })
    expect(await run('updateNote', { id: note.id, body: ' ' }, 'note { body }', { as: 'bob' })).toEqual({
      note: null,
      errors: [expect.any(String)],
    })
    expect(await run('destroyNote', { id: note.id }, 'note { id }', { as: 'bob' })).toEqual({ note: null, errors: [] })
    expect(
      (await data('query ($id: NoteID!) { note(id: $id) { id } }', { as: 'bob', variables: { id: note.id } })).note,
    ).toBeNull()
    const started = await run(
      'createDiscussion',
      { noteableId, body: 'Thread' },
      'note { body } discussion { resolvable notes { nodes { body } } }',
    )
    expect(started).toMatchObject({
      note: { body: 'Thread' },
      discussion: { resolvable: true, notes: { nodes: [{ body: 'Thread' }] } },
    })
  })

  test('quick actions are executed', async () => {
    const noteableId = `gid://gitlab/Issue/${(await rest(`${base}/issues/1`, 'alice')).id}`
    const selection = 'note { id } quickActionsStatus { commandsOnly messages }'
    expect(await run('createNote', { noteableId, body: '/close' }, selection)).toEqual({
      note: null,
      quickActionsStatus: { commandsOnly: true, messages: [expect.any(String)] },
      errors: [],
    })
    expect((await rest(`${base}/issues/1`, 'alice')).state).toBe('closed')
  })

  test('only discussions of merge requests can be resolved', async () => {
    const noteableId = `gid://gitlab/Issue/${(await rest(`${base}/issues/1`, 'alice')).id}`
    const { discussion } = await run('createDiscussion', { noteableId, body: 'Thread' }, 'discussion { id }')
    expect(await run('discussionToggleResolve', { id: discussion.id, resolve: true }, 'discussion { id }')).toEqual({
      discussion: null,
      errors: ['Only merge requests have resolvable discussions'],
    })
  })

  test('emoji are toggled', async () => {
    const awardableId = `gid://gitlab/MergeRequest/${(await rest(`${base}/merge_requests/1`, 'alice')).id}`
    const toggle = () =>
      run('awardEmojiToggle', { awardableId, name: ':tada:' }, 'toggledOn awardEmoji { name user { username } }')
    const awardEmoji = { name: 'tada', user: { username: 'alice' } }
    expect(await toggle()).toEqual({ toggledOn: true, awardEmoji, errors: [] })
    expect(await toggle()).toEqual({ toggledOn: false, awardEmoji, errors: [] })
    expect(await run('awardEmojiRemove', { awardableId, name: 'tada' }, 'awardEmoji { name }')).toEqual({
      awardEmoji: null,
      errors: ['You have not given this emoji'],
    })
    const { id } = await rest(`/groups/acme/epics/${ids.epic_iid}`, 'alice')
    const workItem = `gid://gitlab/WorkItem/${1_000_000_000_000 + id}`
    const given = { awardEmoji: { name: 'tada' }, errors: [] }
    expect(await run('awardEmojiAdd', { awardableId: workItem, name: 'tada' }, 'awardEmoji { name }')).toEqual(given)
  })
})

describe('work items', () => {
  test('epics are created, changed and removed', async () => {
    const create = {
      namespacePath: 'acme',
      title: 'Plan',
      workItemTypeId: 'gid://gitlab/WorkItems::Type/8',
      descriptionWidget: { description: 'Text' },
      startAndDueDateWidget: { startDate: '2026-01-01', dueDate: '2026-02-01' },
      labelsWidget: { labelIds: [await groupLabel()] },
      colorWidget: { color: 'red' },
    }
    const selection = 'workItem { id iid title state workItemType { name } namespace { fullPath } project { id } }'
    const { workItem, errors } = await run('workItemCreate', create, selection)
    expect({ workItem, errors }).toMatchObject({
      workItem: {
        title: 'Plan',
        state: 'OPEN',
        workItemType: { name: 'Epic' },
        namespace: { fullPath: 'acme' },
        project: null,
      },
      errors: [],
    })
    const epic = () => rest(`/groups/acme/epics/${workItem.iid}`, 'alice')
    expect(await epic()).toMatchObject({
      description: 'Text',
      start_date: '2026-01-01',
      due_date: '2026-02-01',
      labels: ['of-the-group'],
      color: '#FF0000',
    })
    const update = { id: workItem.id, title: 'Better', stateEvent: 'CLOSE', startAndDueDateWidget: { startDate: null } }
    const widgets = `workItem {
      state
      widgets(onlyTypes: [LABELS, COLOR, START_AND_DUE_DATE, NOTES, ASSIGNEES]) {
        type
        ... on WorkItemWidgetLabels { labels { nodes { title } } }
        ... on WorkItemWidgetColor { color textColor }
        ... on WorkItemWidgetStartAndDueDate { startDate dueDate }
        ... on WorkItemWidgetNotes { notes { count } }
      }
    }`
    expect((await run('workItemUpdate', update, widgets)).workItem).toEqual({
      state: 'CLOSED',
      widgets: [
        { type: 'COLOR', color: '#FF0000', textColor: '#FFFFFF' },
        { type: 'LABELS', labels: { nodes: [{ title: 'of-the-group' }] } },
        { type: 'NOTES', notes: { count: expect.any(Number) } },
        { type: 'START_AND_DUE_DATE', startDate: null, dueDate: '2026-02-01' },
      ],
    })
    const assignees = { id: workItem.id, assigneesWidget: { assigneeIds: ['gid://gitlab/User/1'] } }
    expect((await run('workItemUpdate', assignees, 'workItem { id }')).errors).toEqual([
      'Following widget keys are not supported by Epic type: [:assignees_widget]',
    ])
    expect(await run('createNote', { noteableId: workItem.id, body: 'On an epic' }, 'note { body }')).toEqual({
      note: { body: 'On an epic' },
      errors: [],
    })
    expect((await run('workItemDelete', { id: workItem.id }, '', { as: 'alice' })).errors).toEqual([])
    const { workItem: gone } = await data('query ($id: WorkItemID!) { workItem(id: $id) { id } }', {
      as: 'alice',
      variables: { id: workItem.id },
    })
    expect(gone).toBeNull()
  })

  const groupLabel = async () => {
    const { group } = await data('{ group(fullPath: "acme") { labels(title: "of-the-group") { nodes { id } } } }', {
      as: 'alice',
    })
    return group.labels.nodes[0].id as string
  }

  test('time is tracked, separately from other changes', async () => {
    const { namespace } = await data('{ namespace(fullPath: "acme/web") { workItem(iid: "1") { id } } }', {
      as: 'alice',
    })
    const { id } = namespace.workItem
    const selection =
      'workItem { widgets(onlyTypes: [TIME_TRACKING]) { ... on WorkItemWidgetTimeTracking { timeEstimate totalTimeSpent } } }'
    const track = (timeTrackingWidget: object, rest = {}) =>
      run('workItemUpdate', { id, timeTrackingWidget, ...rest }, selection)
    expect((await track({ timeEstimate: '2h' })).workItem.widgets).toMatchObject([{ timeEstimate: 7_200 }])
    expect((await track({ timelog: { timeSpent: '1h', summary: 'Work' } })).workItem.widgets).toEqual([
      { timeEstimate: 7_200, totalTimeSpent: 3_600 },
    ])
    expect((await track({ timeEstimate: '3h' }, { title: 'x' })).errors).toHaveLength(1)
    expect((await track({ timeEstimate: '3h', timelog: { timeSpent: '1h' } })).errors).toHaveLength(1)
    expect((await track({ timeEstimate: 'long' })).errors).toHaveLength(1)
    expect((await rest(`${base}/issues/1`, 'alice')).time_stats).toMatchObject({
      time_estimate: 7_200,
      total_time_spent: 3_600,
    })
    const start = { id, startAndDueDateWidget: { startDate: '2026-01-01' } }
    expect((await run('workItemUpdate', start, 'workItem { id }')).errors).toEqual(['Issues have no start date'])
    expect((await run('workItemDelete', { id }, '')).errors).toEqual([])
  })
})

describe('branches, labels and to-do items', () => {
  test('commits and branches are created', async () => {
    const branch = await run(
      'createBranch',
      { projectPath, name: 'topic', ref: 'main' },
      'branch { name commit { sha } }',
      { as: 'bob' },
    )
    const main = await rest(`${base}/repository/branches/main`, 'alice')
    expect(branch).toEqual({ branch: { name: 'topic', commit: { sha: main.commit.id } }, errors: [] })
    expect(
      (await run('createBranch', { projectPath, name: 'topic', ref: 'main' }, 'branch { name }', { as: 'bob' })).errors,
    ).toEqual(['Branch already exists'])
    const commit = {
      projectPath,
      branch: 'topic',
      message: 'Add a file',
      actions: [{ action: 'CREATE', filePath: 'new.txt', content: 'TmV3', encoding: 'BASE64' }],
    }
    const { commit: created } = await run('commitCreate', commit, 'commit { sha title }', { as: 'bob' })
    expect(created).toMatchObject({ title: 'Add a file' })
    const { project } = await data(
      '{ project(fullPath: "acme/web") { repository { blobs(paths: ["new.txt"], ref: "topic") { nodes { rawBlob } } } } }',
      { as: 'bob' },
    )
    expect(project.repository.blobs.nodes).toEqual([{ rawBlob: 'New' }])
    const again = await run('commitCreate', commit, 'commit { sha }', { as: 'bob' })
    expect(again).toEqual({ commit: null, errors: [expect.any(String)] })
  })

  test('labels are created in projects and groups', async () => {
    const project = await run('labelCreate', { projectPath, title: 'fresh' }, 'label { title color }')
    expect(project).toEqual({ label: { title: 'fresh', color: '#6699cc' }, errors: [] })
    const group = await run(
      'labelCreate',
      { groupPath: 'acme', title: 'shared', color: '#ff0000', description: 'x' },
      'label { description }',
    )
    expect(group).toEqual({ label: { description: 'x' }, errors: [] })
    expect((await run('labelCreate', { title: 'nowhere' }, 'label { id }')).errors).toHaveLength(1)
    expect((await run('labelCreate', { projectPath, title: 'fresh' }, 'label { id }')).errors).toHaveLength(1)
  })

  test('to-do items are created, read and done', async () => {
    const targetId = `gid://gitlab/Issue/${(await rest(`${base}/issues/2`, 'alice')).id}`
    const { todo } = await run('todoCreate', { targetId }, 'todo { id state targetType }', { as: 'bob' })
    expect(todo).toMatchObject({ state: 'pending', targetType: 'ISSUE' })
    const read = `query ($state: [TodoStateEnum!]) { currentUser { todos(state: $state) {
      count nodes { id state action body target { webUrl __typename } project { fullPath } group { id } author { username } }
    } } }`
    const todosOf = async (state: string[]) =>
      (await data(read, { as: 'bob', variables: { state } })).currentUser.todos.nodes.filter(
        ({ id }: { id: string }) => id === todo.id,
      )
    expect(await todosOf(['pending'])).toEqual([
      {
        id: todo.id,
        state: 'pending',
        action: 'marked',
        body: expect.any(String),
        target: { webUrl: `${forge.url}/acme/web/-/issues/2`, __typename: 'Issue' },
        project: { fullPath: 'acme/web' },
        group: null,
        author: { username: 'bob' },
      },
    ])
    expect(await run('todoMarkDone', { id: todo.id }, 'todo { state }', { as: 'bob' })).toEqual({
      todo: { state: 'done' },
      errors: [],
    })
    expect(await todosOf(['pending'])).toEqual([])
    expect(await todosOf(['done'])).toHaveLength(1)
    expect(await todosOf(['done', 'pending'])).toHaveLength(1)
  })

  test('to-do items about requests of access refer to projects and groups', async () => {
    await forge.host.users.create({ username: 'visitor' })
    await forge.as('visitor').accessRequests.create({ group: 'acme' })
    await forge.as('visitor').accessRequests.create({ project: 'acme/web' })
    const read = `{ currentUser { todos(action: [member_access_requested]) {
      nodes { targetType targetUrl target { __typename webUrl ... on Project { fullPath } ... on Group { fullName } } }
    } } }`
    const { nodes } = (await data(read, { as: 'alice' })).currentUser.todos
    const { url } = forge
    expect(nodes.slice(0, 2)).toEqual([
      {
        targetType: 'PROJECT',
        targetUrl: `${url}/acme/web/-/project_members?tab=access_requests`,
        target: { __typename: 'Project', webUrl: `${url}/acme/web`, fullPath: 'acme/web' },
      },
      {
        targetType: 'NAMESPACE',
        targetUrl: `${url}/groups/acme/-/group_members?tab=access_requests`,
        target: { __typename: 'Group', webUrl: `${url}/groups/acme`, fullName: 'Acme' },
      },
    ])
  })
})
