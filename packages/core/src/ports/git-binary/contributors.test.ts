import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Contributor } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { askGit, gitText, type SampleHistory, sampleHistory } from './sample-history.ts'

let sample: SampleHistory
const git = gitBinary()

beforeAll(() => {
  sample = sampleHistory()
})

afterAll(async () => {
  await git.close()
  rmSync(sample.folder, { recursive: true })
})

/** The same, counted from what `git log --numstat` prints. */
const counted = (directory: string, commit: string): Contributor[] => {
  const words = ['log', '--no-merges', '-n', '2000', '--numstat', '--format=%x01%ae%x01%an', '--encoding=UTF-8', commit]
  const people = new Map<string, { -readonly [K in keyof Contributor]: Contributor[K] }>()
  let current: Contributor | undefined
  for (const line of askGit(directory, words).toString('latin1').split('\n')) {
    const [, email, name = ''] = line.split('\x01')
    const [, additions, deletions] = /^([0-9]+)\t([0-9]+)\t/.exec(line) ?? []
    if (email !== undefined) {
      const bytes = Buffer.from(name, 'latin1')
      const shown = bytes.toString().includes('\ufffd') ? name : bytes.toString()
      const known = people.get(email) ?? { name: shown, email, commits: 0, additions: 0, deletions: 0 }
      current = { ...known, commits: known.commits + 1 }
      people.set(email, current)
    } else if (current && additions !== undefined) {
      current = {
        ...current,
        additions: current.additions + Number(additions),
        deletions: current.deletions + Number(deletions),
      }
      people.set(current.email, current)
    }
  }
  return [...people.values()]
}

test('commits and lines are those that git counts, for any head', async () => {
  const repository = git.open(sample.directory)
  for (const revision of ['main', 'main~7', 'topic/20', 'orphan', 'light', 'left']) {
    const commit = gitText(sample.directory, 'rev-parse', revision)
    const found = await repository.contributors(commit)
    expect(found).toEqual(counted(sample.directory, commit))
    expect(await repository.contributors(commit)).toBe(found)
  }
  const emails = (await repository.contributors(gitText(sample.directory, 'rev-parse', 'main'))).map(
    ({ email }) => email,
  )
  expect(emails).toContain('ada@example.com')
  expect(emails).toContain('ADA@example.com')
  expect(emails).toContain('')
})

test('counts the newest 2,000 commits only', async () => {
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
  const ids = await many.write(commits)
  const [only, ...others] = await many.contributors(ids.at(-1) ?? '')
  expect(others).toEqual([])
  expect(only).toEqual({ name: 'Late', email: 'late@example.com', commits: 2000, additions: 2000, deletions: 2000 })
})

test('after new commits only those are counted', async () => {
  const log = join(sample.folder, 'counted')
  const program = join(sample.folder, 'recording-git')
  writeFileSync(program, `#!/bin/sh\ncase "$*" in *--numstat*) tee -a ${log} | git "$@";; *) exec git "$@";; esac\n`)
  chmodSync(program, 0o755)
  appendFileSync(log, '')
  const recording = gitBinary({ program })
  const repository = recording.open(sample.directory)
  const main = gitText(sample.directory, 'rev-parse', 'main')
  await repository.contributors(main)
  const before = readFileSync(log, 'utf8').trim().split('\n').length
  expect(before).toBeGreaterThan(800)
  const author = { name: 'New', email: 'new@example.com', date: '2024-01-01T00:00:00Z' }
  const [added = ''] = await repository.write([
    { branch: 'main', message: 'New', author, files: [{ path: 'new', content: 'a\nb\n' }] },
  ])
  const people = await repository.contributors(added)
  expect(people[0]).toEqual({ name: 'New', email: 'new@example.com', commits: 1, additions: 2, deletions: 0 })
  expect(people).toEqual(counted(sample.directory, added))
  expect(readFileSync(log, 'utf8').trim().split('\n').slice(before)).toEqual([added])
  await recording.close()
})

test('what is no commit is not found', async () => {
  const repository = git.open(sample.directory)
  for (const commit of ['main', '', '--all', 'f'.repeat(40)]) {
    await expect(repository.contributors(commit)).rejects.toMatchObject({ code: 'not_found' })
  }
})
