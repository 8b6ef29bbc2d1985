import { expect, test } from 'vitest'
import { parseDiff } from './diff.ts'

test('lines of a diff have the numbers of their files', () => {
  const diff =
    '@@ -3,3 +3,4 @@ main\n same\n-old\n+new\n+++ more\n\\ No newline at end of file\n@@ -10 +11 @@\n--- gone\n'
  expect(parseDiff(diff)).toEqual([
    { kind: 'hunk', text: '@@ -3,3 +3,4 @@ main' },
    { kind: 'context', oldNumber: 3, newNumber: 3, text: ' same' },
    { kind: 'removed', oldNumber: 4, text: '-old' },
    { kind: 'added', newNumber: 4, text: '+new' },
    { kind: 'added', newNumber: 5, text: '+++ more' },
    { kind: 'hunk', text: '\\ No newline at end of file' },
    { kind: 'hunk', text: '@@ -10 +11 @@' },
    { kind: 'removed', oldNumber: 10, text: '--- gone' },
  ])
})
