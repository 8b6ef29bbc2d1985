import { expect, test } from 'vitest'
import { closedIssues, mentionsIssue } from './closing.ts'

const closed = (text: string) => closedIssues(text).map(({ projectPath, iid }) => `${projectPath ?? ''}#${iid}`)

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

test('a text names a hundred issues at most', () => {
  const text = `Closes ${Array.from({ length: 200 }, (_, at) => `#${at + 1}`).join(', ')}`
  expect(closed(text)).toHaveLength(100)
})

test('a hostile text is read in a moment', () => {
  const start = performance.now()
  closedIssues('close '.repeat(150_000))
  closedIssues(`closes ${'a/'.repeat(450_000)}`)
  closedIssues(`closes${' '.repeat(900_000)}`)
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
