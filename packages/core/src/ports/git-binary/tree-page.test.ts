import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSampleHistory,
  runGit,
  runGitText,
  type SampleHistory,
} from '../../../../../test/support/sample-history.ts'
import type { Repository, TreeEntry, TreePage, TreeRequest } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'

let sample: SampleHistory
let repository: Repository
let commit: string
const git = gitBinary()

beforeAll(() => {
  sample = createSampleHistory()
  repository = git.open(sample.directory)
  commit = runGitText(sample.directory, 'rev-parse', 'main')
})

afterAll(async () => {
  await git.close()
  rmSync(sample.folder, { recursive: true })
})

/** Parses `git ls-tree` (`<mode> <type> <id>TAB<path>NUL`) and groups the entries like `Repository.tree`. */
const listWithGit = (...words: string[]): TreeEntry[] => {
  const output = runGit(sample.directory, ['ls-tree', '-z', ...words])
  const entries: TreeEntry[] = []
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start)
    const tab = output.indexOf(9, start)
    const [mode = '', type = '', id = ''] = output.toString('latin1', start, tab).split(' ')
    const bytes = output.subarray(tab + 1, end)
    const path = decodeUtf8OrLatin1(bytes)
    const name = decodeUtf8OrLatin1(bytes.subarray(bytes.lastIndexOf(47) + 1))
    entries.push({ id, name, path, type: type as TreeEntry['type'], mode })
    start = end + 1
  }
  return (['tree', 'blob', 'commit'] as const).flatMap((type) => entries.filter((entry) => entry.type === type))
}

const readPage = async (request: Omit<TreeRequest, 'commit'> = {}): Promise<TreePage> => {
  const page = await repository.tree({ commit, ...request })
  if (page === undefined) throw new Error(`Unknown commit ${commit}`)
  return page
}

describe('tree', () => {
  test('lists the root like git', async () => {
    const { entries, total } = await readPage()
    expect(entries).toEqual(listWithGit(commit))
    expect(total).toBe(entries.length)
    expect(entries.map(({ type }) => type)).toContain('commit')
    expect(entries.find(({ name }) => name === 'src')?.mode).toBe('040000')
  })

  test('lists recursively like git, in three groups', async () => {
    const { entries, total } = await readPage({ recursive: true })
    expect(entries).toEqual(listWithGit('-r', '-t', commit))
    expect(total).toBe(entries.length)
    expect(total).toBeGreaterThan(350)
    expect(entries.at(-1)).toMatchObject({ path: 'vendor/library', type: 'commit', mode: '160000' })
  })

  test.each(['src', 'src/', '/src//module-0/', './src/./module-0', 'żółć', 'topics'])(
    'lists below %s',
    async (path) => {
      const plain = path
        .split('/')
        .filter((part) => part !== '' && part !== '.')
        .join('/')
      expect((await readPage({ path })).entries).toEqual(listWithGit(commit, `${plain}/`))
      expect((await readPage({ path, recursive: true })).entries).toEqual(
        listWithGit('-r', '-t', commit, `${plain}/`).filter((entry) => entry.path.startsWith(`${plain}/`)),
      )
    },
  )

  test('lists a directory with a Latin-1 name by its decoded name', async () => {
    const { entries } = await readPage()
    const folder = entries.find(({ name }) => name.startsWith('folder-'))
    expect(folder?.name).toBe('folder-\u00fe')
    const inside = await readPage({ path: folder?.path ?? '' })
    expect(inside.entries.map(({ path }) => path)).toEqual(['folder-\u00fe/inside'])
    expect(entries.find(({ name }) => name.startsWith('latin-'))?.name).toBe('latin-\u00e9-\u00ff')
  })

  test('pages of any size add up to the complete list', async () => {
    for (const recursive of [false, true]) {
      const complete = await readPage({ recursive })
      for (const limit of [1, 7, 100, 10_000]) {
        const joined: TreeEntry[] = []
        for (let offset = 0; offset <= complete.total; offset += limit) {
          const part = await readPage({ recursive, offset, limit })
          expect(part.total).toBe(complete.total)
          expect(part.entries.length).toBe(Math.min(limit, complete.total - offset))
          joined.push(...part.entries)
        }
        expect(joined).toEqual(complete.entries)
      }
      expect((await readPage({ recursive, offset: 2 ** 31, limit: 20 })).entries).toEqual([])
    }
  })

  test.each([
    'nowhere',
    'README.md',
    'run.sh',
    'vendor/library',
    'src/nowhere',
    '..',
    '../sample.git',
    'src/..',
    'src/../src',
    'src\0',
    '-rf',
    '*',
    'src/*',
    ':(glob)**',
    ':/',
    'a'.repeat(10_000),
  ])('has no entries below %j', async (path) => {
    expect(await readPage({ path })).toEqual({ entries: [], total: 0 })
    expect(await readPage({ path, recursive: true })).toEqual({ entries: [], total: 0 })
  })

  test('is undefined for unknown commits and other objects', async () => {
    const tree = runGitText(sample.directory, 'rev-parse', 'main:src')
    const blob = runGitText(sample.directory, 'rev-parse', 'main:run.sh')
    for (const other of ['main', '', commit.slice(0, 39), 'f'.repeat(40), blob, `${commit}^{tree}`]) {
      expect(await repository.tree({ commit: other })).toBeUndefined()
    }
    expect(await repository.tree({ commit: tree })).toBeDefined()
  })

  test('counts and pages a tree of billions of files without listing it', async () => {
    const directory = join(sample.folder, 'bomb.git')
    runGit(directory, ['init', '-q', '--bare', directory])
    let object = `100644 blob ${runGit(directory, ['hash-object', '-w', '--stdin'], 'boom').toString().trim()}`
    for (let level = 0; level < 11; level += 1) {
      const lines = Array.from({ length: 10 }, (_, index) => `${object}\tn${index}\n`).join('')
      object = `040000 tree ${runGit(directory, ['mktree'], lines).toString().trim()}`
    }
    const words = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'bomb', object.slice(12)]
    const bomb = runGit(directory, words).toString().trim()
    const repositoryOfBomb = git.open(directory)
    const folders = (10 ** 11 - 10) / 9
    const first = await repositoryOfBomb.tree({ commit: bomb, recursive: true, limit: 20 })
    expect(first?.total).toBe(folders + 10 ** 11)
    expect(first?.entries[3]?.path).toBe('n0/n0/n0/n0')
    const deep = await repositoryOfBomb.tree({
      commit: bomb,
      recursive: true,
      offset: folders + 10 ** 11 - 1,
      limit: 20,
    })
    expect(deep?.entries.map(({ path }) => path)).toEqual([Array(11).fill('n9').join('/')])
    const all = repositoryOfBomb.tree({ commit: bomb, recursive: true })
    await expect(all).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
    const archive = repositoryOfBomb.archive({ commit: bomb, format: 'tar' })
    await expect(archive).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
  })

  test('works without caches', async () => {
    const uncached = gitBinary({ limits: { cacheBytes: 0 } })
    const request = { commit, recursive: true, offset: 20, limit: 300 }
    expect(await uncached.open(sample.directory).tree(request)).toEqual(await repository.tree(request))
    await uncached.close()
  })
})
