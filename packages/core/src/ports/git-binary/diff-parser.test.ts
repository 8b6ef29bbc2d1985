import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createSampleHistory,
  runGit,
  type SampleHistory,
  unusualNames,
} from '../../../../../test/support/sample-history.ts'
import { createDiffParser } from './diff-parser.ts'
import { quotePath, unquotePath } from './quoted-path.ts'

let sample: SampleHistory
let output: Buffer

beforeAll(() => {
  sample = createSampleHistory()
  const words = ['-c', 'core.quotePath=true', 'diff-tree', '-r', '--raw', '-p', '-M', '--full-index', 'main~3', 'main']
  output = runGit(sample.directory, words)
})

afterAll(() => rmSync(sample.folder, { recursive: true }))

test('parses the output independently of chunk boundaries', () => {
  const single = createDiffParser(1e9, 1e9)
  single.write(output)
  const expected = single.result(true)
  expect(expected.diffs.length).toBeGreaterThan(10)
  for (const size of [1, 2, 3, 13, 1000]) {
    const parser = createDiffParser(1e9, 1e9)
    for (let start = 0; start < output.length; start += size) parser.write(output.subarray(start, start + size))
    expect(parser.result(true)).toEqual(expected)
  }
})

test('does not buffer a line of many megabytes', () => {
  const raw = `:100644 100644 ${'1'.repeat(40)} ${'2'.repeat(40)} M\tbig\n:000000 100644 ${'0'.repeat(40)} ${'2'.repeat(40)} A\tsmall\n\n`
  const parser = createDiffParser(1000, 1e9)
  parser.write(Buffer.from(`${raw}diff --git a/big b/big\n--- a/big\n+++ b/big\n@@ -1 +1 @@\n+`))
  const chunk = Buffer.alloc(65_536, 'y')
  for (let index = 0; index < 1000; index += 1) parser.write(chunk)
  parser.write(
    Buffer.from('\ndiff --git a/small b/small\nnew file mode 100644\n--- /dev/null\n+++ b/small\n@@ -0,0 +1 @@\n+x'),
  )
  const { diffs, overflow } = parser.result(true)
  expect(diffs.map(({ patch }) => patch)).toEqual(['', '@@ -0,0 +1 @@\n+x'])
  expect(diffs).toMatchObject([
    { isTooLarge: true, isCollapsed: false },
    { isTooLarge: false, isCollapsed: false },
  ])
  expect(overflow).toBe(true)
})

test('returns the parsed files of incomplete output', () => {
  const parser = createDiffParser(1e9, 1e9)
  const middle = output.indexOf('\n\ndiff --git ') + 200
  parser.write(output.subarray(0, middle))
  const { diffs } = parser.result(false)
  expect(diffs.length).toBeGreaterThan(10)
  expect(diffs.at(-1)).toMatchObject({ patch: '', isCollapsed: true, isTooLarge: false })
})

test('omits patches above the limit of all together', () => {
  const complete = createDiffParser(1e9, 1e9)
  complete.write(output)
  const [first = '', ...others] = complete.result(true).diffs.map(({ patch }) => patch)
  const parser = createDiffParser(1e9, Buffer.byteLength(first))
  parser.write(output)
  const { diffs } = parser.result(true)
  expect(diffs[0]).toMatchObject({ patch: first, isCollapsed: false })
  expect(diffs.slice(1).map(({ isCollapsed }) => isCollapsed)).toEqual(others.map((patch) => patch !== ''))
})

test.each(unusualNames.map((name) => [name]))('unquotes and quotes %s like git', (name) => {
  const bytes = Buffer.from(name)
  expect(unquotePath(Buffer.from(quotePath(bytes)))).toEqual(bytes)
  const listed = runGit(sample.directory, ['-c', 'core.quotePath=true', 'ls-tree', '-r', '--name-only', 'light'])
  const names = listed
    .toString('latin1')
    .trim()
    .split('\n')
    .map((line) => unquotePath(Buffer.from(line, 'latin1')).toString('latin1'))
  expect(names).toContain(bytes.toString('latin1'))
})

test('unquotes every escape', () => {
  expect(unquotePath(Buffer.from('"\\a\\b\\t\\n\\v\\f\\r\\"\\\\\\001\\377 x"'))).toEqual(
    Buffer.from('\x07\b\t\n\v\f\r"\\\x01\xff x', 'latin1'),
  )
  expect(unquotePath(Buffer.from('plain'))).toEqual(Buffer.from('plain'))
})
