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

/** Prints the counts per project, and the total as the last line. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: readonly SerializedError[], reason: TestRunEndReason): void {
    // The exit hook of the embedded PostgreSQL sets exit code 0, also after failed tests.
    if (reason !== 'passed') process.once('exit', fail)
    const counts = new Map<string, Counts>()
    const total: Counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const projectCounts = counts.get(module.project.name) ?? { passed: 0, failed: 0, skipped: 0 }
      counts.set(module.project.name, projectCounts)
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state === 'pending') continue
        projectCounts[state]++
        total[state]++
      }
      // A file that fails to load contains no tests; count it as one failure.
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) {
        projectCounts.failed++
        total.failed++
      }
    }
    for (const [name, projectCounts] of counts) console.log(`on ${name}: ${line(projectCounts)}`)
    console.log(line(total))
  }
}
