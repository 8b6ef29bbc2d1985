import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFullReferenceName, isReferenceName } from './reference-name.ts'

/** Runs `git check-ref-format` for each name, in one shell loop over NUL-separated input. */
const checkWithGit = (names: readonly string[]): boolean[] => {
  const loop = `while IFS= read -r -d '' name; do git check-ref-format "refs/heads/$name" && echo y || echo n; done`
  const { stdout } = spawnSync('bash', ['-c', loop], { input: names.map((name) => `${name}\0`).join('') })
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => line === 'y')
}

describe('isReferenceName', () => {
  const accepted = [
    'main',
    'feature/x',
    'v1.0',
    'a-b_c+d',
    'żółć',
    '日本',
    "it's",
    'a"b',
    'HEAD',
    'x@y',
    '{x}',
    'a,b;c&d|e$f',
  ]
  test.each(accepted)('accepts %j like git', (name) => {
    expect(isReferenceName(name)).toBe(true)
    expect(checkWithGit([name])).toEqual([true])
  })

  test.each([
    '',
    '-rf',
    '--output=x',
    'a..b',
    'main^',
    'main~1',
    'main@{1}',
    '@{u}',
    '@',
    ':/text',
    'main:README',
    'a b',
    'a\tb',
    'a\nb',
    'a\0b',
    'a\u007fb',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a.lock',
    'a.lock/b',
    '../../etc/passwd',
    '\ud800',
    'x'.repeat(256),
    'ż'.repeat(128),
    'y'.repeat(10_000),
  ])('rejects %j', (name) => {
    expect(isReferenceName(name)).toBe(false)
  })

  test('accepts no name that git rejects', () => {
    const pieces = fc.constantFrom(
      'a',
      '.',
      '/',
      '..',
      '@',
      '{',
      '@{',
      '~',
      '^',
      ':',
      '-',
      '.lock',
      ' ',
      '\n',
      '*',
      'ż',
      '\\',
    )
    const names = fc.sample(fc.string({ unit: pieces, minLength: 1, maxLength: 6 }), { numRuns: 150, seed: 7 })
    const ours = names.map(isReferenceName)
    const expected = checkWithGit(names)
    expect(names.filter((_, index) => ours[index] && !expected[index])).toEqual([])
    // The only stricter rule is the one about a leading hyphen.
    expect(names.filter((name, index) => !ours[index] && expected[index] && !name.startsWith('-'))).toEqual([])
    expect(ours).toContain(true)
  })
})

test.each([
  ['refs/heads/main', true],
  ['refs/keep/1/head', true],
  ['refs/heads', false],
  ['refs//heads', false],
  ['heads/main', false],
  ['HEAD', false],
  ['refs/../config', false],
])('isFullReferenceName(%j) is %s', (name, expected) => {
  expect(isFullReferenceName(name)).toBe(expected)
})
