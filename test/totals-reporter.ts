import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const line = ({ passed, failed, skipped }: Counts) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

const fail = () => {
  process.exitCode = 1
}

/** Prints how many tests ran on each database, and the total as the last line. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: readonly SerializedError[], reason: TestRunEndReason): void {
    // The exit hook of the embedded PostgreSQL ends the process with 0, whatever the tests said before.
    if (reason !== 'passed') process.once('exit', fail)
    const counts = new Map<string, Counts>()
    const total: Counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const mine = counts.get(module.project.name) ?? { passed: 0, failed: 0, skipped: 0 }
      counts.set(module.project.name, mine)
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state === 'pending') continue
        mine[state]++
        total[state]++
      }
      // A file that could not be loaded has no tests to count, and is a failure all the same.
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) {
        mine.failed++
        total.failed++
      }
    }
    for (const [name, mine] of counts) console.log(`on ${name}: ${line(mine)}`)
    console.log(line(total))
  }
}
