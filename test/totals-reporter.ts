import { appendFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 }

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

export const formatCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

const fail = () => {
  process.exitCode = 1
}

const countTests = (module: TestModule): Counts => {
  const counts = { ...none }
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (state !== 'pending') counts[state]++
  }
  // A file that fails to load contains no tests; count it as one failure.
  return module.state() === 'failed' && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** Prints the counts per project, and the total as the last line. Appends the total to the file `FORGELET_TEST_TOTALS`. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: readonly SerializedError[], reason: TestRunEndReason): void {
    // The exit hook of the embedded PostgreSQL sets exit code 0, also after failed tests.
    if (reason !== 'passed') process.once('exit', fail)
    for (const [name, ofProject] of Map.groupBy(modules, ({ project }) => project.name)) {
      console.log(`on ${name}: ${formatCounts(ofProject.map(countTests).reduce(addCounts))}`)
    }
    const total = modules.map(countTests).reduce(addCounts, none)
    console.log(formatCounts(total))
    const file = process.env.FORGELET_TEST_TOTALS
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(total)}\n`)
  }
}
