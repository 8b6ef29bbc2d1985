import { describe, expect, test } from 'vitest'
import { findOwnedPatterns, parseCodeOwners } from './code-owners-file.ts'
import { matchesPathPattern } from './path-pattern.ts'

const owners = (text: string, ...paths: readonly string[]) =>
  findOwnedPatterns(parseCodeOwners(text), paths).map(
    ({ section, pattern, owners, approvalsRequired }) =>
      `${section} ${pattern} ${approvalsRequired} ${owners.join(' ')}`,
  )

describe('patterns', () => {
  test.each([
    ['*', 'a/b/c', true],
    ['*.rb', 'a/b.rb', true],
    ['*.rb', '.rb', true],
    ['/*.rb', 'a/b.rb', false],
    ['README.md', 'docs/README.md', true],
    ['/README.md', 'docs/README.md', false],
    ['lib/', 'a/lib/b/c', true],
    ['/lib/', 'a/lib/b', false],
    ['/lib/', 'lib', false],
    ['/docs/*', 'docs/a', true],
    ['/docs/*', 'docs/a/b', false],
    ['/docs/**/*.md', 'docs/index.md', true],
    ['/docs/**/*.md', 'docs/a/b/index.md', true],
    ['/db/**/index.md', 'db/x/index.txt', false],
    ['/a?c', 'abc', true],
    ['/[a-c]x', 'bx', true],
    ['/[^a-c]x', 'bx', false],
    ['path with spaces/', 'path with spaces/a', true],
  ])('%j on %j: %j', (pattern, path, expected) => {
    expect(matchesPathPattern(pattern, path)).toBe(expected)
  })

  test('are matched in bounded time', () => {
    expect(matchesPathPattern(`/${'*a'.repeat(100)}`, 'a'.repeat(10_000))).toBe(true)
    expect(matchesPathPattern(`/${'**/'.repeat(100)}b`, 'a/'.repeat(1_000))).toBe(false)
  })
})

test('the last entry that matches owns a file', () => {
  expect(owners('# comment\n* @all\n*.rb @ruby joe@example.com @@maintainer\n', 'a.rb', 'a.js')).toEqual([
    'codeowners *.rb 1 @ruby joe@example.com @@maintainer',
    'codeowners * 1 @all',
  ])
})

test('each section has owners of its own', () => {
  const text = '* @all\n[Docs][2] @docs\n*.md\n^[Extra]\n*.md @extra\n[docs]\nx.md @other'
  expect(owners(text, 'a.md')).toEqual(['codeowners * 1 @all', 'Docs *.md 2 @docs', 'Extra *.md 0 @extra'])
  expect(owners(text, 'x.md')).toContain('Docs x.md 2 @other')
})

test('excluded files and entries without owners have none', () => {
  expect(owners('* @all\n!*.lock\n/empty/', 'a.lock', 'empty/a')).toEqual([])
})

test('spaces and number signs are written after a backslash', () => {
  expect(owners('my\\ files/ @a\n\\#x @b', 'my files/a', '#x')).toEqual([
    'codeowners my files/ 1 @a',
    'codeowners #x 1 @b',
  ])
})
