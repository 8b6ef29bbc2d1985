import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'Bob Builder', email: 'bob@example.com' }

const commit = async (branch: string, message: string, files: Record<string, string>, parents?: string[]) => {
  const list = Object.entries(files).map(([path, content]) => ({ path, content }))
  const given = { branch, message, author, files: list, ...(parents && { parents }) }
  const { ids } = await forge.host.repository.commit({ project, commits: [given] })
  return ids[0] as string
}

/** `main` with one commit, `faster` with one more, and a merge request between them. */
async function branches(description = '') {
  const base = await commit('main', 'Begin', { 'README.md': 'slow\n' })
  const head = await commit('faster', 'Make it fast', { 'README.md': 'fast\n', 'new.txt': 'new\n' }, [base])
  const given = { project, title: 'Faster', description, sourceBranch: 'faster' }
  const { iid } = await forge.as('bob').mergeRequests.create(given)
  return { base, head, iid }
}

const changes = (who = 'bob') => forge.as(who).mergeRequestChanges

test('a merge request tells its commits, files and the commits between which they lie', async () => {
  const { base, head, iid: mergeRequest } = await branches()
  expect(await changes().get({ project, mergeRequest })).toMatchObject({
    title: 'Faster',
    sha: head,
    diffRefs: { baseSha: base, headSha: head, startSha: base },
  })
  const commits = await changes().commits({ project, mergeRequest })
  expect(commits.items.map(({ title }) => title)).toEqual(['Make it fast'])
  const diffs = await changes().diffs({ project, mergeRequest })
  expect(diffs.items).toMatchObject([
    { newPath: 'README.md', newFile: false },
    { newPath: 'new.txt', newFile: true },
  ])
  expect(diffs.items[0]?.diff).toBe('@@ -1 +1 @@\n-slow\n+fast\n')
  expect(await changes().changes({ project, mergeRequest })).toMatchObject({ sha: head, overflow: false })
})

test('the newest commit is first, and what was pushed to the target since is no part of it', async () => {
  const { base, head, iid: mergeRequest } = await branches()
  const next = await commit('faster', 'Faster still', { 'README.md': 'faster\n' })
  const start = await commit('main', 'Meanwhile', { 'other.txt': 'other\n' })
  const { items } = await changes().commits({ project, mergeRequest })
  expect(items.map(({ id }) => id)).toEqual([next, head])
  expect((await changes().diffs({ project, mergeRequest })).items.map(({ newPath }) => newPath)).not.toContain(
    'other.txt',
  )
  expect((await changes().get({ project, mergeRequest })).diffRefs).toEqual({
    baseSha: base,
    headSha: next,
    startSha: start,
  })
})

test('every state that somebody saw is a version, and stays readable', async () => {
  const { base, head, iid: mergeRequest } = await branches()
  await forge.platform.jobs.drain()
  const next = await commit('faster', 'Faster still', { 'README.md': 'faster\n' })
  const { items } = await changes().versions({ project, mergeRequest })
  expect(items.map(({ headCommitSha }) => headCommitSha)).toEqual([next, head])
  const first = await changes().version({ project, mergeRequest, version: items[1]?.id as number })
  expect(first).toMatchObject({ baseCommitSha: base, startCommitSha: base })
  expect(first.commits.map(({ id }) => id)).toEqual([head])
  await expect(changes().version({ project, mergeRequest, version: 999 })).rejects.toMatchObject({ code: 'not_found' })
})

test('what is merged keeps its commits, also those that were pushed unseen', async () => {
  const { base, head, iid: mergeRequest } = await branches()
  await forge.platform.jobs.drain()
  const next = await commit('faster', 'Faster still', { 'README.md': 'faster\n' })
  await commit('main', 'Merge branch faster', { 'README.md': 'faster\n', 'new.txt': 'new\n' }, [base, next])
  await forge.platform.jobs.drain()
  await forge.as('alice').mergeRequests.merge({ project, mergeRequest })
  const { items } = await changes().commits({ project, mergeRequest })
  expect(items.map(({ id }) => id)).toEqual([next, head])
  for (const sha of [head, next, next.slice(0, 10)]) {
    expect((await changes().ofCommit({ project, sha })).items).toMatchObject([{ iid: mergeRequest, state: 'merged' }])
  }
  expect((await changes().ofCommit({ project, sha: base })).items).toEqual([])
  await expect(changes().ofCommit({ project, sha: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
})

test('without a repository, or without a branch, there is nothing to tell', async () => {
  const mergeRequest = 1
  expect(await changes().get({ project, mergeRequest })).toMatchObject({ sha: null, diffRefs: null })
  expect((await changes().commits({ project, mergeRequest })).items).toEqual([])
  await branches()
  expect(await changes().changes({ project, mergeRequest })).toMatchObject({ diffRefs: null, changes: [] })
})

test('issues that it says it closes, as far as the reader sees them', async () => {
  const { iid: mergeRequest } = await branches('Closes #2, #3 and #999.')
  await commit('faster', 'Fix more\n\nFixes #1', { 'more.txt': 'x\n' })
  const closed = async (who: string) =>
    (await changes(who).closesIssues({ project, mergeRequest })).items.map(({ iid }) => iid)
  // The third one is confidential.
  expect(await closed('bob')).toEqual([2, 3, 1])
  expect(await closed('mallory')).toEqual([2, 1])
})

test('an issue tells which merge requests name it, and which say they close it', async () => {
  const { iid } = await branches('Closes #2, see #1 and #24')
  const related = async (issue: number) =>
    (await changes().relatedToIssue({ project, issue })).items.map((mergeRequest) => mergeRequest.iid)
  const closing = async (issue: number) =>
    (await changes().closingIssue({ project, issue })).items.map((mergeRequest) => mergeRequest.iid)
  expect([await related(1), await related(2), await related(4)]).toEqual([[iid], [iid], []])
  expect([await closing(1), await closing(2), await closing(4)]).toEqual([[], [iid], []])
})

test('guests of a private project see none of it', async () => {
  await forge.host.members.add({ project: 'acme/tools/deploy', user: 'dave', accessLevel: 10 })
  await forge.host.mergeRequests.create({
    project: 'acme/tools/deploy',
    title: 'x',
    sourceBranch: 'x',
    author: 'bob',
  })
  const mine = { project: 'acme/tools/deploy', mergeRequest: 1 }
  await expect(changes('dave').commits(mine)).rejects.toMatchObject({ code: 'not_found' })
  await expect(forge.platform.mergeRequestChanges.diffs(mine)).rejects.toMatchObject({ code: 'not_found' })
  expect((await changes('bob').commits(mine)).items).toEqual([])
})
