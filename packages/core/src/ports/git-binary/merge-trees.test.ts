import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTemporaryFolder, runGitText } from '../../../../../test/support/sample-history.ts'
import type { FileChange, Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'

const folder = createTemporaryFolder()
const git = gitBinary()
let repository: Repository
let count = 0

beforeEach(async () => {
  count += 1
  repository = await git.create(join(folder, `${count}.git`))
})

afterAll(async () => {
  await git.close()
  rmSync(folder, { recursive: true })
})

const author = { name: 'Zoë', email: 'zoe@example.com', date: '2026-09-20T09:06:12+03:00' }
const write = async (branch: string, files: readonly FileChange[], parents: readonly string[]) =>
  (await repository.writeCommits([{ branch, message: branch, author, files, parents }]))[0] as string
const text = (path: string, content: string): FileChange => ({ path, content })
const lines = (...changes: readonly string[]) =>
  [...changes, ...Array.from({ length: 20 }, (_, n) => `${n}`)].join('\n')
const show = (tree: string, path: string) => runGitText(repository.directory, 'cat-file', 'blob', `${tree}:${path}`)

test('merges the changes of both sides', async () => {
  const base = await write('base', [text('a', lines('a')), text('b', 'b')], [])
  const ours = await write('ours', [text('a', lines('ours', 'a'))], [base])
  const theirs = await write('theirs', [text('b', 'theirs'), { path: 'c/ü', content: 'new' }], [base])
  const { tree, conflicts } = await repository.mergeTrees({ ours, theirs })
  expect(conflicts).toEqual([])
  expect([show(tree, 'a'), show(tree, 'b'), show(tree, 'c/ü')]).toEqual([lines('ours', 'a'), 'theirs', 'new'])
})

test('lists the paths with conflicts', async () => {
  const base = await write('base', [text('a', 'a'), text('ü\nb', 'b')], [])
  const ours = await write('ours', [text('a', 'ours'), text('ü\nb', 'ours')], [base])
  const theirs = await write('theirs', [text('a', 'theirs'), { path: 'ü\nb', removed: true }], [base])
  expect((await repository.mergeTrees({ ours, theirs })).conflicts).toEqual(['a', 'ü\nb'])
})

test('applies the changes of one commit with its parent as the base', async () => {
  const base = await write('base', [text('a', 'a')], [])
  const first = await write('theirs', [text('b', 'first')], [base])
  const second = await write('theirs', [text('c', 'second')], [first])
  const picked = await repository.mergeTrees({ ours: base, theirs: second, base: first })
  expect(runGitText(repository.directory, 'ls-tree', '--name-only', picked.tree)).toBe('a\nc')
  const reverted = await repository.mergeTrees({ ours: second, theirs: base, base: first })
  expect(runGitText(repository.directory, 'ls-tree', '--name-only', reverted.tree)).toBe('a\nc')
})

test('rejects unknown commits and commits without a common ancestor', async () => {
  const ours = await write('ours', [text('a', 'a')], [])
  const theirs = await write('theirs', [text('b', 'b')], [])
  await expect(repository.mergeTrees({ ours, theirs })).rejects.toMatchObject({ code: 'conflict' })
  await expect(repository.mergeTrees({ ours, theirs: 'a'.repeat(40) })).rejects.toMatchObject({ code: 'not_found' })
  await expect(repository.mergeTrees({ ours, theirs: 'main' })).rejects.toMatchObject({ code: 'not_found' })
  const unknownBase = repository.mergeTrees({ ours, theirs, base: 'a'.repeat(40) })
  await expect(unknownBase).rejects.toMatchObject({ code: 'not_found' })
})

test('writes a commit of a tree', async () => {
  const parent = await write('base', [text('a', 'a')], [])
  const { tree } = (await repository.commit(parent)) as { tree: string }
  const committer = { ...author, name: 'Ada' }
  const id = await repository.writeCommit({ tree, parents: [parent], message: 'Squashed\n\nText', author, committer })
  expect(await repository.commit(id)).toMatchObject({
    tree,
    parents: [parent],
    message: 'Squashed\n\nText',
    author: { name: 'Zoë' },
    committer: { name: 'Ada' },
    committedAt: '2026-09-20T09:06:12.000+03:00',
  })
  expect(await repository.branch('base')).toBe(parent)
  const commit = { tree: parent, parents: [], message: 'x', author }
  await expect(repository.writeCommit(commit)).rejects.toMatchObject({ code: 'not_found', kind: 'Tree' })
  await expect(repository.writeCommit({ ...commit, tree, message: '\0' })).rejects.toMatchObject({ code: 'invalid' })
})

test('tells the object of a reference and the commit of an object', async () => {
  const commit = await write('main', [text('a', 'a')], [])
  await repository.createTag({ name: 'v1', commit, annotation: { message: 'One', tagger: author } })
  const tag = (await repository.reference('refs/tags/v1')) as string
  expect(tag).not.toBe(commit)
  expect(await repository.peel(tag)).toBe(commit)
  expect(await repository.reference('refs/heads/none')).toBeUndefined()
  expect(await repository.peel('a'.repeat(40))).toBeUndefined()
})
