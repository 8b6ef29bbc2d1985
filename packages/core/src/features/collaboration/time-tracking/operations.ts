import * as v from 'valibot'
import { command, query } from '../../../kernel/operation.ts'
import { getRecord, issuable } from '../merge-requests/issuable.ts'
import { addSpent, resetEstimate, resetSpent, setEstimate } from './mutations.ts'
import { toTimeStats } from './time-stats.ts'

const durationInput = {
  /** Working time such as `3h30m`: `mo` (4 weeks), `w` (5 days), `d` (8 hours), `h`, `m` and `s`. */
  duration: v.pipe(v.string(), v.maxLength(255)),
}

/** Estimated and recorded work of issues and merge requests. */
export const timeTracking = {
  /** Gets the estimated and the recorded work. */
  get: query({
    on: issuable,
    can: 'timeTracking.read',
    run: async (_ctx, _input, subject) => toTimeStats(getRecord(subject)),
  }),

  /**
   * Replaces the estimate.
   *
   * @throws PlatformError `invalid` for a negative or invalid duration
   */
  setEstimate: command({
    on: issuable,
    can: 'timeTracking.manage',
    serializes: 'project',
    input: durationInput,
    run: (ctx, { duration }, subject) => setEstimate(ctx, subject, duration),
  }),

  /** Removes the estimate. */
  resetEstimate: command({
    on: issuable,
    can: 'timeTracking.manage',
    serializes: 'project',
    run: (ctx, _input, subject) => resetEstimate(ctx, subject),
  }),

  /**
   * Adds recorded work; a negative duration subtracts it.
   *
   * @throws PlatformError `invalid` for an invalid duration, or if more is subtracted than was recorded
   */
  addSpent: command({
    on: issuable,
    can: 'timeTracking.manage',
    serializes: 'project',
    input: {
      ...durationInput,
      /** What was done, for the system note: at most 255 characters. */
      summary: v.optional(v.pipe(v.string(), v.maxLength(255))),
    },
    run: (ctx, input, subject) => addSpent(ctx, subject, input),
  }),

  /** Removes all recorded work. */
  resetSpent: command({
    on: issuable,
    can: 'timeTracking.manage',
    serializes: 'project',
    run: (ctx, _input, subject) => resetSpent(ctx, subject),
  }),
}
