import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { formatWorkDuration, parseWorkDuration } from '../../../shared/work-duration.ts'
import { getRecord, type IssuableSubject, issuable } from '../merge-requests/issuable.ts'
import { insertNote } from '../notes/mutations.ts'
import { toNoteKey } from '../notes/noteable.ts'
import { type TimeStats, toTimeStats } from './time-stats.ts'

const parseDuration = (text: string): number => {
  const seconds = parseWorkDuration(text)
  if (seconds === undefined) throw invalid({ duration: ['is invalid'] })
  return seconds
}

const maxSeconds = 2_147_483_647

/** Stores the changed times, and a system note if a user made the change. */
const setTimes = async (
  ctx: Context,
  subject: IssuableSubject,
  change: { readonly timeEstimate?: number; readonly totalTimeSpent?: number },
  note: string,
): Promise<TimeStats> => {
  const record = getRecord(subject)
  const { timeEstimate = record.timeEstimate, totalTimeSpent = record.totalTimeSpent } = change
  if (timeEstimate === record.timeEstimate && totalTimeSpent === record.totalTimeSpent) return toTimeStats(record)
  // biome-ignore lint/suspicious/noExplicitAny: one statement for issues and merge requests
  await (ctx.db as Kysely<any>)
    .updateTable(subject.kind)
    .set({ ...change, updatedAt: ctx.now })
    .where('id', '=', record.id)
    .execute()
  if (ctx.actor.kind === 'user') {
    await insertNote(ctx, toNoteKey(subject), { authorId: ctx.actor.id, body: note, system: true })
  }
  return toTimeStats({ ...record, ...change })
}

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
    async run(ctx, { duration }, subject) {
      const timeEstimate = parseDuration(duration)
      if (timeEstimate < 0)
        throw invalid({ timeEstimate: ['must have a valid format and be greater than or equal to zero.'] })
      return setTimes(
        ctx,
        subject,
        { timeEstimate },
        `changed time estimate to ${formatWorkDuration(timeEstimate) || '0h'}`,
      )
    },
  }),

  /** Removes the estimate. */
  resetEstimate: command({
    on: issuable,
    can: 'timeTracking.manage',
    serializes: 'project',
    run: (ctx, _input, subject) => setTimes(ctx, subject, { timeEstimate: 0 }, 'removed time estimate'),
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
    async run(ctx, { duration, summary }, subject) {
      const seconds = parseDuration(duration)
      const totalTimeSpent = getRecord(subject).totalTimeSpent + seconds
      if (totalTimeSpent < 0) throw invalid({ timeSpent: ['Time to subtract exceeds the total time spent'] })
      if (totalTimeSpent > maxSeconds) throw invalid({ duration: ['is too long'] })
      const amount = formatWorkDuration(Math.abs(seconds)) || '0h'
      const note = `${seconds < 0 ? 'subtracted' : 'added'} ${amount} of time spent`
      return setTimes(ctx, subject, { totalTimeSpent }, summary ? `${note}: ${summary}` : note)
    },
  }),

  /** Removes all recorded work. */
  resetSpent: command({
    on: issuable,
    can: 'timeTracking.manage',
    serializes: 'project',
    run: (ctx, _input, subject) => setTimes(ctx, subject, { totalTimeSpent: 0 }, 'removed time spent'),
  }),
}
