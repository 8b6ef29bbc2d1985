import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryFolder, runGitText } from '../../../../../test/support/sample-history.ts'
import type { Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'

const folder = createTemporaryFolder()
const git = gitBinary()
const author = { name: 'A', email: 'a@b', date: '2020-01-01T00:00:00Z' }
let repository: Repository
let first: string
let second: string
/** Branches and tags with the ids of `first` and `second` as their names point to it. */
let decoy: string

beforeAll(async () => {
  repository = await git.create(join(folder, 'a.git'))
  const ids = await repository.writeCommits([
    { branch: 'main', message: 'first', author, files: [{ path: 'first', content: '1' }] },
    { branch: 'main', message: 'second', author, files: [{ path: 'second', content: '2' }] },
    { branch: 'decoy', parents: [], message: 'decoy', author, files: [{ path: 'decoy', content: '3' }] },
  ])
  ;[first, second, decoy] = ids as [string, string, string]
  for (const id of [first, second])
    for (const name of [id, `refs/heads/${id}`, id.slice(0, 8)])
      for (const kind of ['heads', 'tags'])
        runGitText(repository.directory, 'update-ref', `refs/${kind}/${name}`, decoy)
})
afterAll(async () => {
  await git.close()
  rmSync(folder, { recursive: true })
})

const listNames = async (commit: string) => (await repository.tree({ commit }))?.entries.map(({ name }) => name)

test('an id is the commit with this id, whatever branches and tags are called', async () => {
  expect(await repository.resolve(second)).toBe(second)
  expect(await repository.branch('main')).toBe(second)
  expect((await repository.commit(second))?.title).toBe('second')
  expect(await listNames(second)).toEqual(['first', 'second'])
  expect(await repository.countCommits({ commit: second, exclude: [first] })).toBe(1)
  expect(await repository.mergeBase([first, second])).toBe(first)
  expect((await repository.contributors(second)).contributors).toMatchObject([{ commits: 2, additions: 2 }])
  for (const straight of [true, false]) {
    const { commits, diffs } = await repository.compare({ from: first, to: second, straight })
    expect(commits.map(({ id }) => id)).toEqual([second])
    expect(diffs.map(({ newPath }) => newPath)).toEqual(['second'])
  }
  const archive = await buffer(await repository.archive({ commit: second, format: 'tar' }))
  const listing = execFileSync('tar', ['-t'], { input: archive, encoding: 'utf8' })
  expect(listing).toBe('first\nsecond\n')
})

test('writes use the commit with the id', async () => {
  const [child] = await repository.writeCommits([
    { branch: 'child', parents: [first, second], message: 'x', author, files: [] },
  ])
  expect((await repository.commit(child ?? ''))?.parents).toEqual([first, second])
  await repository.createTag({ name: 'plain', commit: second })
  await repository.createTag({ name: 'annotated', commit: second, annotation: { message: 'x', tagger: author } })
  await repository.updateReferences([{ name: 'refs/heads/moved', from: undefined, to: second }])
  for (const name of ['plain', 'annotated', 'moved']) expect(await repository.resolve(name)).toBe(second)
})

test('an abbreviated id is a tag or branch of that name first, as in git', async () => {
  const short = second.slice(0, 8)
  expect(await repository.resolve(short)).toBe(decoy)
  expect(await repository.resolve(second.slice(0, 9))).toBe(second)
  // Names of references are case-sensitive, abbreviations are not.
  if (/[a-f]/.test(short)) expect(await repository.resolve(short.toUpperCase())).toBe(second)
})
