import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askGit, gitLines, gitText } from '../../packages/core/src/ports/git-binary/sample-history.ts'
import { type Ask, client } from '../contract/client.ts'
import { sample, sampleWorld } from './sample-world.ts'

const base = '/projects/acme%2Fweb/repository'
const git = (...words: string[]) => gitText(sample.directory, ...words)
const lines = (...words: string[]) => gitLines(sample.directory, ...words)

let forge: FakeForge
let ask: Ask
const scratch = mkdtempSync(join(tmpdir(), 'forgelet-unpacked-'))
beforeAll(async () => {
  forge = await sampleWorld()
  ask = client(forge)
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

/** Every page of a list. */
const whole = async <T>(path: string): Promise<T[]> => {
  const all: T[] = []
  for (let page = '1'; page !== ''; ) {
    const { body, headers } = await ask(`GET ${base}/${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`)
    all.push(...body)
    page = headers.get('x-next-page') ?? ''
  }
  return all
}

/** Bytes that were read as Latin-1, as UTF-8 where they are that. */
const readable = (latin1: string): string => {
  const bytes = Buffer.from(latin1, 'latin1')
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : latin1
}

/** What `git ls-tree -z` says, in the order of our lists: directories, files, submodules. Other bytes than UTF-8 are Latin-1. */
const listing = (...words: string[]): string[] => {
  const rows = askGit(sample.directory, ['ls-tree', '-z', ...words])
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((row) => {
      const [, mode = '', type = '', id = '', path = ''] = /^(\d+) (\w+) (\w+)\t([\s\S]*)$/.exec(row) ?? []
      return { mode, type, id, path: readable(path) }
    })
  return ['tree', 'blob', 'commit'].flatMap((kind) =>
    rows.filter(({ type }) => type === kind).map(({ mode, type, id, path }) => `${mode} ${type} ${id} ${path}`),
  )
}

const shown = (entries: readonly Entry[]) => entries.map(({ mode, type, id, path }) => `${mode} ${type} ${id} ${path}`)

test.each(['main', 'v1.0', 'nested', 'light', 'orphan', 'żółć', 'topic/7', 'deadbeef'])('tree of %s', async (ref) => {
  const commit = git('rev-parse', `${ref}^{commit}`)
  const query = `ref=${encodeURIComponent(ref)}`
  expect(shown(await whole<Entry>(`tree?${query}`))).toEqual(listing(commit))
  expect(shown(await whole<Entry>(`tree?recursive=true&${query}`))).toEqual(listing('-r', '-t', commit))
})

test('tree of a directory', async () => {
  expect(shown(await whole<Entry>('tree?path=large'))).toEqual(listing('main', 'large/'))
  expect(shown(await whole<Entry>('tree?path=src&recursive=true'))).toEqual(
    listing('-r', '-t', 'main', 'src/').filter((row) => !row.endsWith(' src')),
  )
})

test('every file of a commit, raw and in Base64', async () => {
  const files = (await whole<Entry>('tree?recursive=true')).filter(({ type }) => type === 'blob')
  const ids = [...new Set(files.map(({ id }) => id))]
  expect(ids.length).toBeGreaterThan(100)
  for (const id of ids.slice(0, 80).concat(ids.slice(-20))) {
    const content = askGit(sample.directory, ['cat-file', 'blob', id])
    const { body } = await ask(`GET ${base}/blobs/${id}`)
    expect(body).toEqual({ size: content.length, encoding: 'base64', content: content.toString('base64'), sha: id })
    const raw = await forge.fetch(`${forge.url}/api/v4${base}/blobs/${id}/raw`)
    expect(Buffer.from(await raw.arrayBuffer()).equals(content)).toBe(true)
  }
})

const patches = (...words: string[]): string =>
  askGit(sample.directory, [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--find-renames',
    '--full-index',
    ...words,
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
    const { status, body } = await ask(`GET ${base}/compare?${query}`)
    expect(status).toBe(200)
    const ids = body.commits.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(lines('rev-list', '--reverse', `${from}..${to}`))
    expect(body.commit?.id ?? null).toBe(ids.at(-1) ?? null)
    // Where histories crossed or never met, what they parted from is a matter of choice.
    if (!straight && ['orphan', 'right'].includes(to)) continue
    const range = straight ? [from, to] : [`${from}...${to}`]
    const names = patches('-z', '--name-status', ...range)
    const text = patches(...range)
    const count = names.split('\0').filter((word) => /^[AMDTR]\d*$/.test(word)).length
    if (!body.compare_timeout) expect(body.diffs).toHaveLength(count)
    const sizable = body.diffs.filter(({ diff }: { diff: string }) => diff.startsWith('@@'))
    // git's own text, from the first hunk on.
    for (const { diff } of sizable) expect(text.includes(diff)).toBe(true)
  }
})

test('contributors', async () => {
  const log = ['log', '--no-merges', '-n', '2000', '--numstat', '--find-renames', '--format=%x00%ae%n%an', 'main']
  const records = askGit(sample.directory, log).toString('latin1').split('\0').slice(1)
  expect(records.length).toBeGreaterThan(900)
  const expected = new Map<string, { name: string; commits: number; additions: number; deletions: number }>()
  for (const record of records) {
    const [email = '', name = '', ...counts] = record.split('\n')
    const known = expected.get(email) ?? { name: readable(name), commits: 0, additions: 0, deletions: 0 }
    for (const count of counts) {
      const [, added = '0', removed = '0'] = /^(\d+)\t(\d+)/.exec(count) ?? []
      known.additions += Number(added)
      known.deletions += Number(removed)
    }
    expected.set(email, { ...known, commits: known.commits + 1 })
  }
  const found = await whole<{ email: string; commits: number }>('contributors')
  expect(found.length).toBeGreaterThan(4)
  expect(Object.fromEntries(found.map(({ email, ...rest }) => [email, rest]))).toEqual(Object.fromEntries(expected))
  const commits = found.map((one) => one.commits)
  expect(commits).toEqual([...commits].sort((one, other) => one - other))
})

test('merge bases', async () => {
  for (const [one, other] of [
    ['main', 'topic/5'],
    ['light', 'main'],
    ['topic/1', 'topic/30'],
    ['left', 'main'],
  ] as const) {
    const { body } = await ask(`GET ${base}/merge_base?refs[]=${one}&refs[]=${other}`)
    expect(body.id).toBe(git('merge-base', one, other))
    expect(body.message).toBe(
      askGit(sample.directory, ['show', '--no-patch', '--format=%B', body.id]).toString().replace(/\n$/, ''),
    )
  }
  const crossed = await ask(`GET ${base}/merge_base?refs[]=left&refs[]=right`)
  expect(lines('merge-base', '--all', 'left', 'right')).toContain(crossed.body.id)
  expect((await ask(`GET ${base}/merge_base?refs[]=main&refs[]=orphan`)).status).toBe(404)
})

test('branches and tags', async () => {
  const names = (found: readonly { name: string; commit: { id: string } }[]) =>
    found.map(({ name, commit }) => `${commit.id} ${name}`).sort()
  expect(names(await whole('branches'))).toEqual(
    lines('for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads').sort(),
  )
  const marked = lines('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/tags').filter(
    (name) => name !== 'of-a-file',
  )
  expect(names(await whole('tags'))).toEqual(
    marked.map((name) => `${git('rev-parse', `${name}^{commit}`)} ${name}`).sort(),
  )
  const odd = await ask(`GET ${base}/branches/${encodeURIComponent('topic/7')}`)
  expect(odd.body.commit.id).toBe(git('rev-parse', 'topic/7'))
  expect((await ask(`GET ${base}/branches/topic/7`)).body.commit.id).toBe(git('rev-parse', 'topic/7'))
})

const unpack = (form: string, file: string, into: string) => {
  if (form === 'zip') {
    const script = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])'
    execFileSync('python3', ['-c', script, file, into])
  } else execFileSync('tar', ['-xf', file, '-C', into])
}

test.each(['tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2', 'tar', 'zip'])(
  'archive.%s holds what git has',
  async (form) => {
    // The tree of an early tag has names that zip tools spell in their own way; a plain one is compared by all.
    const ref = form === 'zip' ? 'orphan' : 'v1.0'
    const commit = git('rev-parse', `${ref}^{commit}`)
    const response = await forge.fetch(`${forge.url}/api/v4${base}/archive.${form}?sha=${ref}`)
    expect(response.status).toBe(200)
    const into = join(scratch, form)
    mkdirSync(into)
    const file = join(scratch, `archive.${form}`)
    writeFileSync(file, Buffer.from(await response.arrayBuffer()))
    unpack(form, file, into)
    expect(readdirSync(into)).toEqual([`web-${ref}-${commit}`])
    const folder = join(into, `web-${ref}-${commit}`)
    // git itself reads the files back: the same files make the same tree, submodules aside, which an archive has as folders.
    const index = join(scratch, `${form}.index`)
    const again = (...words: string[]) =>
      execFileSync(
        'git',
        ['--git-dir', sample.directory, '--work-tree', folder, '-c', 'core.fileMode=true', ...words],
        {
          env: { ...process.env, GIT_INDEX_FILE: index },
        },
      ).toString('latin1')
    again('add', '--all', '--force', '.')
    const kept = again('ls-files', '--stage', '-z')
      .split('\0')
      .filter(Boolean)
      .map((row) => row.replace(/ 0\t/, '\t'))
    const expected = askGit(sample.directory, ['ls-tree', '-r', '-z', commit])
      .toString('latin1')
      .split('\0')
      .filter((row) => row && !row.includes(' commit '))
      .map((row) => row.replace(/^(\d+) blob /, '$1 '))
    expect(kept.sort()).toEqual(expected.sort())
  },
)
