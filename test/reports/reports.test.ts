import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Table } from '../bench/table.ts'
import { suites } from '../trust/suites.ts'
import { readMeasurements } from './measurement.ts'
import { reports } from './pages.ts'
import { type MutationResult, minimumScore, scoreOf, type TrustResult } from './reliability-page.ts'

const docs = join(import.meta.dirname, '../../docs')

describe('the reports', () => {
  test.each(Object.entries(reports))('docs/%s is up to date', (name, report) => {
    expect(readFileSync(join(docs, name), 'utf8'), 'run pnpm reports and review the diff').toBe(report())
  })

  test('every target is in the table of targets, and every missed one has a reason', () => {
    const page = readFileSync(join(docs, 'performance.md'), 'utf8')
    const lines = [...readMeasurements<readonly Table[]>('bench')].flatMap(([name, { result }]) =>
      result.flatMap((table) => table.lines.map((line) => ({ name, line }))),
    )
    const targets = lines.filter(({ line }) => line.target !== undefined)
    expect(targets.length).toBeGreaterThan(30)
    for (const { name, line } of targets) {
      expect(page).toContain(`| [${name}](#${name}): ${line.what} `)
      if (!line.met) expect(page).toContain(`- **${name}: ${line.what}** is `)
    }
  })

  test.each([...readMeasurements<TrustResult>('trust')])(
    'the suite %s executed tests, and none failed',
    (name, { result }) => {
      expect(result.runs.map(({ database }) => database)).toEqual(suites[name]?.databases)
      for (const { passed, failures } of result.runs) expect([passed > 0, failures]).toEqual([true, []])
    },
  )

  test.each([...readMeasurements<MutationResult>('mutation')])(
    'the tests of %s detect enough mutants',
    (_, { result }) => {
      expect(result.undetected).toHaveLength(result.survived + result.uncovered)
      expect(scoreOf(result)).toBeGreaterThanOrEqual(minimumScore)
    },
  )
})

describe('the images', () => {
  test.each(Object.keys(reports).filter((name) => name.endsWith('.svg')))('%s is small and accessible', (name) => {
    const chart = readFileSync(join(docs, name), 'utf8')
    expect(Buffer.byteLength(chart)).toBeLessThanOrEqual(10_000)
    expect(chart).toMatch(/<svg [^>]*role="img" aria-labelledby="title desc"/)
    expect(chart).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="desc">[^<]{40,}<\/desc>/)
    expect(chart).toContain('@media(prefers-color-scheme:dark)')
    // No scripts, links or fonts of other servers.
    expect(chart.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|href/)
    const bars = chart.match(/<rect class="s\d" [^>]*width="[\d.]+" height="10"\/>/g) ?? []
    const boxes = chart.match(/<rect class="b" /g) ?? []
    expect(bars.length + boxes.length).toBeGreaterThanOrEqual(4)
  })
})
