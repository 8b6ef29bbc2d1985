import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'
import { python } from './python.ts'

/** Client libraries and git contribute from a fork: mallory is no member of the public project `acme/app`. */

let forge: FakeForge
let git: GitClient
let target: number
beforeEach(async () => {
  forge = await world({ port: 0 })
  git = createGitClient()
  const project = { namespace: 'acme', name: 'App', path: 'app', visibility: 'public' } as const
  target = (await forge.host.projects.create(project)).id
  const author = { name: 'Alice', email: 'alice@example.com' }
  const commits = [{ branch: 'main', message: 'Begin', author, files: [{ path: 'README.md', content: 'Hello\n' }] }]
  await forge.host.commits.import({ project: target, commits })
})
afterEach(async () => {
  git.remove()
  await forge.close()
})

const pushTopic = async (url: string) => {
  await git.git('.', 'clone', '--quiet', withPassword(url, forge.token('mallory')), 'work')
  await git.git('work', 'checkout', '--quiet', '-b', 'topic')
  const sha = await git.commit('work', 'Add a file', { 'new.md': 'New\n' })
  await git.git('work', 'push', '--quiet', 'origin', 'topic')
  return sha
}

test('@gitbeaker/rest contributes from a fork', async () => {
  const connect = (user: string) => new Gitlab({ host: forge.url, token: forge.token(user) })
  const [contributor, maintainer] = [connect('mallory'), connect('alice')]
  const fork = await contributor.Projects.fork(target)
  expect(fork).toMatchObject({ path_with_namespace: 'mallory/app', forked_from_project: { id: target } })
  expect(await contributor.Projects.allForks(target)).toMatchObject([{ id: fork.id }])
  const sha = await pushTopic(fork.http_url_to_repo)

  const created = await contributor.MergeRequests.create(fork.id, 'topic', 'main', 'Add a file', {
    targetProjectId: target,
    allowCollaboration: true,
  })
  const iid = created.iid as number
  expect(created).toMatchObject({ project_id: target, source_project_id: fork.id, sha, allow_collaboration: true })
  const list = (options: object) => maintainer.MergeRequests.all({ projectId: target, ...options })
  expect(await list({ sourceProjectId: fork.id })).toMatchObject([{ iid }])
  expect(await list({ sourceProjectId: target })).toEqual([])
  const ofAll = await maintainer.MergeRequests.all({ scope: 'all', sourceProjectId: fork.id } as never)
  expect(ofAll).toMatchObject([{ iid, project_id: target }])

  await maintainer.MergeRequestNotes.create(target, iid, 'Thanks')
  expect(await contributor.MergeRequestNotes.all(target, iid)).toMatchObject([{ body: 'Thanks' }])
  expect(await maintainer.MergeRequests.allDiffs(target, iid)).toMatchObject([{ new_path: 'new.md', new_file: true }])
  expect(await maintainer.MergeRequestApprovals.approve(target, iid)).toMatchObject({ approved: true })
  await expect(contributor.MergeRequests.merge(target, iid)).rejects.toThrow()
  expect(await maintainer.MergeRequests.merge(target, iid)).toMatchObject({ state: 'merged' })
  expect(await maintainer.RepositoryFiles.showRaw(target, 'new.md', 'main')).toBe('New\n')

  await contributor.Projects.removeForkRelationship(fork.id)
  expect(await contributor.Projects.show(fork.id)).not.toHaveProperty('forked_from_project')
  await contributor.Projects.createForkRelationship(fork.id, target)
  expect(await contributor.Projects.show(fork.id)).toMatchObject({ forked_from_project: { id: target } })
})

test.skipIf(python === undefined)(
  'python-gitlab contributes from a fork',
  async () => {
    const fork = await forge.as('mallory').forks.create({ project: target })
    const sha = await pushTopic(`${forge.url}/${fork.fullPath}.git`)
    const script = join(import.meta.dirname, 'python-gitlab-fork.py')
    const tokens = ['mallory', 'alice'].map((user) => forge.token(user))
    const input = [forge.url, ...tokens, String(target), String(fork.id)]
    const { stdout } = await promisify(execFile)(python as string, [script, ...input])
    expect(JSON.parse(stdout)).toEqual({
      fork: 'mallory/second',
      forks: [fork.fullPath, 'mallory/second'],
      opened: { project: target, source: fork.id, sha },
      listed: { fork: [1], target: [] },
      notes: ['Thanks'],
      changes: ['new.md'],
      approved: true,
      refused: [401, 403],
      state: 'merged',
      relation: null,
      again: target,
    })
  },
  60_000,
)
