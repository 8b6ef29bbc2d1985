import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mutations } from '../../packages/http/src/graphql/schema.ts'
import { fullSeed, readIds } from '../full-seed.ts'
import { world } from '../sqlite-world.ts'
import { createClient, formatMutation } from './client.ts'

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
beforeEach(async () => {
  forge = await world({ seed: fullSeed, time: '2026-01-01T00:00:00Z' })
  ids = await readIds(forge)
})
afterEach(() => forge.close())

const { data, send, run, rest } = createClient(() => forge)
const projectPath = 'acme/web'
const base = '/projects/acme%2Fweb'

describe('permissions', () => {
  const issueId = async () => (await rest(`${base}/issues/1`, 'alice')).id
  const mergeRequestId = async () => (await rest(`${base}/merge_requests/1`, 'alice')).id

  /** An input of each mutation that a member could send. */
  const createInputs = async (): Promise<Readonly<Record<string, object>>> => {
    const item = { projectPath, iid: '1' }
    const workItem = `gid://gitlab/WorkItem/${await issueId()}`
    const noteableId = `gid://gitlab/MergeRequest/${await mergeRequestId()}`
    const note = `gid://gitlab/Note/${ids.merge_requests_note}`
    const { sha } = await rest(`${base}/merge_requests/1`, 'alice')
    const { discussion } = await run('createDiscussion', { noteableId, body: 'x' }, 'discussion { id }')
    return {
      createIssue: { projectPath, title: 'x' },
      updateIssue: { ...item, title: 'x' },
      issueSetAssignees: { ...item, assigneeUsernames: ['bob'] },
      issueSetConfidential: { ...item, confidential: true },
      issueSetDueDate: { ...item, dueDate: '2026-01-01' },
      issueSetLocked: { ...item, locked: true },
      issueSetWeight: { ...item, weight: 3 },
      issueMove: { ...item, targetProjectPath: 'acme/tools/deploy' },
      mergeRequestCreate: { projectPath, title: 'x', sourceBranch: 'main', targetBranch: 'cache-home' },
      mergeRequestUpdate: { ...item, title: 'x' },
      mergeRequestSetAssignees: { ...item, assigneeUsernames: ['bob'] },
      mergeRequestSetReviewers: { ...item, reviewerUsernames: ['bob'] },
      mergeRequestSetLabels: { ...item, labelIds: [] },
      mergeRequestSetMilestone: item,
      mergeRequestSetDraft: { ...item, draft: true },
      mergeRequestSetLocked: { ...item, locked: true },
      mergeRequestAccept: { ...item, sha },
      createNote: { noteableId, body: 'x' },
      createDiscussion: { noteableId, body: 'x' },
      createDiffNote: { noteableId, body: 'x', position: { headSha: sha, startSha: sha, paths: { newPath: 'x' } } },
      updateNote: { id: note, body: 'x' },
      destroyNote: { id: note },
      discussionToggleResolve: { id: discussion.id, resolve: true },
      awardEmojiAdd: { awardableId: noteableId, name: 'tada' },
      awardEmojiRemove: { awardableId: note, name: 'tada' },
      awardEmojiToggle: { awardableId: workItem, name: 'tada' },
      workItemCreate: { namespacePath: projectPath, title: 'x', workItemTypeId: 'gid://gitlab/WorkItems::Type/1' },
      workItemUpdate: { id: workItem, title: 'x' },
      workItemDelete: { id: workItem },
      workItemConvert: { id: workItem, workItemTypeId: 'gid://gitlab/WorkItems::Type/1' },
      workItemAddLinkedItems: { id: workItem, workItemsIds: [workItem] },
      workItemRemoveLinkedItems: { id: workItem, workItemsIds: [workItem] },
      createBranch: { projectPath, name: 'x', ref: 'main' },
      commitCreate: { projectPath, branch: 'main', message: 'x', actions: [] },
      labelCreate: { projectPath, title: 'x' },
      todoCreate: { targetId: noteableId },
      todoMarkDone: { id: `gid://gitlab/Todo/${ids.todo_id}` },
    }
  }

  test.each([
    ['anonymous callers', undefined],
    ['users without access', 'mallory'],
  ])('%s change nothing, and learn nothing', async (_, as) => {
    await forge.host.projects.update({ project: projectPath, visibility: 'private' })
    const inputs = await createInputs()
    expect(Object.keys(inputs).sort()).toEqual(Object.keys(mutations).sort())
    const before = await rest(`${base}/issues/1`, 'alice')
    const messages = new Set<string>()
    for (const [name, input] of Object.entries(inputs)) {
      const query = formatMutation(name, 'errors')
      const { status, errors } = await send(query, { ...(as !== undefined && { as }), variables: { input } })
      expect({ name, status, errors: errors?.length }).toEqual({ name, status: 200, errors: 1 })
      messages.add(errors[0].message)
    }
    expect([...messages]).toEqual([
      expect.stringMatching(/^The resource .* does not exist or you don't have permission/),
    ])
    expect(await rest(`${base}/issues/1`, 'alice')).toEqual(before)
  })

  test('tokens that may only read change nothing', async () => {
    const { secret } = await forge.host.tokens.create({ user: 'alice', scopes: ['read_api'] })
    for (const [name, input] of Object.entries(await createInputs())) {
      if (name === 'workItemConvert') continue
      const query = formatMutation(name, 'errors')
      const { errors, data: result } = await send(query, { token: secret, variables: { input } })
      const message: string = errors?.[0].message ?? result[name].errors[0]
      expect(message, name).toMatch(/scopes do not permit|have not given|not linked/)
    }
  })

  test('objects of other users cannot be looked up', async () => {
    await forge.host.projects.update({ project: projectPath, visibility: 'private' })
    const query = `query ($issue: IssueID!, $mergeRequest: MergeRequestID!, $note: NoteID!, $workItem: WorkItemID!, $awardable: AwardableID!, $milestone: MilestoneID!, $project: [ID!]) {
      issue(id: $issue) { id } mergeRequest(id: $mergeRequest) { id } note(id: $note) { id } workItem(id: $workItem) { id }
      awardable(id: $awardable) { __typename } milestone(id: $milestone) { id } projects(ids: $project) { nodes { id } }
      namespace(fullPath: "acme/web") { id }
    }`
    const issue = await rest(`${base}/issues/1`, 'alice')
    const variables = {
      issue: `gid://gitlab/Issue/${issue.id}`,
      mergeRequest: `gid://gitlab/MergeRequest/${await mergeRequestId()}`,
      note: `gid://gitlab/Note/${ids.issues_note}`,
      workItem: `gid://gitlab/WorkItem/${issue.id}`,
      awardable: `gid://gitlab/Issue/${issue.id}`,
      milestone: `gid://gitlab/Milestone/${ids.milestone_id}`,
      project: [`gid://gitlab/Project/${issue.project_id}`],
    }
    const hidden = {
      issue: null,
      mergeRequest: null,
      note: null,
      workItem: null,
      awardable: null,
      milestone: null,
      projects: { nodes: [] },
      namespace: null,
    }
    expect(await data(query, { as: 'mallory', variables })).toEqual(hidden)
    expect(await data(query, { variables })).toEqual(hidden)
    const visible = await data(query, { as: 'alice', variables })
    expect(visible).toMatchObject({
      issue: { id: variables.issue },
      mergeRequest: { id: variables.mergeRequest },
      note: { id: variables.note },
      workItem: { id: variables.workItem },
      awardable: { __typename: 'Issue' },
      milestone: { id: variables.milestone },
      projects: { nodes: [{ id: variables.project[0] }] },
    })
    const internal = await run(
      'createNote',
      { noteableId: variables.issue, body: 'Secret', internal: true },
      'note { id }',
    )
    await forge.host.projects.update({ project: projectPath, visibility: 'public' })
    const read = 'query ($id: NoteID!) { note(id: $id) { body } }'
    expect(await data(read, { as: 'mallory', variables: { id: internal.note.id } })).toEqual({ note: null })
  })
})
