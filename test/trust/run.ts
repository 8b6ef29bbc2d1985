import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figures } from '../figures.ts'
import { measureRun, removeOthers, writeMeasurement } from '../reports/measurement.ts'
import { writeReports } from '../reports/pages.ts'
import type { SuiteResult, TrustResult } from '../reports/reliability-page.ts'
import { type Suite, suites } from './suites.ts'

/**
 * Runs all suites one after the other, and writes docs/reliability.md. With `--short`, the counts are those of the normal tests.
 * The exit code is 1 if a test failed.
 */

const root = join(import.meta.dirname, '../..')
const seed = Number(process.env.FORGELET_PROPERTY_SEED ?? Date.now() % 2 ** 31)

/** Tests with larger counts take longer than the default time limit. */
const testTimeout = 600_000

const words = process.argv.slice(2).filter((word) => word !== '--')
const isShort = words.includes('--short')
const requested = words.filter((word) => word !== '--short')
const unknown = requested.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length) {
  console.error(`Unknown suites: ${unknown.join(', ')}. Available: ${Object.keys(suites).join(', ')}.`)
  process.exit(2)
}

interface TestFile {
  readonly name: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages: readonly string[]
  }[]
}

const readJson = async <T>(path: string): Promise<T | undefined> =>
  readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => undefined,
  )

const sumFigures = (lines: readonly Figures[]): Figures => {
  const sums: Record<string, number> = {}
  for (const line of lines) for (const [name, count] of Object.entries(line)) sums[name] = (sums[name] ?? 0) + count
  return sums
}

const runSuite = async ({ files, variables }: Suite, database: string, folder: string): Promise<SuiteResult> => {
  const start = performance.now()
  const report = join(folder, 'report.json')
  const figures = join(folder, 'figures.jsonl')
  const options = ['--config', 'test/vitest.config.ts', '--project', database, `--testTimeout=${testTimeout}`]
  const reporters = ['--reporter=json', `--outputFile=${report}`]
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...reporters, ...files], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...(isShort ? {} : variables),
      FORGELET_PROPERTY_SEED: String(seed),
      FORGELET_FIGURES: figures,
    },
  })
  await new Promise((resolve) => child.once('close', resolve))
  const { testResults = [] } = (await readJson<{ testResults: TestFile[] }>(report)) ?? {}
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const text = await readFile(figures, 'utf8').catch(() => '')
  const brokenFiles = testResults.filter(({ assertionResults }) => assertionResults.length === 0)
  const failures = [
    ...tests
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n').slice(0, 3).join(' ')}`),
    ...brokenFiles.map(({ message }) => message),
    ...(testResults.length ? [] : ['The test run ended without a report']),
  ]
  await Promise.all([rm(report, { force: true }), rm(figures, { force: true })])
  return {
    database,
    seconds: Math.round((performance.now() - start) / 1_000),
    passed: count('passed'),
    skipped: count('skipped') + count('pending'),
    failures,
    figures: sumFigures(text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Figures] : []))),
  }
}

/** Runs a suite on all its databases. */
const runOnDatabases = async (suite: Suite, folder: string): Promise<TrustResult> => {
  const runs: SuiteResult[] = []
  for (const database of suite.databases) {
    console.log(`${suite.title}, ${database} …`)
    const result = await runSuite(suite, database, folder)
    const figures = Object.entries(result.figures).map(([what, count]) => `, ${count.toLocaleString('en')} ${what}`)
    console.log(`  ${result.passed} passed, ${result.failures.length} failed, ${result.seconds} s${figures.join('')}`)
    for (const failure of result.failures) console.log(`  FAILED ${failure}`)
    runs.push(result)
  }
  return { title: suite.title, seed, isShort, runs }
}

console.log(`FORGELET_PROPERTY_SEED=${seed} repeats this run`)
const folder = await mkdtemp(join(tmpdir(), 'forgelet-trust-'))
try {
  for (const [name, suite] of Object.entries(suites)) {
    if (requested.length && !requested.includes(name)) continue
    const measurement = await measureRun(() => runOnDatabases(suite, folder))
    if (measurement.result.runs.some(({ failures }) => failures.length > 0)) process.exitCode = 1
    writeMeasurement(`trust/${name}`, measurement)
    removeOthers('trust', Object.keys(suites))
    writeReports()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(process.exitCode ? 'Some tests failed' : 'All suites passed')
