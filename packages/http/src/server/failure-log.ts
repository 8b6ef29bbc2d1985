import type { Logger } from '../app/app-options.ts'
import { describeError } from '../app/error-text.ts'

/** Milliseconds between two lines of one outage: from the first to the last pause, doubled after each line. */
const firstPause = 1_000
const lastPause = 60_000

/** Logs the failures of a repeated task. */
export interface FailureLog {
  onError(error: unknown): void
  onRecovery(): void
}

/**
 * Logs the first failure of an outage, then one line after pauses that grow to a minute, with the number of failures since
 * the previous line, and one line for the recovery. Failures within a minute of a recovery belong to the same outage.
 *
 * @param task the message of the lines
 * @param now milliseconds
 */
export const createFailureLog = (
  logger: Logger | undefined,
  task: string,
  now: () => number = Date.now,
): FailureLog => {
  let pause = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let unlogged = 0
  let isRecoveryDue = false
  return {
    onError(error) {
      const time = now()
      if (time - failedAt >= lastPause) pause = 0
      failedAt = time
      unlogged += 1
      if (pause > 0 && time - loggedAt < pause) return
      logger?.error({ error: describeError(error), ...(unlogged > 1 && { failures: unlogged }) }, task)
      pause = Math.min(pause * 2 || firstPause, lastPause)
      loggedAt = time
      unlogged = 0
      isRecoveryDue = true
    },
    onRecovery() {
      if (isRecoveryDue) logger?.info({}, `${task} recovered`)
      isRecoveryDue = false
    },
  }
}
