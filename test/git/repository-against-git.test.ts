import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, type Send } from '../contract/client.ts'
import { readBlobs, runGit, runGitLines, runGitText } from '../support/sample-history.ts'
import { sample, sampleWorld } from './sample-world.ts'

const base = '/projects/acme%2Fweb/repository'
const git = (...args: string[]) => runGitText(sample.directory, ...args)
const lines = (...args: string[]) => runGitLines(sample.directory, ...args)

let forge: FakeForge
let send: Send
const scratch = mkdtempSync(join(tmpdir(), 'forgelet-unpacked-'))
beforeAll(async () => {
  forge = await sampleWorld()
  send = client(forge)
})
afterAll(async () => {
  await forge.close()
  for (const folder of [sample.folder, scratch]) rmSync(folder, { recursive: true, force: true })
})

interface Entry {
  readonly id: string
  readonly type: string
  readonly mode: string
  readonly path: string
}

/** All pages of a list. */
const readAll = async <T>(path: string): Promise<T[]> => {
  const all: T[] = []
  for (let page = '1'; page !== ''; ) {
    const { body, headers } = await send(
      `GET ${base}/${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`,
    )
    all.push(...body)
    page = headers.get('x-next-page') ?? ''
  }
  return all
}

/** Decodes bytes in a Latin-1 string as UTF-8 if they are valid UTF-8. */
const decode = (latin1: string): string => {
  const bytes = Buffer.from(latin1, 'latin1')
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : latin1
}

/** The output of `git ls-tree -z` in the order of the API: directories, files, submodules. Invalid UTF-8 is read as Latin-1. */
const listTree = (...args: string[]): string[] => {
  const rows = runGit(sample.directory, ['ls-tree', '-z', ...args])
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((row) => {
      const [, mode = '', type = '', id = '', path = ''] = /^(\d+) (\w+) (\w+)\t([\s\S]*)$/.exec(row) ?? []
      return { mode, type, id, path: decode(path) }
    })
  return ['tree', 'blob', 'commit'].flatMap((kind) =>
    rows.filter(({ type }) => type === kind).map(({ mode, type, id, path }) => `${mode} ${type} ${id} ${path}`),
  )
}

const formatEntries = (entries: readonly Entry[]) =>
  entries.map(({ mode, type, id, path }) => `${mode} ${type} ${id} ${path}`)

test.each(['main', 'v1.0', 'nested', 'light', 'orphan', 'żółć', 'topic/7', 'deadbeef'])('tree of %s', async (ref) => {
  const commit = git('rev-parse', `${ref}^{commit}`)
  const query = `ref=${encodeURIComponent(ref)}`
  expect(formatEntries(await readAll<Entry>(`tree?${query}`))).toEqual(listTree(commit))
  expect(formatEntries(await readAll<Entry>(`tree?recursive=true&${query}`))).toEqual(listTree('-r', '-t', commit))
})

test('tree of a directory', async () => {
  expect(formatEntries(await readAll<Entry>('tree?path=large'))).toEqual(listTree('main', 'large/'))
  expect(formatEntries(await readAll<Entry>('tree?path=src&recursive=true'))).toEqual(
    listTree('-r', '-t', 'main', 'src/').filter((row) => !row.endsWith(' src')),
  )
})

test('every file of a commit, raw and in Base64', async () => {
  const files = (await readAll<Entry>('tree?recursive=true')).filter(({ type }) => type === 'blob')
  const ids = [...new Set(files.map(({ id }) => id))]
  expect(ids.length).toBeGreaterThan(100)
  const some = ids.slice(0, 80).concat(ids.slice(-20))
  const contents = readBlobs(sample.directory, some)
  for (const [index, id] of some.entries()) {
    const content = contents[index] as Buffer
    const { body } = await send(`GET ${base}/blobs/${id}`)
    expect(body).toEqual({ size: content.length, encoding: 'base64', content: content.toString('base64'), sha: id })
    const raw = await forge.fetch(`${forge.url}/api/v4${base}/blobs/${id}/raw`)
    expect(Buffer.from(await raw.arrayBuffer()).equals(content)).toBe(true)
  }
})

const gitDiff = (...args: string[]): string =>
  runGit(sample.directory, [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--find-renames',
    '--full-index',
    ...args,
  ]).toString()

test.each([
  ['light', 'main'],
  ['main', 'orphan'],
  ['left', 'right'],
  ['topic/0', 'topic/39'],
  ['main', 'topic/3'],
])('compare %s with %s', async (from, to) => {
  for (const straight of [false, true]) {
    const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&straight=${straight}`
    const { status, body } = await send(`GET ${base}/compare?${query}`)
    expect(status).toBe(200)
    const ids = body.commits.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(lines('rev-list', '--reverse', `${from}..${to}`))
    expect(body.commit?.id ?? null).toBe(ids.at(-1) ?? null)
    // With criss-cross merges or unrelated histories the merge base is ambiguous.
    if (!straight && ['orphan', 'right'].includes(to)) continue
    const range = straight ? [from, to] : [`${from}...${to}`]
    const names = gitDiff('-z', '--name-status', ...range)
    const text = gitDiff(...range)
    const count = names.split('\0').filter((word) => /^[AMDTR]\d*$/.test(word)).length
    if (!body.compare_timeout) expect(body.diffs).toHaveLength(count)
    const textDiffs = body.diffs.filter(({ diff }: { diff: string }) => diff.startsWith('@@'))
    // The diff is part of git's output, from the first hunk on.
    for (const { diff } of textDiffs) expect(text.includes(diff)).toBe(true)
  }
})

test('contributors', async () => {
  const log = ['log', '--no-merges', '-n', '2000', '--numstat', '--find-renames', '--format=%x00%ae%n%an', 'main']
  const records = runGit(sample.directory, log).toString('latin1').split('\0').slice(1)
  expect(records.length).toBeGreaterThan(900)
  const expected = new Map<string, { name: string; commits: number; additions: number; deletions: number }>()
  for (const record of records) {
    const [email = '', name = '', ...counts] = record.split('\n')
    const entry = expected.get(email) ?? { name: decode(name), commits: 0, additions: 0, deletions: 0 }
    for (const count of counts) {
      const [, added = '0', removed = '0'] = /^(\d+)\t(\d+)/.exec(count) ?? []
      entry.additions += Number(added)
      entry.deletions += Number(removed)
    }
    expected.set(email, { ...entry, commits: entry.commits + 1 })
  }
  const contributors = await readAll<{ email: string; commits: number }>('contributors')
  expect(contributors.length).toBeGreaterThan(4)
  expect(Object.fromEntries(contributors.map(({ email, ...rest }) => [email, rest]))).toEqual(
    Object.fromEntries(expected),
  )
  const commits = contributors.map((contributor) => contributor.commits)
  expect(commits).toEqual([...commits].sort((a, b) => a - b))
})

test('merge bases', async () => {
  for (const [left, right] of [
    ['main', 'topic/5'],
    ['light', 'main'],
    ['topic/1', 'topic/30'],
    ['left', 'main'],
  ] as const) {
    const { body } = await send(`GET ${base}/merge_base?refs[]=${left}&refs[]=${right}`)
    expect(body.id).toBe(git('merge-base', left, right))
    expect(body.message).toBe(
      runGit(sample.directory, ['show', '--no-patch', '--format=%B', body.id]).toString().replace(/\n$/, ''),
    )
  }
  const crossed = await send(`GET ${base}/merge_base?refs[]=left&refs[]=right`)
  expect(lines('merge-base', '--all', 'left', 'right')).toContain(crossed.body.id)
  expect((await send(`GET ${base}/merge_base?refs[]=main&refs[]=orphan`)).status).toBe(404)
})

test('branches and tags', async () => {
  const names = (refs: readonly { name: string; commit: { id: string } }[]) =>
    refs.map(({ name, commit }) => `${commit.id} ${name}`).sort()
  expect(names(await readAll('branches'))).toEqual(
    lines('for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads').sort(),
  )
  const tagNames = lines('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/tags').filter(
    (name) => name !== 'of-a-file',
  )
  expect(names(await readAll('tags'))).toEqual(
    tagNames.map((name) => `${git('rev-parse', `${name}^{commit}`)} ${name}`).sort(),
  )
  const encoded = await send(`GET ${base}/branches/${encodeURIComponent('topic/7')}`)
  expect(encoded.body.commit.id).toBe(git('rev-parse', 'topic/7'))
  expect((await send(`GET ${base}/branches/topic/7`)).body.commit.id).toBe(git('rev-parse', 'topic/7'))
})

const unpack = (format: string, file: string, target: string) => {
  if (format === 'zip') {
    const script = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])'
    execFileSync('python3', ['-c', script, file, target])
  } else execFileSync('tar', ['-xf', file, '-C', target])
}

test.each(['tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2', 'tar', 'zip'])(
  'archive.%s contains the files of the commit',
  async (format) => {
    // The tag contains file names that zip tools encode differently; zip is tested with plain names.
    const ref = format === 'zip' ? 'orphan' : 'v1.0'
    const commit = git('rev-parse', `${ref}^{commit}`)
    const response = await forge.fetch(`${forge.url}/api/v4${base}/archive.${format}?sha=${ref}`)
    expect(response.status).toBe(200)
    const target = join(scratch, format)
    mkdirSync(target)
    const file = join(scratch, `archive.${format}`)
    writeFileSync(file, Buffer.from(await response.arrayBuffer()))
    unpack(format, file, target)
    expect(readdirSync(target)).toEqual([`web-${ref}-${commit}`])
    const folder = join(target, `web-${ref}-${commit}`)
    // git reads the files back: equal files give an equal tree, except submodules, which are folders in an archive.
    const index = join(scratch, `${format}.index`)
    const gitInTarget = (...args: string[]) =>
      execFileSync('git', ['--git-dir', sample.directory, '--work-tree', folder, '-c', 'core.fileMode=true', ...args], {
        env: { ...process.env, GIT_INDEX_FILE: index },
      }).toString('latin1')
    gitInTarget('add', '--all', '--force', '.')
    const unpacked = gitInTarget('ls-files', '--stage', '-z')
      .split('\0')
      .filter(Boolean)
      .map((row) => row.replace(/ 0\t/, '\t'))
    const expected = runGit(sample.directory, ['ls-tree', '-r', '-z', commit])
      .toString('latin1')
      .split('\0')
      .filter((row) => row && !row.includes(' commit '))
      .map((row) => row.replace(/^(\d+) blob /, '$1 '))
    expect(unpacked.sort()).toEqual(expected.sort())
  },
)
