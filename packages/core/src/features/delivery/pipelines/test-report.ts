/** The totals of a test report. The platform reads no reports of jobs, so they are empty. */
export interface TestReport {
  /** Duration of the tests in seconds. */
  totalTime: number
  /** Number of tests. */
  totalCount: number
  /** Number of passed tests. */
  successCount: number
  /** Number of failed tests. */
  failedCount: number
  /** Number of skipped tests. */
  skippedCount: number
  /** Number of tests that could not run. */
  errorCount: number
  /** Results by test suite; empty. */
  testSuites: string[]
}

export const emptyTestReport: TestReport = {
  totalTime: 0,
  totalCount: 0,
  successCount: 0,
  failedCount: 0,
  skippedCount: 0,
  errorCount: 0,
  testSuites: [],
}
