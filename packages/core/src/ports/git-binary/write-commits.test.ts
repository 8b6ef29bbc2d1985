import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createTemporaryFolder,
  runGit,
  runGitLines,
  runGitText,
  unusualNames,
} from '../../../../../test/support/sample-history.ts'
import type { FileChange, NewCommit, Repository } from '../git.ts'
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

const author = { name: 'Zoë', email: 'zoe@example.com', date: '2012-09-20T09:06:12.900+03:00' }
const readGit = (...words: string[]) => runGitText(repository.directory, ...words)
const readContent = (path: string) => runGit(repository.directory, ['cat-file', 'blob', `main:${path}`])
const createCommit = (files: readonly FileChange[], more: Partial<NewCommit> = {}): NewCommit => ({
  branch: 'main',
  message: 'A change\n',
  author,
  files,
  ...more,
})

describe('writeCommits', () => {
  test('writes a commit', async () => {
    const committer = { name: 'Bob', email: 'bob@example.com', date: '2013-01-01T00:00:00Z' }
    const message = 'Title\n\n  Body with ünïcode\n'
    const [id] = await repository.writeCommits([
      createCommit([{ path: 'a/b.txt', content: 'hello\n' }], { committer, message }),
    ])
    expect(readGit('rev-parse', 'main')).toBe(id)
    const format = '%an|%ae|%ad|%cn|%ce|%cd|%P|%B'
    expect(readGit('log', '--date=raw', `--format=${format}`)).toBe(
      `Zoë|zoe@example.com|1348121172 +0300|Bob|bob@example.com|1356998400 +0000||${message.trimEnd()}`,
    )
    expect(await repository.commit(id ?? '')).toMatchObject({ message, authoredAt: '2012-09-20T09:06:12.000+03:00' })
    expect(readContent('a/b.txt').toString()).toBe('hello\n')
    expect(readGit('fsck', '--strict')).toBe('')
    expect(await repository.head()).toEqual({ branch: 'main', commit: id })
  })

  test('accepts bytes, base64, modes, links, submodules, moves and removals', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)
    await repository.writeCommits([
      createCommit([
        { path: 'bytes', content: bytes },
        { path: 'base64', content: 'AAEC/w==', encoding: 'base64' },
        { path: 'run', content: '', mode: '100755' },
        { path: 'link', content: 'bytes', mode: '120000' },
        { path: 'lib', submodule: '9'.repeat(40) },
        { path: 'old/name', content: 'moved\n' },
        { path: 'gone', content: 'gone\n' },
      ]),
      createCommit([
        { path: 'new/name', movedFrom: 'old/name' },
        { path: 'gone', removed: true },
        { path: 'never-was', removed: true },
      ]),
    ])
    expect(readContent('bytes')).toEqual(Buffer.from(bytes))
    expect(readContent('base64')).toEqual(Buffer.from([0, 1, 2, 255]))
    expect(runGitLines(repository.directory, 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).toEqual([
      '100644 base64',
      '100644 bytes',
      '160000 lib',
      '120000 link',
      '100644 new/name',
      '100755 run',
    ])
    expect(readGit('rev-list', '--count', 'main')).toBe('2')
  })

  test('accepts unusual names, including other encodings than UTF-8', async () => {
    await repository.writeCommits([createCommit(unusualNames.map((path, index) => ({ path, content: `${index}` })))])
    const listed = runGit(repository.directory, ['ls-tree', '-r', '-z', '--name-only', 'main']).toString('latin1')
    expect(listed.split('\0').filter(Boolean).sort()).toEqual(
      unusualNames.map((name) => Buffer.from(name).toString('latin1')).sort(),
    )
  })

  test('writes commits with default, explicit, merge and no parents', async () => {
    const [first = ''] = await repository.writeCommits([createCommit([{ path: 'a', content: '1' }])])
    const ids = await repository.writeCommits([
      createCommit([{ path: 'a', content: '2' }]),
      createCommit([{ path: 'b', content: '1' }], { branch: 'topic', parents: [first] }),
      createCommit([{ path: 'b', content: '2' }], { branch: 'topic' }),
      createCommit([{ path: 'b', content: '2' }], { parents: [0, 2] }),
      createCommit([{ path: 'alone', content: '' }], { branch: 'orphan', parents: [] }),
      createCommit([{ path: 'too', content: '' }], { branch: 'new' }),
    ])
    const [second, topic, tip, merge, orphan, fresh] = ids
    const parents = (id: string | undefined) => readGit('log', '-1', '--format=%P', id ?? '')
    expect([second, topic, tip, merge, orphan, fresh].map(parents)).toEqual([
      first,
      first,
      topic,
      `${second} ${tip}`,
      '',
      '',
    ])
    expect(await repository.branches()).toEqual([
      { name: 'main', commit: merge },
      { name: 'new', commit: fresh },
      { name: 'orphan', commit: orphan },
      { name: 'topic', commit: tip },
    ])
    expect(runGitLines(repository.directory, 'ls-tree', '--name-only', 'orphan')).toEqual(['alone'])
    expect(runGitLines(repository.directory, 'for-each-ref', 'refs/forgelet')).toEqual([])
  })

  test('serializes concurrent commits to one branch', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `file-${index}`)
    await Promise.all(names.map((path) => repository.writeCommits([createCommit([{ path, content: path }])])))
    expect(runGitLines(repository.directory, 'ls-tree', '--name-only', 'main')).toEqual(names)
    expect(readGit('rev-list', '--count', 'main')).toBe('8')
  })

  test('rejects lost commits and moves branches atomically', async () => {
    const [first = ''] = await repository.writeCommits([createCommit([{ path: 'a', content: '1' }])])
    const [second] = await repository.writeCommits([createCommit([{ path: 'a', content: '2' }])])
    const losing = repository.writeCommits([
      createCommit([{ path: 'x', content: '' }], { branch: 'other' }),
      createCommit([{ path: 'a', content: '3' }], { parents: [first] }),
    ])
    await expect(losing).rejects.toMatchObject({ code: 'conflict' })
    await expect(repository.writeCommits([createCommit([], { parents: [] })])).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await repository.branches()).toEqual([{ name: 'main', commit: second }])
    expect(runGitLines(repository.directory, 'for-each-ref')).toHaveLength(1)
    // The tip may be an ancestor of a commit of another branch.
    const [ahead = ''] = await repository.writeCommits([createCommit([], { branch: 'ahead', parents: [second ?? ''] })])
    const [tip] = await repository.writeCommits([createCommit([], { parents: [ahead] })])
    expect(await repository.branch('main')).toBe(tip)
  })

  test('rejects invalid commits before writing', async () => {
    const invalidCommits: [NewCommit, string][] = [
      [createCommit([], { branch: 'a b' }), 'branch'],
      [createCommit([], { branch: '-x' }), 'branch'],
      [createCommit([], { message: 'a\0b' }), 'message'],
      [createCommit([], { author: { ...author, name: ' ' } }), 'name'],
      [createCommit([], { author: { ...author, name: 'a\nb' } }), 'name'],
      [createCommit([], { author: { ...author, email: 'a>b' } }), 'email'],
      [createCommit([], { author: { ...author, date: 'yesterday' } }), 'date'],
      [createCommit([], { author: { ...author, date: '2012-09-20T09:06:12' } }), 'date'],
      [createCommit([], { parents: [0] }), 'parents'],
      [createCommit([], { parents: ['main'] }), 'parents'],
      [createCommit([{ path: 'x', submodule: 'main' }]), 'submodule'],
    ]
    const paths = ['', '/a', 'a//b', 'a/', '.', '..', 'a/../b', '.git/config', 'a/.GIT/x', 'a\0b', 'x'.repeat(5000)]
    for (const path of paths) invalidCommits.push([createCommit([{ path, content: '' }]), 'path'])
    invalidCommits.push([createCommit([{ path: 'x', movedFrom: '../x' }]), 'movedFrom'])
    for (const [commit, field] of invalidCommits) {
      await expect(repository.writeCommits([commit]), field).rejects.toMatchObject({
        code: 'invalid',
        problems: [{ fields: [expect.stringContaining(field)] }],
      })
    }
    await expect(repository.writeCommits([])).rejects.toMatchObject({ code: 'invalid' })
    await expect(repository.writeCommits([createCommit([], { parents: ['1'.repeat(40)] })])).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(repository.writeCommits([createCommit([{ path: 'x', movedFrom: 'y' }])])).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(runGitLines(repository.directory, 'for-each-ref')).toEqual([])
    expect(readdirSync(repository.directory).filter((name) => name.includes('crash'))).toEqual([])
    const [id] = await repository.writeCommits([createCommit([{ path: 'x', content: '' }])])
    expect(readGit('rev-parse', 'main')).toBe(id)
  })

  test('writes 1,000 commits at once', async () => {
    const commits = Array.from({ length: 1000 }, (_, index) => createCommit([{ path: 'file', content: `${index}\n` }]))
    const ids = await repository.writeCommits(commits)
    expect(runGitLines(repository.directory, 'rev-list', '--reverse', 'main')).toEqual(ids)
  })
})

describe('createTag', () => {
  test('creates lightweight and annotated tags', async () => {
    const [id = ''] = await repository.writeCommits([createCommit([{ path: 'a', content: '' }])])
    await repository.createTag({ name: 'light', commit: id })
    await repository.createTag({ name: 'v1.0', commit: id, annotation: { message: 'Version 1', tagger: author } })
    expect(readGit('cat-file', '-t', 'light')).toBe('commit')
    expect(
      readGit('for-each-ref', '--format=%(objecttype)|%(taggername)|%(taggeremail)|%(contents)', 'refs/tags/v1.0'),
    ).toBe('tag|Zoë|<zoe@example.com>|Version 1')
    expect(await repository.tags()).toEqual([
      { name: 'light', commit: id },
      { name: 'v1.0', commit: id },
    ])
    await expect(repository.createTag({ name: 'light', commit: id })).rejects.toMatchObject({ code: 'conflict' })
    await expect(repository.createTag({ name: '-x', commit: id })).rejects.toMatchObject({ code: 'invalid' })
    await expect(repository.createTag({ name: 'x', commit: 'f'.repeat(40) })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('create, clone, remove', () => {
  test('a clone contains only branches and tags and is independent', async () => {
    const [id = ''] = await repository.writeCommits([
      createCommit([{ path: 'a', content: 'a' }]),
      createCommit([], { branch: 'topic' }),
    ])
    await repository.createTag({ name: 'v1', commit: id })
    await repository.updateReferences([{ name: 'refs/keep/hidden', from: undefined, to: id }])
    const unreachable = runGit(repository.directory, ['hash-object', '-w', '--stdin'], 'secret').toString().trim()
    expect(await repository.blob(unreachable)).toBeDefined()
    const directory = join(folder, `clone-${count}.git`)
    const copy = await git.clone(repository.directory, directory)
    expect(await copy.branches()).toEqual(await repository.branches())
    expect(await copy.tags()).toEqual(await repository.tags())
    expect(await copy.head()).toEqual(await repository.head())
    expect(runGitLines(directory, 'for-each-ref', 'refs/keep')).toEqual([])
    expect(runGitText(directory, 'config', '--list')).not.toContain(repository.directory)
    expect(existsSync(join(directory, 'objects/info/alternates'))).toBe(false)
    expect(await copy.blob(unreachable)).toBeUndefined()
    await git.remove(repository.directory)
    expect(existsSync(repository.directory)).toBe(false)
    expect(runGitText(directory, 'fsck', '--strict')).toBe('')
    await expect(git.clone(repository.directory, `${directory}2`)).rejects.toMatchObject({ code: 'not_found' })
    await expect(git.clone(directory, copy.directory)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a repository recreated in the same directory is empty', async () => {
    const [id = ''] = await repository.writeCommits([createCommit([{ path: 'a', content: 'a' }])])
    expect(await repository.tree({ commit: id })).toBeDefined()
    await git.remove(repository.directory)
    const again = await git.create(repository.directory, { defaultBranch: 'trunk' })
    expect(await again.head()).toEqual({ branch: 'trunk' })
    expect(await again.tree({ commit: id })).toBeUndefined()
    expect(await again.commit(id)).toBeUndefined()
  })

  test('deletes and overwrites no other directories', async () => {
    await expect(git.remove(folder)).rejects.toMatchObject({ code: 'not_found' })
    await expect(git.create(folder)).rejects.toMatchObject({ code: 'conflict' })
    await expect(git.create(join(folder, 'x'), { defaultBranch: '-x' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(git.remove('/tmp/\0')).rejects.toMatchObject({ code: 'not_found' })
  })
})
