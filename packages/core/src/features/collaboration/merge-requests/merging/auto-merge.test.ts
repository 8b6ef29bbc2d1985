import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'Bob Builder', email: 'bob@example.com' }
type Session = ReturnType<FakeForge['as']>

const write = async (branch: string, path: string, parents?: string[]) => {
  const commit = { branch, message: `Change ${path}`, author, files: [{ path, content: path }] }
  const { ids } = await forge.host.commits.import({ project, commits: [{ ...commit, ...(parents && { parents }) }] })
  return ids[0] as string
}

/** `main` is for owners only; Alice lets a merge request of Bob wait for its pipeline. */
const open = async (targetBranch: string) => {
  const base = await write('main', 'begin')
  await write('sandbox', 'sandbox', [base])
  await write('other', 'other', [base])
  const head = await write('topic', 'topic', [base])
  await forge.host.protectedBranches.remove({ project, name: 'main' })
  await forge.host.protectedBranches.create({ project, name: 'main' })
  const input = { project, title: 'A topic', sourceBranch: 'topic', targetBranch }
  const { iid } = await forge.as('bob').mergeRequests.create(input)
  const ref = { project, mergeRequest: iid }
  const pipeline = await forge.host.pipelines.record({
    ...{ project, ref: 'topic', mergeRequest: iid, sha: head },
    jobs: [{ name: 'test' }],
  })
  return { ref, pipeline, head }
}

type World = Awaited<ReturnType<typeof open>>

const succeed = async ({ pipeline, ref }: World) => {
  await forge.ci.finish(pipeline)
  await forge.platform.jobs.drain()
  return forge.host.mergeRequests.get(ref)
}

const systemNotes = async ({ ref }: World) => {
  const { items } = await forge.host.notes.list({ ...ref, sort: 'asc' })
  return items.filter(({ system }) => system).map(({ body }) => body)
}

const setByAlice = async (world: World) => {
  const waiting = await forge.as('alice').mergeRequests.merge({ ...world.ref, sha: world.head, autoMerge: true })
  expect(waiting).toMatchObject({ state: 'opened', mergeWhenPipelineSucceeds: true })
  expect(await systemNotes(world)).toContain(`enabled an automatic merge when the pipeline for ${world.head} succeeds`)
}

const commit = ({ commits }: Session, branch = 'topic') =>
  commits.create({
    project,
    branch,
    commitMessage: 'More',
    actions: [{ action: 'create', filePath: 'more', content: 'x' }],
  })

/** Merges another merge request into the source branch. */
const mergeOther = async ({ mergeRequests }: Session) => {
  const input = { project, title: 'Other', sourceBranch: 'other', targetBranch: 'topic' }
  const { iid } = await mergeRequests.create(input)
  expect(await mergeRequests.merge({ project, mergeRequest: iid })).toMatchObject({ state: 'merged' })
}

const changes: readonly [string, string, (session: Session, world: World) => Promise<unknown>, string][] = [
  [
    'another target branch',
    'sandbox',
    (bob, { ref }) => bob.mergeRequests.update({ ...ref, targetBranch: 'main' }),
    'target branch was changed',
  ],
  [
    'another target branch and back',
    'main',
    async (bob, { ref }) => {
      await bob.mergeRequests.update({ ...ref, targetBranch: 'sandbox' })
      await bob.mergeRequests.update({ ...ref, targetBranch: 'main' })
    },
    'target branch was changed',
  ],
  ['a commit', 'main', (bob) => commit(bob), 'source branch was updated'],
  ['a merge into the source branch', 'main', (bob) => mergeOther(bob), 'source branch was updated'],
  [
    'a removed and created source branch',
    'main',
    async (bob, { head }) => {
      await bob.branches.remove({ project, branch: 'topic' })
      await bob.branches.create({ project, branch: 'topic', ref: head })
    },
    'source branch was updated',
  ],
  [
    'closing and reopening',
    'main',
    async (bob, { ref }) => {
      await bob.mergeRequests.update({ ...ref, stateEvent: 'close' })
      await bob.mergeRequests.update({ ...ref, stateEvent: 'reopen' })
    },
    'merge request was closed',
  ],
  [
    'a withdrawn approval',
    'main',
    async (bob, { ref }) => {
      await bob.mergeRequestApprovals.unapprove(ref)
      await bob.mergeRequestApprovals.approve(ref)
    },
    'approvals were removed',
  ],
]

describe('an automatic merge', () => {
  test('happens in the name of the user who set it', async () => {
    const world = await open('main')
    await setByAlice(world)
    expect(await succeed(world)).toMatchObject({ state: 'merged', mergedBy: { username: 'alice' } })
  })

  test.each(changes)('ends with %s', async (_name, targetBranch, change, reason) => {
    const world = await open(targetBranch)
    await forge.host.approvalRules.updateConfiguration({ project, mergeRequestsAuthorApproval: true })
    await forge.as('bob').mergeRequestApprovals.approve(world.ref)
    await setByAlice(world)
    await change(forge.as('bob'), world)
    expect(await forge.host.mergeRequests.get(world.ref)).toMatchObject({ mergeWhenPipelineSucceeds: false })
    expect(await systemNotes(world)).toContain(`aborted the automatic merge because ${reason}`)
    expect(await succeed(world)).toMatchObject({ state: 'opened' })
  })

  test.each([
    ['blocked', () => forge.host.users.block({ user: 'dave' })],
    ['removed', () => forge.host.users.remove({ user: 'dave' })],
    ['a developer', () => forge.host.members.update({ project, user: 'dave', accessLevel: 30 })],
    ['no member', () => forge.host.members.remove({ project, user: 'dave' })],
  ])('does not happen if the user is %s then', async (_state, change) => {
    const world = await open('main')
    await forge.host.members.update({ project, user: 'dave', accessLevel: 40 })
    await forge.as('dave').mergeRequests.merge({ ...world.ref, sha: world.head, autoMerge: true })
    await change()
    expect(await succeed(world)).toMatchObject({
      state: 'opened',
      mergeWhenPipelineSucceeds: false,
      mergeError: 'The user who set it to merge is no longer permitted to',
    })
  })

  test('does not happen if the branch is protected from the user then', async () => {
    const world = await open('sandbox')
    await forge.as('bob').mergeRequests.merge({ ...world.ref, autoMerge: true })
    await forge.host.protectedBranches.create({ project, name: 'sandbox' })
    expect(await succeed(world)).toMatchObject({ state: 'opened', mergeWhenPipelineSucceeds: false })
  })

  test('waits for the newest pipeline, and only for the commit that its user names', async () => {
    const world = await open('main')
    const stale = forge.as('alice').mergeRequests.merge({ ...world.ref, sha: 'f'.repeat(40), autoMerge: true })
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })
    await setByAlice(world)
    const jobs = [{ name: 'test' }]
    const { mergeRequest } = world.ref
    const newer = await forge.host.pipelines.record({ project, ref: 'topic', mergeRequest, sha: world.head, jobs })
    expect(await succeed(world)).toMatchObject({ state: 'opened', mergeWhenPipelineSucceeds: true })
    expect(await succeed({ ...world, pipeline: newer })).toMatchObject({ state: 'merged' })
  })

  test('leaves a note when it is canceled', async () => {
    const world = await open('main')
    await setByAlice(world)
    await forge.as('alice').mergeRequests.cancelAutoMerge(world.ref)
    expect(await systemNotes(world)).toContain('canceled the automatic merge')
  })
})

test('approvals are removed when the target branch changes', async () => {
  const { ref } = await open('sandbox')
  const { mergeRequestApprovals, mergeRequests } = forge.as('alice')
  const rule = { project, name: 'Owners', approvalsRequired: 1, usernames: ['alice'] }
  await forge.host.approvalRules.create(rule)
  await mergeRequestApprovals.approve(ref)
  expect(await mergeRequestApprovals.getState(ref)).toMatchObject({ rules: [{ approved: true }] })
  await forge.as('bob').mergeRequests.update({ ...ref, targetBranch: 'sandbox', title: 'Same' })
  expect((await mergeRequestApprovals.get(ref)).approvedBy).toHaveLength(1)
  await forge.as('bob').mergeRequests.update({ ...ref, targetBranch: 'main' })
  expect(await mergeRequestApprovals.get(ref)).toMatchObject({ approvedBy: [], approved: false })
  expect(await mergeRequestApprovals.getState(ref)).toMatchObject({ rules: [{ approved: false, approvedBy: [] }] })
  await expect(mergeRequests.merge(ref)).rejects.toMatchObject({ message: 'More approvals are required' })
})

test('an approval names the head that its user has seen', async () => {
  const { ref, head } = await open('main')
  await commit(forge.as('bob'))
  const { mergeRequestApprovals } = forge.as('alice')
  await expect(mergeRequestApprovals.approve({ ...ref, sha: head })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^SHA does not match HEAD of source branch: [0-9a-f]{40}$/),
  })
  expect((await mergeRequestApprovals.get(ref)).approvedBy).toEqual([])
  const { sha } = await forge.as('alice').mergeRequests.get(ref)
  expect(await mergeRequestApprovals.approve({ ...ref, sha: sha as string })).toMatchObject({ userHasApproved: true })
})
