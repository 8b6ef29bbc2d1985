import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parts } from './parts.ts'
import { addCounts, type Counts, formatCounts } from './totals-reporter.ts'

/** Runs the checks and tests of the given parts, `main` and `rest`. Stops after the first part that fails. */

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const unknown = words.find((word) => !parts.some((part) => part === word))
if (words.length === 0 || unknown !== undefined) {
  console.error(`Usage: node test/run.ts ${parts.map((part) => `[${part}]`).join(' ')}`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'forgelet-totals-'))
const totals = join(folder, 'totals.jsonl')
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

for (const part of parts.filter((name) => words.includes(name))) {
  const env = { ...process.env, FORGELET_TEST_PART: part, FORGELET_TEST_TOTALS: totals }
  const program = ['test/check/checks.ts', part]
  const { status } = spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
if (words.length > 1) {
  const counts = readFileSync(totals, 'utf8').trim().split('\n')
  console.log(formatCounts(counts.map((line) => JSON.parse(line) as Counts).reduce(addCounts)))
}
