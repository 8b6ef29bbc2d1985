import { addSeconds } from '../../../kernel/jobs/times.ts'

/** Seconds between the updates of a mirror; after a failure, as many more for each failure in a row, at most the second number. */
export const interval = 30 * 60
const maxInterval = 5 * 60 * 60
/** Seconds between attempts after `maxFailures`. */
const lastInterval = 24 * 60 * 60

/** Failures in a row after which a mirror is tried once a day. GitLab then waits for a request. */
export const maxFailures = 14

/** When a mirror is tried again that has failed this many times in a row. */
export const findNextAttempt = (now: string, failures: number): string =>
  addSeconds(now, failures >= maxFailures ? lastInterval : Math.min(interval * (failures + 1), maxInterval))
