import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'Bob Builder', email: 'bob@example.com' }

const commit = async (branch: string, message: string, files: Record<string, string>, parents?: string[]) => {
  const list = Object.entries(files).map(([path, content]) => ({ path, content }))
  const newCommit = { branch, message, author, files: list, ...(parents && { parents }) }
  const { ids } = await forge.host.commits.import({ project, commits: [newCommit] })
  return ids[0] as string
}

/** `main` with one commit, `faster` with one more, and a merge request between them. */
async function createBranches(description = '') {
  const base = await commit('main', 'Begin', { 'README.md': 'slow\n' })
  const head = await commit('faster', 'Make it fast', { 'README.md': 'fast\n', 'new.txt': 'new\n' }, [base])
  const input = { project, title: 'Faster', description, sourceBranch: 'faster' }
  const { iid } = await forge.as('bob').mergeRequests.create(input)
  return { base, head, iid }
}

const changes = (username = 'bob') => forge.as(username).mergeRequests

test('returns commits, diffs and diff refs of a merge request', async () => {
  const { base, head, iid: mergeRequest } = await createBranches()
  expect(await changes().get({ project, mergeRequest })).toMatchObject({
    title: 'Faster',
    sha: head,
    diffRefs: { baseSha: base, headSha: head, startSha: base },
  })
  const commits = await changes().listCommits({ project, mergeRequest })
  expect(commits.items.map(({ title }) => title)).toEqual(['Make it fast'])
  const diffs = await changes().listDiffs({ project, mergeRequest })
  expect(diffs.items).toMatchObject([
    { newPath: 'README.md', newFile: false },
    { newPath: 'new.txt', newFile: true },
  ])
  expect(diffs.items[0]?.diff).toBe('@@ -1 +1 @@\n-slow\n+fast\n')
  expect(await changes().getChanges({ project, mergeRequest })).toMatchObject({ sha: head, overflow: false })
})

test('lists the newest commit first and excludes later pushes to the target branch', async () => {
  const { base, head, iid: mergeRequest } = await createBranches()
  const next = await commit('faster', 'Faster still', { 'README.md': 'faster\n' })
  const start = await commit('main', 'Add another file', { 'other.txt': 'other\n' })
  const { items } = await changes().listCommits({ project, mergeRequest })
  expect(items.map(({ id }) => id)).toEqual([next, head])
  expect((await changes().listDiffs({ project, mergeRequest })).items.map(({ newPath }) => newPath)).not.toContain(
    'other.txt',
  )
  expect((await changes().get({ project, mergeRequest })).diffRefs).toEqual({
    baseSha: base,
    headSha: next,
    startSha: start,
  })
})

test('stores each state that is read as a version, which stays readable', async () => {
  const { base, head, iid: mergeRequest } = await createBranches()
  await forge.platform.jobs.drain()
  const next = await commit('faster', 'Faster still', { 'README.md': 'faster\n' })
  const { items } = await changes().listVersions({ project, mergeRequest })
  expect(items.map(({ headCommitSha }) => headCommitSha)).toEqual([next, head])
  const first = await changes().getVersion({ project, mergeRequest, version: items[1]?.id as number })
  expect(first).toMatchObject({ baseCommitSha: base, startCommitSha: base })
  expect(first.commits.map(({ id }) => id)).toEqual([head])
  await expect(changes().getVersion({ project, mergeRequest, version: 999 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a merged merge request keeps its commits, including those that were not read before the merge', async () => {
  const { base, head, iid: mergeRequest } = await createBranches()
  await forge.platform.jobs.drain()
  const next = await commit('faster', 'Faster still', { 'README.md': 'faster\n' })
  await commit('main', 'Merge branch faster', { 'README.md': 'faster\n', 'new.txt': 'new\n' }, [base, next])
  await forge.platform.jobs.drain()
  const { items } = await changes().listCommits({ project, mergeRequest })
  expect(items.map(({ id }) => id)).toEqual([next, head])
  for (const sha of [head, next, next.slice(0, 10)]) {
    expect((await changes().list({ project, commit: sha })).items).toMatchObject([
      { iid: mergeRequest, state: 'merged' },
    ])
  }
  expect((await changes().list({ project, commit: base })).items).toEqual([])
  await expect(changes().list({ project, commit: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
})

test('returns nulls and empty lists without a repository or a branch', async () => {
  const mergeRequest = 1
  expect(await changes().get({ project, mergeRequest })).toMatchObject({ sha: null, diffRefs: null })
  expect((await changes().listCommits({ project, mergeRequest })).items).toEqual([])
  await createBranches()
  expect(await changes().getChanges({ project, mergeRequest })).toMatchObject({ diffRefs: null, changes: [] })
})

test('lists closed issues that the viewer can read', async () => {
  const { iid: mergeRequest } = await createBranches('Closes #2, #3 and #999.')
  await commit('faster', 'Fix more\n\nFixes #1', { 'more.txt': 'x\n' })
  const closed = async (username: string) =>
    (await changes(username).listClosedIssues({ project, mergeRequest })).items.map(({ iid }) => iid)
  // Issue 3 is confidential.
  expect(await closed('bob')).toEqual([2, 3, 1])
  expect(await closed('mallory')).toEqual([2, 1])
})

test('lists merge requests that mention an issue, and those that close it', async () => {
  const { iid } = await createBranches('Closes #2, see #1 and #24')
  const related = async (issue: number) =>
    (await changes().listRelated({ project, issue })).items.map((mergeRequest) => mergeRequest.iid)
  const closing = async (issue: number) =>
    (await changes().listClosing({ project, issue })).items.map((mergeRequest) => mergeRequest.iid)
  expect([await related(1), await related(2), await related(4)]).toEqual([[iid], [iid], []])
  expect([await closing(1), await closing(2), await closing(4)]).toEqual([[], [iid], []])
})

test('hides commits and diffs from guests of a private project', async () => {
  await forge.host.members.add({ project: 'acme/tools/deploy', users: ['dave'], accessLevel: 10 })
  await forge.host.mergeRequests.create({
    project: 'acme/tools/deploy',
    title: 'x',
    sourceBranch: 'x',
    author: 'bob',
  })
  const ref = { project: 'acme/tools/deploy', mergeRequest: 1 }
  await expect(changes('dave').listCommits(ref)).rejects.toMatchObject({ code: 'not_found' })
  await expect(forge.platform.mergeRequests.listDiffs(ref)).rejects.toMatchObject({ code: 'not_found' })
  expect((await changes('bob').listCommits(ref)).items).toEqual([])
})
