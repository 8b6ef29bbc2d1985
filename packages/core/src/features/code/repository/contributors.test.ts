import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostStatement } from '@forgelet/core'
import type { Contributor } from '@forgelet/core/operations'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDemo } from '../../../../../../test/support/open-demo.ts'
import { runGit, runGitText } from '../../../../../../test/support/sample-history.ts'
import { world } from '../../../../../../test/world.ts'
import { gitBinary } from '../../../ports/git-binary.ts'

const project = 'acme/web'
const commitCount = 4_600
const ada = { name: 'Ada', email: 'ada@example.com' }
const folder = mkdtempSync(join(tmpdir(), 'forgelet-contributors-test-'))
const original = join(folder, 'original.git')

/** Names differ between the commits of an address: the newest one counts. Some addresses occur in the oldest commits only. */
const authorOf = (index: number) =>
  index < 30 ? `Old ${index} <old${index % 3}@example.com>` : `Name ${index} <dev${index % 70}@example.com>`

const formatCommit = (branch: string, author: string, time: number, from?: string) =>
  `commit refs/heads/${branch}\nauthor ${author} ${time} +0000\ncommitter ${author} ${time} +0000\ndata 1\nx\n${from ? `from ${from}\n` : ''}`

/** Adds commits with git that change two files. */
const addCommits = (directory: string, branch: string, authors: readonly string[], start: number) => {
  const tip = start > 0 ? `refs/heads/${branch}^0` : undefined
  const commands = authors.map((author, at) => {
    const content = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`
    const index = start + at
    const files = `${content(`own/${index % 50}`, `${index}\nb\n`)}${content('shared', `${index}\n`)}`
    return `${formatCommit(branch, author, 1_600_000_000 + index, at === 0 ? tip : undefined)}${files}\n`
  })
  runGit(directory, ['fast-import', '--quiet', '--done'], `${commands.join('')}done\n`)
}

beforeAll(() => {
  mkdirSync(original)
  runGit(original, ['init', '-q', '--bare', '--template=', '-b', 'main', original])
  addCommits(
    original,
    'main',
    Array.from({ length: commitCount }, (_, index) => authorOf(index)),
    0,
  )
  runGit(original, ['branch', 'short', `main~${commitCount - 1_999}`])
  runGit(original, ['branch', 'long', `main~${commitCount - 2_001}`])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The expected result, from `git log --numstat`. */
const countWithGit = (directory: string, commit: string): Contributor[] => {
  const contributors = new Map<string, { -readonly [K in keyof Contributor]: Contributor[K] }>()
  const log = runGitText(directory, 'log', '--no-merges', '--numstat', '--format=%x00%ae%n%an', commit)
  for (const record of log.split('\0').slice(1)) {
    const [email = '', name = '', ...lines] = record.split('\n')
    const sum = contributors.get(email) ?? { name, email, commits: 0, additions: 0, deletions: 0 }
    contributors.set(email, sum)
    sum.commits += 1
    for (const line of lines) {
      const [, additions = '0', deletions = '0'] = /^(\d+)\t(\d+)/.exec(line) ?? []
      sum.additions += Number(additions)
      sum.deletions += Number(deletions)
    }
  }
  return [...contributors.values()].sort((one, other) => (one.email < other.email ? -1 : 1))
}

let forge: FakeForge
let listed: string
beforeEach(async () => {
  const program = join(folder, 'recording-git')
  listed = join(folder, 'listed')
  writeFileSync(listed, '')
  const failing = join(folder, 'failing')
  writeFileSync(
    program,
    `#!/bin/sh\ncase "$*" in *--numstat*) test ! -e ${failing} || exit 1; tee -a ${listed} | git "$@";; *) exec git "$@";; esac\n`,
  )
  chmodSync(program, 0o755)
  forge = await world({ seed: openDemo, ports: { git: gitBinary({ program }) } })
  await forge.host.repository.import({ project, path: original })
  await forge.platform.jobs.drain()
})
afterEach(() => forge.close())

/** Commits whose lines git has counted since the last call. */
const takeCountedCommits = () => {
  const lines = readFileSync(listed, 'utf8').split('\n').filter(Boolean)
  writeFileSync(listed, '')
  return lines.length
}

const directory = async () => (await forge.host.repository.get({ project })).directory as string

const read = async (ref?: string, orderBy: 'name' | 'email' | 'commits' = 'email', sort: 'asc' | 'desc' = 'asc') => {
  const items: Contributor[] = []
  for (let page = 1; ; page++) {
    const list = await forge.as('bob').repository.listContributors({ project, ref, orderBy, sort, page, perPage: 50 })
    items.push(...list.items)
    if (!list.hasNext) return { items, total: list.total, countedCommits: list.countedCommits }
  }
}

const sql: HostStatement = (text) => forge.platform.atomic((_platform, _at, run) => run(text))

const findCounts = async () =>
  (await sql('select commit_id as head from contributor_count order by id')).map(({ head }) => head)

test('a job counts all commits of a long history once, and the reply says how many it covers until then', async () => {
  const path = await directory()
  const first = await read()
  expect(first.countedCommits).toBe(2_000)
  expect(first.items).toHaveLength(70)
  expect(first.items.reduce((sum, { commits }) => sum + commits, 0)).toBe(2_000)
  expect(await read()).toEqual(first)
  expect(await findCounts()).toHaveLength(1)
  await forge.platform.jobs.drain()
  const complete = await read()
  expect(complete).toEqual({ items: countWithGit(path, 'main'), total: 73, countedCommits: undefined })
  takeCountedCommits()
  expect(await read()).toEqual(complete)
  expect(takeCountedCommits()).toBe(0)
  expect(await findCounts()).toEqual([runGitText(path, 'rev-parse', 'main')])
})

test('replies over HTTP have a header until all commits are counted', async () => {
  const url = `${forge.url}/api/v4/projects/acme%2Fweb/repository/contributors?per_page=5`
  const readHeaders = async (parameters = '') => {
    const { status, headers } = await forge.fetch(`${url}${parameters}`)
    return [status, headers.get('x-total'), headers.get('forgelet-counted-commits')]
  }
  expect(await readHeaders()).toEqual([200, '70', '2000'])
  await forge.platform.jobs.drain()
  expect(await readHeaders()).toEqual([200, '73', null])
  expect(await readHeaders('&ref=short')).toEqual([200, '73', null])
  expect((await readHeaders('&ref=missing'))[0]).toBe(404)
})

test('stored contributors have the same order as those of a short history', async () => {
  await read('long')
  await forge.platform.jobs.drain()
  for (const orderBy of ['name', 'email', 'commits'] as const) {
    for (const sort of ['asc', 'desc'] as const) {
      const { items, countedCommits } = await read('long', orderBy, sort)
      expect(countedCommits).toBeUndefined()
      const keys = items.map((item) => (orderBy === 'commits' ? item.commits : item[orderBy].toLowerCase()))
      const sorted = [...keys].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
      expect(keys).toEqual(sort === 'asc' ? sorted : sorted.reverse())
    }
  }
})

test('short histories are counted at once, without a job', async () => {
  expect(await read('short')).toMatchObject({
    items: countWithGit(await directory(), 'short'),
    countedCommits: undefined,
  })
  expect(await findCounts()).toEqual([])
  await expect(read('missing')).rejects.toMatchObject({ code: 'not_found' })
})

test('only the commits of a push are counted, before the next request', async () => {
  await read()
  await forge.platform.jobs.drain()
  takeCountedCommits()
  await forge.host.commits.import({
    project,
    commits: ['Dev Seven <dev7@example.com>', 'Newcomer <new@example.com>'].map((author, index) => ({
      message: `${index}`,
      author: { name: author.split(' <')[0] as string, email: author.split(/[<>]/)[1] as string },
      files: [{ path: `new/${index}`, content: 'a\n' }],
    })),
  })
  await forge.platform.jobs.drain()
  const { items, countedCommits } = await read()
  expect(countedCommits).toBeUndefined()
  expect(items).toEqual(countWithGit(await directory(), 'main'))
  expect(items.find(({ email }) => email === 'dev7@example.com')?.name).toBe('Dev Seven')
  expect(takeCountedCommits()).toBe(2)
})

test('old heads are removed, and all of them with the project', async () => {
  const path = await directory()
  for (let round = 0; round < 7; round++) {
    await read()
    await forge.platform.jobs.drain()
    await forge.host.commits.import({
      project,
      commits: [{ message: 'x', author: ada, files: [{ path: `round/${round}`, content: 'x\n' }] }],
    })
  }
  await forge.platform.jobs.drain()
  const counts = await findCounts()
  expect(counts).toHaveLength(5)
  expect(counts.at(-1)).toBe(runGitText(path, 'rev-parse', 'main'))
  await forge.host.projects.remove({ project })
  await forge.platform.jobs.drain()
  expect(await findCounts()).toEqual([])
  expect(await sql('select email from contributor')).toEqual([])
})

test('a count that was interrupted continues after the commits that it covers', async () => {
  await read()
  const [count] = await sql('select id from contributor_count')
  const values = `${count?.id}, 'half@example.com', 'Half', 'half@example.com', 'half', 9, 9, 9`
  await sql(`insert into contributor values (${values})`)
  writeFileSync(join(folder, 'failing'), '')
  takeCountedCommits()
  await forge.platform.jobs.drain()
  const partial = await read()
  expect(partial.countedCommits).toBe(2_000)
  expect(partial.items.reduce((sum, { commits }) => sum + commits, 0)).toBe(2_000)
  expect(takeCountedCommits()).toBe(0)
  rmSync(join(folder, 'failing'))
  await forge.clock.advance({ minutes: 1 })
  expect((await read()).items).toEqual(countWithGit(await directory(), 'main'))
  expect(takeCountedCommits()).toBe(commitCount - 2_000)
})

test('a force push ends the count of a commit that no longer exists', async () => {
  await read()
  await sql(`update contributor_count set commit_id = '${'f'.repeat(40)}'`)
  await forge.platform.jobs.drain()
  expect(await findCounts()).toEqual([])
  const kinds = (await forge.platform.jobs.list()).map(({ kind }) => kind)
  expect(kinds).not.toContain('repository.countContributors')
})
