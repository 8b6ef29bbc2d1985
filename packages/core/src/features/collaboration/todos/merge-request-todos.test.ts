import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
beforeEach(() => forge.reset())
afterAll(() => forge.close())

const project = 'acme/web'
const ref = { project, mergeRequest: 1 }

/** The causes of the pending to-do items of a user on the merge request, or on another kind of target. */
const actionsOf = async (user: string, type: 'MergeRequest' | 'Project' | 'Namespace' = 'MergeRequest') =>
  (await forge.as(user).todos.list({ type })).items.map(({ actionName }) => actionName)

const record = (status: 'failed' | 'success', sourceBranch = 'cache-home') =>
  forge.host.pipelines.record({
    project,
    ref: sourceBranch,
    sha: 'a'.repeat(40),
    jobs: [{ name: 'test', stage: 'test', status }],
  })

test('reviewers have to review', async () => {
  await forge.as('alice').mergeRequests.update({ ...ref, reviewers: ['carol'] })
  await forge.as('alice').mergeRequests.update({ ...ref, reviewers: ['carol', 'dave'] })
  expect(await actionsOf('carol')).toEqual(['review_requested'])
  expect(await actionsOf('dave')).toEqual(['review_requested'])
  const branches = { sourceBranch: 'other', targetBranch: 'main' }
  await forge.as('alice').mergeRequests.create({ project, title: 'New', ...branches, reviewers: ['carol'] })
  expect(await actionsOf('carol')).toEqual(['review_requested', 'review_requested'])
  await forge.as('carol').notes.create({ ...ref, body: 'Reviewed' })
  expect(await actionsOf('carol')).toEqual(['review_requested'])
})

test('authors repair failed pipelines, until a job is retried or they push', async () => {
  await record('failed', 'another')
  expect(await actionsOf('bob')).toEqual([])
  await record('success')
  const { id: pipeline } = await record('failed')
  expect(await actionsOf('bob')).toEqual(['build_failed'])
  expect(await forge.as('bob').todos.list({ action: 'build_failed' })).toMatchObject({
    items: [{ author: { username: 'bob' }, target: { iid: 1 } }],
  })
  await forge.host.pipelines.retry({ project, pipeline })
  expect(await actionsOf('bob')).toEqual([])
  await record('failed')
  expect(await actionsOf('bob')).toEqual(['build_failed'])
  await forge.as('bob').events.create({ project, ref: 'cache-home', after: 'c'.repeat(40) })
  expect(await actionsOf('bob')).toEqual([])
})

test('users whom a rule names have to approve, others do not', async () => {
  const { approvalRules, mergeRequestApprovals } = forge.as('alice')
  const carol = await forge.host.users.get({ user: 'carol' })
  const bob = await forge.host.users.get({ user: 'bob' })
  const named = { name: 'Named', approvalsRequired: 1, userIds: [carol.id, bob.id] }
  const { id: rule } = await approvalRules.create({ project, ...named })
  const branches = { sourceBranch: 'other', targetBranch: 'main' }
  await forge.as('bob').mergeRequests.create({ project, title: 'New', ...branches })
  expect(await actionsOf('carol')).toEqual(['approval_required'])
  expect(await actionsOf('bob')).toEqual([])
  await approvalRules.remove({ project, rule })
  const own = await approvalRules.create({ ...ref, ...named, userIds: [carol.id] })
  expect(await actionsOf('carol')).toEqual(['approval_required', 'approval_required'])
  const dave = await forge.host.users.get({ user: 'dave' })
  await approvalRules.update({ ...ref, rule: own.id, userIds: [carol.id, dave.id] })
  expect(await actionsOf('dave')).toEqual(['approval_required'])
  expect(await actionsOf('carol')).toHaveLength(2)
  expect(await actionsOf('alice')).toEqual(['assigned'])
  await mergeRequestApprovals.approve(ref)
  expect(await actionsOf('alice')).toEqual([])
})

test('a request of access is to do for its maintainers until one of them decides', async () => {
  const { id } = await forge.host.groups.get({ group: 'acme' })
  await forge.as('mallory').accessRequests.create({ group: 'acme' })
  await forge.as('mallory').accessRequests.create({ project })
  const { items } = await forge.as('alice').todos.list({ action: 'member_access_requested' })
  expect(items).toMatchObject([
    { targetType: 'Project', target: { pathWithNamespace: project }, body: project, author: { username: 'mallory' } },
    { targetType: 'Namespace', target: { id, fullPath: 'acme' }, body: 'acme', group: { id } },
  ])
  expect(await actionsOf('bob', 'Namespace')).toEqual([])
  await forge.as('alice').accessRequests.remove({ project, user: 'mallory' })
  expect(await actionsOf('alice', 'Project')).toEqual([])
  await forge.as('alice').accessRequests.approve({ group: 'acme', user: 'mallory' })
  expect(await actionsOf('alice', 'Namespace')).toEqual([])
  expect((await forge.as('alice').todos.list({ state: 'done', action: 'member_access_requested' })).total).toBe(2)
})

test('documented values of filters without to-do items narrow the list to nothing', async () => {
  const { todos } = forge.as('bob')
  expect(await todos.list({ type: 'Commit' })).toMatchObject({ items: [], total: 0 })
  expect(await todos.list({ action: 'merge_train_removed' })).toMatchObject({ items: [], total: 0 })
})
