import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { stored } from '../stored.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'Bob', email: 'bob@example.com' }
const diffs = 500
const diffsPerRequest = 25
const positionsPerDiff = 6

/** One line of a file before and after: equal texts are unchanged, null is omitted. */
type Row = readonly [before: string | null, after: string | null]

const word = fc.constantFrom('a', 'b', 'c', 'd')
const row: fc.Arbitrary<Row> = fc.oneof(
  { weight: 6, arbitrary: word.map((text): Row => [text, text]) },
  { weight: 1, arbitrary: word.map((text): Row => [text, null]) },
  { weight: 1, arbitrary: word.map((text): Row => [null, text]) },
)

const number = fc.option(fc.integer({ min: 1, max: 45 }), { freq: 4 })
const place = fc.record({ oldLine: number, newLine: number, line: fc.nat({ max: 60 }), form: fc.nat({ max: 6 }) })
/** One end of a line range: named by its numbers, its code, or both; `type` contradicts or not. */
const rangeEnd = fc.record({
  place: fc.record({
    ...{ oldLine: number, newLine: number, line: fc.nat({ max: 60 }) },
    form: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 3, 5),
  }),
  naming: fc.constantFrom(
    'numbers',
    'numbers',
    'numbers',
    'code',
    'code',
    'code',
    'both',
    'both',
    'both',
    'wrong code',
  ),
  type: fc.constantFrom('new', 'old', null, null, null, null),
})
const range = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ start: rangeEnd, end: rangeEnd }) },
)
const choice = fc.record({ place, range })
const example = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 40 }),
  choices: fc.array(choice, { minLength: positionsPerDiff, maxLength: positionsPerDiff }),
})
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never
type RangeEnd = typeof rangeEnd extends fc.Arbitrary<infer T> ? T : never

const toText = (rows: readonly Row[], side: 0 | 1) =>
  rows.flatMap((each) => (each[side] === null ? [] : [`${each[side]}\n`])).join('')

interface Line {
  readonly kind: '-' | '+' | ' '
  readonly old: number
  readonly new: number
}

/** The reference: walks the complete file as git shows it with unlimited context, from the first line to the last. */
const readLines = (patch: string): Line[] => {
  let [old, after] = [1, 1]
  return patch.split('\n').flatMap((text): Line[] => {
    const kind = text[0]
    if (kind !== '-' && kind !== '+' && kind !== ' ') return []
    const line = { kind, old, new: after } as const
    if (kind !== '+') old++
    if (kind !== '-') after++
    return [line]
  })
}

const hash = (path: string) => createHash('sha1').update(path).digest('hex')

interface Numbers {
  readonly oldLine: number | null
  readonly newLine: number | null
}

/** The numbers of a line of the diff, or similar ones, or any. */
const toNumbers = (lines: readonly Line[], { oldLine, newLine, line: at, form }: Place): Numbers => {
  const line = lines[at % Math.max(lines.length, 1)]
  if (line === undefined || form > 4) return { oldLine, newLine }
  const exact = { oldLine: line.kind === '+' ? null : line.old, newLine: line.kind === '-' ? null : line.new }
  if (form === 1) return { ...exact, oldLine: null }
  if (form === 2) return { ...exact, newLine: null }
  return form === 3 ? { oldLine: line.old, newLine: line.new + 1 } : exact
}

const indexOf = (lines: readonly Line[], { oldLine, newLine }: Numbers) =>
  lines.findIndex(({ kind, old, new: after }) => {
    if (kind === '+') return oldLine === null && newLine === after
    return oldLine === old && newLine === (kind === '-' ? null : after)
  })

const toCode = (path: string, lines: readonly Line[], found: Line) => {
  // A new file has no lines before: its first line is 0.
  const before = found.kind === '+' && lines.every(({ kind }) => kind === '+') ? 0 : found.old
  const now = found.kind === '-' && lines.every(({ kind }) => kind === '-') ? 0 : found.new
  return `${hash(path)}_${before}_${now}`
}

/** The line code that the reference expects; undefined for a refusal. */
const expectCode = (path: string, lines: readonly Line[], numbers: Numbers) => {
  const found = lines[indexOf(lines, numbers)]
  return found && toCode(path, lines, found)
}

/** An end as a client sends it, and the index of the line that it names; -1 for a refusal. */
const toEnd = (path: string, lines: readonly Line[], { place: at, naming, type }: RangeEnd) => {
  const numbers = toNumbers(lines, at)
  const index = indexOf(lines, numbers)
  const found = lines[index]
  const isOfType = !found || type === null || (type === 'new' ? found.kind !== '-' : found.kind !== '+')
  const code = found ? toCode(path, lines, found) : `${hash(path)}_${at.line + 900}_${at.line}`
  if (naming === 'code') return { sent: { lineCode: code, type }, index: isOfType ? index : -1 }
  if (naming === 'numbers' && (numbers.oldLine ?? numbers.newLine) !== null)
    return { sent: { ...numbers, type }, index: isOfType ? index : -1 }
  const lineCode = naming === 'wrong code' ? `${hash('another')}_1_1` : code
  return { sent: { ...numbers, lineCode, type }, index: isOfType && naming !== 'wrong code' ? index : -1 }
}

test('positions are accepted exactly on the lines of a diff, with their line code', async () => {
  const differences: unknown[] = []
  const counts = { diffs: 0, positions: 0, accepted: 0, ranges: 0, acceptedRanges: 0 }
  for (let at = 0; at < diffs / diffsPerRequest; at++) {
    const examples = fc.sample(example, { numRuns: diffsPerRequest, seed: at + 1 })
    const toPath = (index: number) => `dir ${index % 3}/f${index}`
    const files = (side: 0 | 1) =>
      examples.flatMap(({ rows }, index) => {
        const content = toText(rows, side)
        return content === '' && side === 0 ? [] : [{ path: toPath(index), content }]
      })
    const commits = [
      {
        branch: `before-${at}`,
        message: 'Before',
        author,
        parents: [],
        files: [{ path: 'x', content: 'x' }, ...files(0)],
      },
      {
        branch: `after-${at}`,
        message: 'After',
        author,
        parents: [0],
        files: [{ path: 'x', content: 'y' }, ...files(1)],
      },
    ]
    const { ids } = await forge.host.commits.import({ project, commits })
    const [baseSha, headSha] = ids as [string, string]
    const branches = { sourceBranch: `after-${at}`, targetBranch: `before-${at}` }
    const { iid } = await forge.as('bob').mergeRequests.create({ project, title: `Change ${at}`, ...branches })
    const { directory } = await forge.host.repository.get({ project })
    for (const [index, { choices }] of examples.entries()) {
      const path = toPath(index)
      const show = ['diff', '-U100000', baseSha, headSha, '--', path]
      const patch = execFileSync('git', [`--git-dir=${directory}`, ...show], { encoding: 'utf8' })
      const lines = patch === '' ? [] : readLines(patch.slice(patch.indexOf('\n@@')))
      counts.diffs++
      for (const { place: pick, range: ends } of choices) {
        const numbers = toNumbers(lines, pick)
        if (numbers.oldLine === null && numbers.newLine === null) continue
        const start = ends && toEnd(path, lines, ends.start)
        const end = ends && toEnd(path, lines, ends.end)
        const lineRange = start && end && { start: start.sent, end: end.sent }
        const position = { baseSha, startSha: baseSha, headSha, newPath: path, ...numbers, lineRange }
        const created = await stored(
          forge.as('bob').discussions.create({ project, mergeRequest: iid, body: 'x', position }),
        ).then(
          ({ notes: [note] }) => {
            const { start: first, end: last } = note?.position?.lineRange ?? {}
            return [note?.position?.lineCode, first?.lineCode, last?.lineCode].join(' ')
          },
          ({ code }: { readonly code: string }) => (code === 'invalid' ? undefined : code),
        )
        const codes = [start, end]
          .map((each) => each && lines[each.index])
          .map((line) => line && toCode(path, lines, line))
        const isRange = !start || !end || (start.index >= 0 && start.index <= end.index)
        const code = isRange ? expectCode(path, lines, numbers) : undefined
        const expected = code && [code, ...codes].join(' ')
        counts.positions++
        if (start) counts.ranges++
        if (created !== undefined) counts.accepted++
        if (created !== undefined && start) counts.acceptedRanges++
        if (created !== expected) differences.push({ path, numbers, lineRange, created, expected, patch })
      }
    }
  }
  console.log(
    `positions compared with git: ${counts.diffs} diffs, ${counts.positions} positions, ${counts.accepted} accepted, of them ${counts.acceptedRanges} of ${counts.ranges} line ranges`,
  )
  expect(differences).toEqual([])
  expect(counts.accepted).toBeGreaterThan(counts.positions / 5)
  expect(counts.acceptedRanges).toBeGreaterThan(counts.ranges / 20)
  expect(counts.accepted).toBeLessThan((counts.positions * 3) / 4)
}, 300_000)
