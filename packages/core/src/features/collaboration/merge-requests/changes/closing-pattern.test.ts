import { expect, test } from 'vitest'
import { findClosedIssues, mentionsIssue } from './closing-pattern.ts'

const closed = (text: string) => findClosedIssues(text).map(({ projectPath, iid }) => `${projectPath ?? ''}#${iid}`)

test.each([
  ['Closes #1', ['#1']],
  ['closed: #1, #2 and #3', ['#1', '#2', '#3']],
  ['It fixes issue #4 and issues #5', ['#4', '#5']],
  ['Resolves acme/tools/deploy#6', ['acme/tools/deploy#6']],
  ['Implements #7.\n\nFix #7, resolving #8', ['#7', '#8']],
  ['Close #1 or #2', ['#1']],
  ['encloses #1', []],
  ['Closes the door on #1', []],
  ['Closes#1', []],
  ['See #1', []],
])('%s', (text, expected) => {
  expect(closed(text)).toEqual(expected)
})

test('returns at most 100 issues', () => {
  const text = `Closes ${Array.from({ length: 200 }, (_, index) => `#${index + 1}`).join(', ')}`
  expect(closed(text)).toHaveLength(100)
})

test('parses adversarial texts in linear time', () => {
  const start = performance.now()
  findClosedIssues('close '.repeat(150_000))
  findClosedIssues(`closes ${'a/'.repeat(450_000)}`)
  findClosedIssues(`closes${' '.repeat(900_000)}`)
  expect(performance.now() - start).toBeLessThan(2_000)
})

test.each([
  ['see #12.', true],
  ['#12', true],
  ['#123', false],
  ['acme/web#12', false],
  ['#123 and (#12)', true],
])('%s mentions #12: %s', (text, expected) => {
  expect(mentionsIssue(text, 12)).toBe(expected)
})
