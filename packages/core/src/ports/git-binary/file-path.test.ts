import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/support/sample-history.ts'
import { isPortablePath } from './file-path.ts'

const folder = createTemporaryFolder()
const git = (args: readonly string[], input = '') => spawnSync('git', args, { cwd: folder, input, encoding: 'utf8' })
execFileSync('git', ['init', '--quiet', folder])
const blob = git(['hash-object', '-w', '--stdin'], 'x').stdout.trim()
afterAll(() => rmSync(folder, { recursive: true }))

const protect = ['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true']

/** Whether git writes a file with this path into an index, with the rules of all systems. */
const gitAccepts = (path: string, mode = '100644') =>
  git([...protect, 'update-index', '--add', '--cacheinfo', `${mode},${blob},${path}`]).status === 0

const refused = [
  '.git',
  '.GIT/config',
  'a/.git/config',
  '.g\u200cit/config',
  '\ufeff.git/x',
  '.gi\u202et',
  '.git./x',
  '.git /x',
  '.git . ./x',
  'GIT~1',
  'git~1. /x',
  '.git:x',
  '.git::$INDEX_ALLOCATION/x',
  'a/../b',
  '../b',
  './b',
  'a//b',
  '/a',
  'a/',
]

const accepted = [
  'a',
  '.gitignore',
  '.gitattributes',
  '.gitmodules',
  '.github/workflows/a.yml',
  'git~2',
  'git~10/x',
  '.gitx',
  'x.git',
  'a.git/b',
  '.g it',
  '...',
  'a b/ c',
  'ä/日本.txt',
  '-a',
  'aux.c',
]

describe('isPortablePath agrees with git', () => {
  test.each(refused)('%j is refused', (path) => {
    expect([isPortablePath(path, { isRegularFile: true }), gitAccepts(path)]).toEqual([false, false])
  })

  test.each(accepted)('%j is accepted', (path) => {
    expect([isPortablePath(path, { isRegularFile: true }), gitAccepts(path)]).toEqual([true, true])
  })

  test.each([
    '.gitmodules',
    '.GITMODULES',
    '.gitmodules . ',
    '.gitmo\u200ddules',
    'gitmod~1',
    'GI7EBA~1',
    'a/gi7eb~12',
  ])('%j must be a regular file', (path) => {
    expect([isPortablePath(path, { isRegularFile: false }), gitAccepts(path, '120000')]).toEqual([false, false])
    expect(isPortablePath(path, { isRegularFile: true })).toBe(true)
    expect(isPortablePath(`${path}/x`, { isRegularFile: true })).toBe(false)
  })
})

// git checks these on Windows only.
test.each([
  'a\\..\\b',
  '..\\b',
  'a\\.git\\config',
  'a\\git~1',
  '\\a',
  '\\\\host\\a',
  'C:\\x',
  'c:/x',
  'C:x',
  'a/b\\..\\c',
])('%j, which Windows reads as another path, is refused', (path) => {
  expect(isPortablePath(path, { isRegularFile: true })).toBe(false)
})

test.each(['a\\b', 'a\\b.txt', 'ab:c', 'a/c:d', 'dir/a: b'])('%j is accepted', (path) => {
  expect(isPortablePath(path, { isRegularFile: true })).toBe(true)
})
