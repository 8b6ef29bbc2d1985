import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isPlatformError } from '@forgelet/core'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportFigures } from '../figures.ts'
import { propertyRuns } from '../property-runs.ts'
import { createTemporaryFolder } from '../support/sample-history.ts'

let forge: FakeForge
const folder = createTemporaryFolder()
const author = { name: 'Alice', email: 'alice@example.com' }
beforeAll(async () => {
  const projects = [{ path: 'acme/web' }]
  forge = await fakeForge({ seed: { users: [{ username: 'alice' }], groups: [{ path: 'acme' }], projects } })
  await forge.host.members.add({ group: 'acme', users: ['alice'], accessLevel: 50 })
})
afterAll(async () => {
  await forge.close()
  rmSync(folder, { recursive: true })
})

const git = (directory: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Git', '-c', 'user.email=git@example.com', ...args], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

interface Change {
  readonly path: string
  readonly line: number
  readonly kind: 'edit' | 'remove' | 'rename'
}

const change: fc.Arbitrary<Change> = fc.record({
  path: fc.constantFrom('a', 'b', 'd/c', 'd/e'),
  line: fc.nat(11),
  kind: fc.constantFrom('edit', 'edit', 'edit', 'remove', 'rename'),
})
const side = fc.array(change, { minLength: 1, maxLength: 4 })

const lines = (path: string) => Array.from({ length: 12 }, (_, at) => `${path} ${at}`)

type Files = Map<string, string[]>
type FileChanges = NonNullable<Parameters<FakeForge['host']['commits']['import']>[0]['commits'][number]['files']>

/** Applies a change to the files of a branch; undefined if it has no effect. */
const apply = (files: Files, { path, line, kind }: Change, name: string): FileChanges | undefined => {
  const content = files.get(path)
  if (content === undefined) return undefined
  if (kind === 'edit') {
    const edited = content.with(line, `${name} ${line} ${content[line]}`)
    files.set(path, edited)
    return [{ path, content: `${edited.join('\n')}\n` }]
  }
  files.delete(path)
  if (kind === 'remove') return [{ path, removed: true }]
  const target = `${path}-${name}`
  files.set(target, content)
  return [{ path: target, movedFrom: path }]
}

let count = 0

/** A project with two branches from one commit. */
const createBranches = async (ours: readonly Change[], theirs: readonly Change[]) => {
  const name = `p${++count}`
  const { id: project } = await forge.host.projects.create({ namespace: 'acme', path: name, name })
  const base = ['a', 'b', 'd/c', 'd/e'].map((path) => ({ path, content: `${lines(path).join('\n')}\n` }))
  const { ids } = await forge.host.commits.import({ project, commits: [{ message: 'Base', author, files: base }] })
  for (const [branch, changes] of [
    ['main', ours],
    ['topic', theirs],
  ] as const) {
    const files: Files = new Map(['a', 'b', 'd/c', 'd/e'].map((path) => [path, lines(path)]))
    let parents = ids as string[] | undefined
    for (const one of changes) {
      const fileChanges = apply(files, one, branch)
      if (fileChanges === undefined) continue
      const commit = { branch, message: `${branch}: ${one.kind} ${one.path}`, author, files: [...fileChanges] }
      await forge.host.commits.import({
        project,
        commits: [{ ...commit, ...(parents && { parents: [...parents] }) }],
      })
      parents = undefined
    }
  }
  const { directory } = await forge.host.repository.get({ project })
  return { project, directory: directory as string }
}

/** The tree and the conflicting paths of `git merge` in a work tree. */
const mergeWithGit = (directory: string) => {
  const clone = join(folder, `clone-${count}`)
  git(folder, 'clone', '--quiet', directory, clone)
  try {
    git(clone, 'merge', '--quiet', '--no-ff', '-m', 'Merge', 'origin/topic')
    return { tree: git(clone, 'rev-parse', 'HEAD^{tree}'), conflicts: false }
  } catch {
    expect(git(clone, 'diff', '--name-only', '--diff-filter=U')).not.toBe('')
    return { tree: undefined, conflicts: true }
  } finally {
    rmSync(clone, { recursive: true })
  }
}

test('merges have the tree and the conflicts of git merge', { timeout: 600_000 }, async () => {
  const totals = { merged: 0, conflicts: 0 }
  await fc.assert(
    fc.asyncProperty(side, side, async (ours, theirs) => {
      const { project, directory } = await createBranches(ours, theirs)
      const expected = mergeWithGit(directory)
      const { mergeRequests } = forge.as('alice')
      const { iid, detailedMergeStatus } = await mergeRequests.create({ project, title: 'x', sourceBranch: 'topic' })
      expect(detailedMergeStatus).toBe(expected.conflicts ? 'conflict' : 'mergeable')
      try {
        const { mergeCommitSha } = await mergeRequests.merge({ project, mergeRequest: iid })
        expect(git(directory, 'rev-parse', `${mergeCommitSha}^{tree}`)).toBe(expected.tree)
        expect(git(directory, 'rev-parse', 'main')).toBe(mergeCommitSha)
        totals.merged += 1
      } catch (error) {
        if (!isPlatformError(error)) throw error
        expect([error.message, expected.conflicts]).toEqual(['Branch cannot be merged', true])
        totals.conflicts += 1
      }
    }),
    propertyRuns(4),
  )
  reportFigures('merges compared with git', { merges: totals.merged, conflicts: totals.conflicts })
})

test('a rebase has the commits of git rebase', async () => {
  const edit = (path: string, line: number): Change => ({ path, line, kind: 'edit' })
  const { project, directory } = await createBranches([edit('a', 1)], [edit('a', 9), edit('b', 2), edit('d/c', 0)])
  const clone = join(folder, 'rebased')
  git(folder, 'clone', '--quiet', '--branch', 'topic', directory, clone)
  git(clone, 'rebase', '--quiet', 'origin/main')
  const { mergeRequests } = forge.as('alice')
  const { iid } = await mergeRequests.create({ project, title: 'x', sourceBranch: 'topic' })
  await mergeRequests.rebase({ project, mergeRequest: iid })
  const format = '--format=%T %an %ae %at %B'
  expect(git(directory, 'log', format, 'main..topic')).toBe(git(clone, 'log', format, 'origin/main..topic'))
})
