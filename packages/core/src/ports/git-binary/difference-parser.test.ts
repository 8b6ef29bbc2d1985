import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { differenceParser } from './difference-parser.ts'
import { quotedPath, unquotedPath } from './quoted-path.ts'
import { askGit, oddNames, type SampleHistory, sampleHistory } from './sample-history.ts'

let sample: SampleHistory
let output: Buffer

beforeAll(() => {
  sample = sampleHistory()
  const words = ['-c', 'core.quotePath=true', 'diff-tree', '-r', '--raw', '-p', '-M', '--full-index', 'main~3', 'main']
  output = askGit(sample.directory, words)
})

afterAll(() => rmSync(sample.folder, { recursive: true }))

test('reads the same wherever the output is cut', () => {
  const whole = differenceParser(1e9, 1e9)
  whole.take(output)
  const expected = whole.result()
  expect(expected.diffs.length).toBeGreaterThan(10)
  for (const size of [1, 2, 3, 13, 1000]) {
    const parser = differenceParser(1e9, 1e9)
    for (let at = 0; at < output.length; at += size) parser.take(output.subarray(at, at + size))
    expect(parser.result()).toEqual(expected)
  }
})

test('passes a line of many megabytes through without gathering it', () => {
  const raw = `:100644 100644 ${'1'.repeat(40)} ${'2'.repeat(40)} M\tbig\n:000000 100644 ${'0'.repeat(40)} ${'2'.repeat(40)} A\tsmall\n\n`
  const parser = differenceParser(1000, 1e9)
  parser.take(Buffer.from(`${raw}diff --git a/big b/big\n--- a/big\n+++ b/big\n@@ -1 +1 @@\n+`))
  const chunk = Buffer.alloc(65_536, 'y')
  for (let index = 0; index < 1000; index += 1) parser.take(chunk)
  parser.take(
    Buffer.from('\ndiff --git a/small b/small\nnew file mode 100644\n--- /dev/null\n+++ b/small\n@@ -0,0 +1 @@\n+x'),
  )
  const { diffs, overflow } = parser.result()
  expect(diffs.map(({ patch }) => patch)).toEqual(['', '@@ -0,0 +1 @@\n+x'])
  expect(overflow).toBe(true)
})

test('gives what is there when the output stops early', () => {
  const parser = differenceParser(1e9, 1e9)
  const middle = output.indexOf('\n\ndiff --git ') + 200
  parser.take(output.subarray(0, middle))
  const { diffs } = parser.result()
  expect(diffs.length).toBeGreaterThan(10)
  expect(diffs.at(-1)?.patch).toBe('')
})

test.each(oddNames.map((name) => [name]))('unquotes and quotes %s as git does', (name) => {
  const bytes = Buffer.from(name)
  expect(unquotedPath(Buffer.from(quotedPath(bytes)))).toEqual(bytes)
  const listed = askGit(sample.directory, ['-c', 'core.quotePath=true', 'ls-tree', '-r', '--name-only', 'light'])
  const names = listed
    .toString('latin1')
    .trim()
    .split('\n')
    .map((line) => unquotedPath(Buffer.from(line, 'latin1')).toString('latin1'))
  expect(names).toContain(bytes.toString('latin1'))
})

test('knows every escape', () => {
  expect(unquotedPath(Buffer.from('"\\a\\b\\t\\n\\v\\f\\r\\"\\\\\\001\\377 x"'))).toEqual(
    Buffer.from('\x07\b\t\n\v\f\r"\\\x01\xff x', 'latin1'),
  )
  expect(unquotedPath(Buffer.from('plain'))).toEqual(Buffer.from('plain'))
})
