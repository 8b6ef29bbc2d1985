import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileChange, NewCommit, Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { askGit, gitLines, gitText, oddNames, temporaryFolder } from './sample-history.ts'

const folder = temporaryFolder()
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
const ask = (...words: string[]) => gitText(repository.directory, ...words)
const content = (path: string) => askGit(repository.directory, ['cat-file', 'blob', `main:${path}`])
const change = (files: readonly FileChange[], more: Partial<NewCommit> = {}): NewCommit => ({
  branch: 'main',
  message: 'A change\n',
  author,
  files,
  ...more,
})

describe('write', () => {
  test('makes the commit that was described', async () => {
    const committer = { name: 'Bob', email: 'bob@example.com', date: '2013-01-01T00:00:00Z' }
    const message = 'Title\n\n  Body with ünïcode\n'
    const [id] = await repository.write([change([{ path: 'a/b.txt', content: 'hello\n' }], { committer, message })])
    expect(ask('rev-parse', 'main')).toBe(id)
    const format = '%an|%ae|%ad|%cn|%ce|%cd|%P|%B'
    expect(ask('log', '--date=raw', `--format=${format}`)).toBe(
      `Zoë|zoe@example.com|1348121172 +0300|Bob|bob@example.com|1356998400 +0000||${message.trimEnd()}`,
    )
    expect(await repository.commit(id ?? '')).toMatchObject({ message, authoredAt: '2012-09-20T09:06:12.000+03:00' })
    expect(content('a/b.txt').toString()).toBe('hello\n')
    expect(ask('fsck', '--strict')).toBe('')
    expect(await repository.head()).toEqual({ branch: 'main', commit: id })
  })

  test('takes bytes, base64, modes, links, submodules, moves and removals', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)
    await repository.write([
      change([
        { path: 'bytes', content: bytes },
        { path: 'base64', content: 'AAEC/w==', encoding: 'base64' },
        { path: 'run', content: '', mode: '100755' },
        { path: 'link', content: 'bytes', mode: '120000' },
        { path: 'lib', submodule: '9'.repeat(40) },
        { path: 'old/name', content: 'moved\n' },
        { path: 'gone', content: 'gone\n' },
      ]),
      change([
        { path: 'new/name', movedFrom: 'old/name' },
        { path: 'gone', removed: true },
        { path: 'never-was', removed: true },
      ]),
    ])
    expect(content('bytes')).toEqual(Buffer.from(bytes))
    expect(content('base64')).toEqual(Buffer.from([0, 1, 2, 255]))
    expect(gitLines(repository.directory, 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).toEqual([
      '100644 base64',
      '100644 bytes',
      '160000 lib',
      '120000 link',
      '100644 new/name',
      '100755 run',
    ])
    expect(ask('rev-list', '--count', 'main')).toBe('2')
  })

  test('takes odd names, also such that are not UTF-8', async () => {
    await repository.write([change(oddNames.map((path, index) => ({ path, content: `${index}` })))])
    const listed = askGit(repository.directory, ['ls-tree', '-r', '-z', '--name-only', 'main']).toString('latin1')
    expect(listed.split('\0').filter(Boolean).sort()).toEqual(
      oddNames.map((name) => Buffer.from(name).toString('latin1')).sort(),
    )
  })

  test('follows the branch, joins others and begins anew', async () => {
    const [first = ''] = await repository.write([change([{ path: 'a', content: '1' }])])
    const ids = await repository.write([
      change([{ path: 'a', content: '2' }]),
      change([{ path: 'b', content: '1' }], { branch: 'topic', parents: [first] }),
      change([{ path: 'b', content: '2' }], { branch: 'topic' }),
      change([{ path: 'b', content: '2' }], { parents: [0, 2] }),
      change([{ path: 'alone', content: '' }], { branch: 'orphan', parents: [] }),
      change([{ path: 'too', content: '' }], { branch: 'new' }),
    ])
    const [second, topic, tip, merge, orphan, fresh] = ids
    const parents = (id: string | undefined) => ask('log', '-1', '--format=%P', id ?? '')
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
    expect(gitLines(repository.directory, 'ls-tree', '--name-only', 'orphan')).toEqual(['alone'])
    expect(gitLines(repository.directory, 'for-each-ref', 'refs/forgelet')).toEqual([])
  })

  test('two at once on one branch both stay', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `file-${index}`)
    await Promise.all(names.map((path) => repository.write([change([{ path, content: path }])])))
    expect(gitLines(repository.directory, 'ls-tree', '--name-only', 'main')).toEqual(names)
    expect(ask('rev-list', '--count', 'main')).toBe('8')
  })

  test('never loses commits, and moves all branches or none', async () => {
    const [first = ''] = await repository.write([change([{ path: 'a', content: '1' }])])
    const [second] = await repository.write([change([{ path: 'a', content: '2' }])])
    const losing = repository.write([
      change([{ path: 'x', content: '' }], { branch: 'other' }),
      change([{ path: 'a', content: '3' }], { parents: [first] }),
    ])
    await expect(losing).rejects.toMatchObject({ code: 'conflict' })
    await expect(repository.write([change([], { parents: [] })])).rejects.toMatchObject({ code: 'conflict' })
    expect(await repository.branches()).toEqual([{ name: 'main', commit: second }])
    expect(gitLines(repository.directory, 'for-each-ref')).toHaveLength(1)
    // A branch that contains the tip by way of another one may become the tip.
    const [ahead = ''] = await repository.write([change([], { branch: 'ahead', parents: [second ?? ''] })])
    const [tip] = await repository.write([change([], { parents: [ahead] })])
    expect(await repository.branch('main')).toBe(tip)
  })

  test('refuses what is no commit, before anything is written', async () => {
    const bad: [NewCommit, string][] = [
      [change([], { branch: 'a b' }), 'branch'],
      [change([], { branch: '-x' }), 'branch'],
      [change([], { message: 'a\0b' }), 'message'],
      [change([], { author: { ...author, name: ' ' } }), 'name'],
      [change([], { author: { ...author, name: 'a\nb' } }), 'name'],
      [change([], { author: { ...author, email: 'a>b' } }), 'email'],
      [change([], { author: { ...author, date: 'yesterday' } }), 'date'],
      [change([], { author: { ...author, date: '2012-09-20T09:06:12' } }), 'date'],
      [change([], { parents: [0] }), 'parents'],
      [change([], { parents: ['main'] }), 'parents'],
      [change([{ path: 'x', submodule: 'main' }]), 'submodule'],
    ]
    const paths = ['', '/a', 'a//b', 'a/', '.', '..', 'a/../b', '.git/config', 'a/.GIT/x', 'a\0b', 'x'.repeat(5000)]
    for (const path of paths) bad.push([change([{ path, content: '' }]), 'path'])
    bad.push([change([{ path: 'x', movedFrom: '../x' }]), 'movedFrom'])
    for (const [commit, field] of bad) {
      await expect(repository.write([commit]), field).rejects.toMatchObject({
        code: 'invalid',
        problems: [{ fields: [expect.stringContaining(field)] }],
      })
    }
    await expect(repository.write([])).rejects.toMatchObject({ code: 'invalid' })
    await expect(repository.write([change([], { parents: ['1'.repeat(40)] })])).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(repository.write([change([{ path: 'x', movedFrom: 'y' }])])).rejects.toMatchObject({ code: 'invalid' })
    expect(gitLines(repository.directory, 'for-each-ref')).toEqual([])
    expect(readdirSync(repository.directory).filter((name) => name.includes('crash'))).toEqual([])
    const [id] = await repository.write([change([{ path: 'x', content: '' }])])
    expect(ask('rev-parse', 'main')).toBe(id)
  })

  test('writes a thousand commits in one go', async () => {
    const commits = Array.from({ length: 1000 }, (_, index) => change([{ path: 'file', content: `${index}\n` }]))
    const ids = await repository.write(commits)
    expect(gitLines(repository.directory, 'rev-list', '--reverse', 'main')).toEqual(ids)
  })
})

describe('createTag', () => {
  test('makes light and annotated tags', async () => {
    const [id = ''] = await repository.write([change([{ path: 'a', content: '' }])])
    await repository.createTag({ name: 'light', commit: id })
    await repository.createTag({ name: 'v1.0', commit: id, annotation: { message: 'Version 1', tagger: author } })
    expect(ask('cat-file', '-t', 'light')).toBe('commit')
    expect(
      ask('for-each-ref', '--format=%(objecttype)|%(taggername)|%(taggeremail)|%(contents)', 'refs/tags/v1.0'),
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
  test('a clone has branches and tags and shares nothing', async () => {
    const [id = ''] = await repository.write([change([{ path: 'a', content: 'a' }]), change([], { branch: 'topic' })])
    await repository.createTag({ name: 'v1', commit: id })
    await repository.updateReferences([{ name: 'refs/keep/hidden', from: undefined, to: id }])
    const forgotten = askGit(repository.directory, ['hash-object', '-w', '--stdin'], 'secret').toString().trim()
    expect(await repository.blob(forgotten)).toBeDefined()
    const directory = join(folder, `clone-${count}.git`)
    const copy = await git.clone(repository.directory, directory)
    expect(await copy.branches()).toEqual(await repository.branches())
    expect(await copy.tags()).toEqual(await repository.tags())
    expect(await copy.head()).toEqual(await repository.head())
    expect(gitLines(directory, 'for-each-ref', 'refs/keep')).toEqual([])
    expect(gitText(directory, 'config', '--list')).not.toContain(repository.directory)
    expect(existsSync(join(directory, 'objects/info/alternates'))).toBe(false)
    expect(await copy.blob(forgotten)).toBeUndefined()
    await git.remove(repository.directory)
    expect(existsSync(repository.directory)).toBe(false)
    expect(gitText(directory, 'fsck', '--strict')).toBe('')
    await expect(git.clone(repository.directory, `${directory}2`)).rejects.toMatchObject({ code: 'not_found' })
    await expect(git.clone(directory, copy.directory)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a directory made anew under the same name begins empty', async () => {
    const [id = ''] = await repository.write([change([{ path: 'a', content: 'a' }])])
    expect(await repository.tree({ commit: id })).toBeDefined()
    await git.remove(repository.directory)
    const again = await git.create(repository.directory, { defaultBranch: 'trunk' })
    expect(await again.head()).toEqual({ branch: 'trunk' })
    expect(await again.tree({ commit: id })).toBeUndefined()
    expect(await again.commit(id)).toBeUndefined()
  })

  test('nothing but a repository is ever deleted or overwritten', async () => {
    await expect(git.remove(folder)).rejects.toMatchObject({ code: 'not_found' })
    await expect(git.create(folder)).rejects.toMatchObject({ code: 'conflict' })
    await expect(git.create(join(folder, 'x'), { defaultBranch: '-x' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(git.remove('/tmp/\0')).rejects.toMatchObject({ code: 'not_found' })
  })
})
