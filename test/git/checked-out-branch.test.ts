import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'
import { openDemo } from '../support/open-demo.ts'

/** A person's clone as the repository of a project: the branch that is checked out there does not move. */

let forge: FakeForge
let git: GitClient
let tip: string
const project = 'acme/web'
const files = [{ path: 'new.txt', content: 'new' }]

beforeEach(async () => {
  forge = await world({ seed: openDemo, port: 0 })
  git = createGitClient()
  await git.git('.', 'init', '--quiet', 'clone')
  tip = await git.commit('clone', 'first', { 'a.txt': 'a' })
  await git.git('clone', 'branch', 'topic')
  await forge.host.repository.import({ project, path: join(git.folder, 'clone'), inPlace: true })
  const commits = [{ branch: 'topic', message: 'topic', files }]
  await forge.as('bob').commits.import({ project, commits })
})
afterEach(async () => {
  git.remove()
  await forge.close()
})

/** The tip of the branch, and what the person sees. */
const state = async () => ({
  tip: await git.git('clone', 'rev-parse', 'main'),
  changes: await git.git('clone', 'status', '--porcelain'),
  head: readFileSync(join(git.folder, 'clone/.git/HEAD'), 'utf8').trim(),
})

const openRequest = async () =>
  (await forge.as('bob').mergeRequests.create({ project, title: 'x', sourceBranch: 'topic', targetBranch: 'main' })).iid

const asBob = () => withPassword(`${forge.url}/${project}.git`, forge.token('bob'))

test('is refused by every way to change it', async () => {
  const bob = forge.as('bob')
  const change = { project, branch: 'main', commitMessage: 'x' }
  const conflict = { code: 'conflict', message: expect.stringContaining('The branch main is checked out') }
  const mergeRequest = await openRequest()
  await expect(bob.mergeRequests.merge({ project, mergeRequest })).rejects.toMatchObject(conflict)
  const actions = [{ action: 'create' as const, filePath: 'x', content: 'x' }]
  await expect(bob.commits.create({ ...change, actions })).rejects.toMatchObject(conflict)
  const file = { ...change, filePath: 'y', content: 'y' }
  await expect(bob.repositoryFiles.create(file)).rejects.toMatchObject(conflict)
  await expect(bob.commits.import({ project, commits: [{ message: 'x', files }] })).rejects.toMatchObject(conflict)
  await expect(bob.commits.cherryPick({ project, sha: 'topic', branch: 'main' })).rejects.toMatchObject(conflict)
  await git.git('.', 'clone', '--quiet', asBob(), 'other')
  await git.commit('other', 'pushed', { 'b.txt': 'b' })
  const { messages } = await git.run('other', 'push', 'origin', 'main', 'main:fine')
  expect(messages).toContain('The branch main is checked out')
  expect(messages).toMatch(/\[new branch\] +main -> fine/)
  expect(await state()).toEqual({ tip, changes: '', head: 'ref: refs/heads/main' })
})

test('changes when the person has checked out something else', async () => {
  await git.git('clone', 'switch', '--quiet', '--detach')
  const mergeRequest = await openRequest()
  const { state: merged } = await forge.as('bob').mergeRequests.merge({ project, mergeRequest })
  expect(merged).toBe('merged')
  expect((await state()).tip).not.toBe(tip)
  expect((await state()).changes).toBe('')
})

test('is refused for further working trees, also of a bare repository', async () => {
  await git.git('clone', 'worktree', 'add', '--quiet', '../tree', 'topic')
  const commits = [{ branch: 'topic', message: 'again', files: [{ path: 'z', content: 'z' }] }]
  await expect(forge.as('bob').commits.import({ project, commits })).rejects.toMatchObject({ code: 'conflict' })
  await git.git('.', 'clone', '--quiet', '--bare', 'clone', 'bare.git')
  await forge.host.repository.import({ project: 'bob/notes', path: join(git.folder, 'bare.git'), inPlace: true })
  const commit = (branch: string) =>
    forge.as('bob').commits.import({ project: 'bob/notes', commits: [{ branch, message: branch, files }] })
  await commit('main')
  execFileSync('git', ['worktree', 'add', '--quiet', join(git.folder, 'tree2'), 'main'], {
    cwd: join(git.folder, 'bare.git'),
  })
  await expect(commit('main')).rejects.toMatchObject({ code: 'conflict' })
})

test('stays checked out when the default branch of the project changes', async () => {
  await forge.host.projects.update({ project, defaultBranch: 'topic' })
  await forge.platform.jobs.drain()
  expect(await state()).toEqual({ tip, changes: '', head: 'ref: refs/heads/main' })
})
