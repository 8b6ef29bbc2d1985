import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Repository, TreeEntry, TreePage, TreeRequest } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { askGit, gitText, type SampleHistory, sampleHistory } from './sample-history.ts'
import { shownText } from './shown-text.ts'

let sample: SampleHistory
let repository: Repository
let commit: string
const git = gitBinary()

beforeAll(() => {
  sample = sampleHistory()
  repository = git.open(sample.directory)
  commit = gitText(sample.directory, 'rev-parse', 'main')
})

afterAll(async () => {
  await git.close()
  rmSync(sample.folder, { recursive: true })
})

/** git's own listing: `<mode> <type> <id>TAB<path>NUL`, then grouped as ours is. */
const listing = (...words: string[]): TreeEntry[] => {
  const output = askGit(sample.directory, ['ls-tree', '-z', ...words])
  const entries: TreeEntry[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    const tab = output.indexOf(9, at)
    const [mode = '', type = '', id = ''] = output.toString('latin1', at, tab).split(' ')
    const bytes = output.subarray(tab + 1, end)
    const path = shownText(bytes)
    const name = shownText(bytes.subarray(bytes.lastIndexOf(47) + 1))
    entries.push({ id, name, path, type: type as TreeEntry['type'], mode })
    at = end + 1
  }
  return (['tree', 'blob', 'commit'] as const).flatMap((type) => entries.filter((entry) => entry.type === type))
}

const page = async (request: Omit<TreeRequest, 'commit'> = {}): Promise<TreePage> => {
  const found = await repository.tree({ commit, ...request })
  if (found === undefined) throw new Error('no such commit')
  return found
}

describe('tree', () => {
  test('lists the root as git does', async () => {
    const { entries, total } = await page()
    expect(entries).toEqual(listing(commit))
    expect(total).toBe(entries.length)
    expect(entries.map(({ type }) => type)).toContain('commit')
    expect(entries.find(({ name }) => name === 'src')?.mode).toBe('040000')
  })

  test('lists everything below as git does, in three groups', async () => {
    const { entries, total } = await page({ recursive: true })
    expect(entries).toEqual(listing('-r', '-t', commit))
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
      expect((await page({ path })).entries).toEqual(listing(commit, `${plain}/`))
      expect((await page({ path, recursive: true })).entries).toEqual(
        listing('-r', '-t', commit, `${plain}/`).filter((entry) => entry.path.startsWith(`${plain}/`)),
      )
    },
  )

  test('walks into a directory whose name is not UTF-8 by the name it is shown with', async () => {
    const { entries } = await page()
    const folder = entries.find(({ name }) => name.startsWith('folder-'))
    expect(folder?.name).toBe('folder-\u00fe')
    const inside = await page({ path: folder?.path ?? '' })
    expect(inside.entries.map(({ path }) => path)).toEqual(['folder-\u00fe/inside'])
    expect(entries.find(({ name }) => name.startsWith('latin-'))?.name).toBe('latin-\u00e9-\u00ff')
  })

  test('pages join to the whole list, wherever they are cut', async () => {
    for (const recursive of [false, true]) {
      const whole = await page({ recursive })
      for (const limit of [1, 7, 100, 10_000]) {
        const joined: TreeEntry[] = []
        for (let offset = 0; offset <= whole.total; offset += limit) {
          const part = await page({ recursive, offset, limit })
          expect(part.total).toBe(whole.total)
          expect(part.entries.length).toBe(Math.min(limit, whole.total - offset))
          joined.push(...part.entries)
        }
        expect(joined).toEqual(whole.entries)
      }
      expect((await page({ recursive, offset: 2 ** 31, limit: 20 })).entries).toEqual([])
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
    expect(await page({ path })).toEqual({ entries: [], total: 0 })
    expect(await page({ path, recursive: true })).toEqual({ entries: [], total: 0 })
  })

  test('is undefined for what is no commit', async () => {
    const tree = gitText(sample.directory, 'rev-parse', 'main:src')
    const blob = gitText(sample.directory, 'rev-parse', 'main:run.sh')
    for (const other of ['main', '', commit.slice(0, 39), 'f'.repeat(40), blob, `${commit}^{tree}`]) {
      expect(await repository.tree({ commit: other })).toBeUndefined()
    }
    expect(await repository.tree({ commit: tree })).toBeDefined()
  })

  test('counts a tree of billions of files without listing it, and gives pages of it', async () => {
    const directory = join(sample.folder, 'bomb.git')
    askGit(directory, ['init', '-q', '--bare', directory])
    let object = `100644 blob ${askGit(directory, ['hash-object', '-w', '--stdin'], 'boom').toString().trim()}`
    for (let level = 0; level < 11; level += 1) {
      const lines = Array.from({ length: 10 }, (_, index) => `${object}\tn${index}\n`).join('')
      object = `040000 tree ${askGit(directory, ['mktree'], lines).toString().trim()}`
    }
    const words = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'bomb', object.slice(12)]
    const bomb = askGit(directory, words).toString().trim()
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

  test('still answers rightly when nothing fits into the caches', async () => {
    const forgetful = gitBinary({ limits: { cacheBytes: 1 } })
    const request = { commit, recursive: true, offset: 20, limit: 300 }
    expect(await forgetful.open(sample.directory).tree(request)).toEqual(await repository.tree(request))
    await forgetful.close()
  })
})
