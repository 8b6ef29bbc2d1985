import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createSampleHistory,
  runGit,
  runGitText,
  type SampleHistory,
} from '../../../../../test/support/sample-history.ts'
import type { Contributor, ContributorCountRequest, ContributorTotals } from '../git.ts'
import { gitBinary } from '../git-binary.ts'

let sample: SampleHistory
const git = gitBinary()

beforeAll(() => {
  sample = createSampleHistory()
})

afterAll(async () => {
  await git.close()
  rmSync(sample.folder, { recursive: true })
})

/** The expected result, computed from `git log --numstat`. */
const countWithGit = (directory: string, commit: string): Contributor[] => {
  const command = [
    'log',
    '--no-merges',
    '-n',
    '2000',
    '--numstat',
    '--format=%x01%ae%x01%an',
    '--encoding=UTF-8',
    commit,
  ]
  const contributors = new Map<string, { -readonly [K in keyof Contributor]: Contributor[K] }>()
  let current: Contributor | undefined
  for (const line of runGit(directory, command).toString('latin1').split('\n')) {
    const [, email, name = ''] = line.split('\x01')
    const [, additions, deletions] = /^([0-9]+)\t([0-9]+)\t/.exec(line) ?? []
    if (email !== undefined) {
      const bytes = Buffer.from(name, 'latin1')
      const decoded = bytes.toString().includes('\ufffd') ? name : bytes.toString()
      const previous = contributors.get(email) ?? { name: decoded, email, commits: 0, additions: 0, deletions: 0 }
      current = { ...previous, commits: previous.commits + 1 }
      contributors.set(email, current)
    } else if (current && additions !== undefined) {
      current = {
        ...current,
        additions: current.additions + Number(additions),
        deletions: current.deletions + Number(deletions),
      }
      contributors.set(current.email, current)
    }
  }
  return [...contributors.values()]
}

test('counts commits and lines like git', async () => {
  const repository = git.open(sample.directory)
  for (const revision of ['main', 'main~7', 'topic/20', 'orphan', 'light', 'left']) {
    const commit = runGitText(sample.directory, 'rev-parse', revision)
    const contributors = await repository.contributors(commit)
    expect(contributors).toEqual({
      contributors: countWithGit(sample.directory, commit),
      commits: Number(runGitText(sample.directory, 'rev-list', '--count', '--no-merges', commit)),
      hasMore: false,
    })
    expect(await repository.contributors(commit)).toBe(contributors)
  }
  const emails = (await repository.contributors(runGitText(sample.directory, 'rev-parse', 'main'))).contributors.map(
    ({ email }) => email,
  )
  expect(emails).toContain('ada@example.com')
  expect(emails).toContain('ADA@example.com')
  expect(emails).toContain('')
})

test('counts the newest 2,000 commits, and all of them in batches', async () => {
  const directory = join(sample.folder, 'many.git')
  const many = await git.create(directory)
  const commits = Array.from({ length: 2010 }, (_, index) => ({
    branch: 'main',
    message: `${index}`,
    author: {
      name: index < 5 ? 'Early' : 'Late',
      email: index < 5 ? 'early@example.com' : 'late@example.com',
      date: new Date(1_500_000_000_000 + index * 1000).toISOString(),
    },
    files: [{ path: 'file', content: `${index}\n` }],
  }))
  const ids = await many.writeCommits(commits)
  const late = { name: 'Late', email: 'late@example.com', commits: 2000, additions: 2000, deletions: 2000 }
  const early = { name: 'Early', email: 'early@example.com', commits: 5, additions: 5, deletions: 4 }
  const rest = { ...late, commits: 5, additions: 5, deletions: 5 }
  const tip = ids.at(-1) ?? ''
  expect(await many.contributors(tip)).toEqual({ contributors: [late], commits: 2000, hasMore: true })
  const count = async (range: Omit<ContributorCountRequest, 'commit'>) => {
    const batches: ContributorTotals[] = []
    for await (const totals of many.countContributors({ commit: tip, ...range })) batches.push(totals)
    return batches
  }
  expect(await count({ offset: 0 })).toEqual([
    { contributors: [late], commits: 2000, hasMore: true },
    { contributors: [rest, early], commits: 10, hasMore: false },
  ])
  expect(await count({ offset: 2005 })).toEqual([{ contributors: [early], commits: 5, hasMore: false }])
  expect(await count({ offset: 0, exclude: ids.at(-4) })).toEqual([
    { contributors: [{ ...late, commits: 3, additions: 3, deletions: 3 }], commits: 3, hasMore: false },
  ])
  expect(await count({ offset: 0, exclude: tip })).toEqual([])
})

test('counts only new commits in a later call', async () => {
  const log = join(sample.folder, 'counted')
  const program = join(sample.folder, 'recording-git')
  writeFileSync(program, `#!/bin/sh\ncase "$*" in *--numstat*) tee -a ${log} | git "$@";; *) exec git "$@";; esac\n`)
  chmodSync(program, 0o755)
  appendFileSync(log, '')
  const recording = gitBinary({ program })
  const repository = recording.open(sample.directory)
  const main = runGitText(sample.directory, 'rev-parse', 'main')
  await repository.contributors(main)
  const before = readFileSync(log, 'utf8').trim().split('\n').length
  expect(before).toBeGreaterThan(800)
  const author = { name: 'New', email: 'new@example.com', date: '2024-01-01T00:00:00Z' }
  const [added = ''] = await repository.writeCommits([
    { branch: 'main', message: 'New', author, files: [{ path: 'new', content: 'a\nb\n' }] },
  ])
  const { contributors } = await repository.contributors(added)
  expect(contributors[0]).toEqual({ name: 'New', email: 'new@example.com', commits: 1, additions: 2, deletions: 0 })
  expect(contributors).toEqual(countWithGit(sample.directory, added))
  expect(readFileSync(log, 'utf8').trim().split('\n').slice(before)).toEqual([added])
  await recording.close()
})

test('throws not_found for unknown commits', async () => {
  const repository = git.open(sample.directory)
  for (const commit of ['main', '', '--all', 'f'.repeat(40)]) {
    await expect(repository.contributors(commit)).rejects.toMatchObject({ code: 'not_found' })
  }
})
