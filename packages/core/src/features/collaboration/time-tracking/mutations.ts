import type { Kysely } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { formatWorkDuration, parseWorkDuration } from '../../../shared/work-duration.ts'
import { getRecord, type IssuableSubject } from '../merge-requests/issuable.ts'
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

/** @throws PlatformError `invalid` for a negative or invalid duration */
export const setEstimate = async (ctx: Context, subject: IssuableSubject, duration: string): Promise<TimeStats> => {
  const timeEstimate = parseDuration(duration)
  if (timeEstimate < 0)
    throw invalid({ timeEstimate: ['must have a valid format and be greater than or equal to zero.'] })
  return setTimes(
    ctx,
    subject,
    { timeEstimate },
    `changed time estimate to ${formatWorkDuration(timeEstimate) || '0h'}`,
  )
}

export const resetEstimate = (ctx: Context, subject: IssuableSubject): Promise<TimeStats> =>
  setTimes(ctx, subject, { timeEstimate: 0 }, 'removed time estimate')

interface SpentTime {
  readonly duration: string
  /** What was done, for the system note. */
  readonly summary?: string | undefined
  /** Day of the work, for the system note: `2026-11-21`. Default: today. */
  readonly spentAt?: string | undefined
}

/** @throws PlatformError `invalid` for an invalid duration, or if more is subtracted than was recorded */
export const addSpent = async (
  ctx: Context,
  subject: IssuableSubject,
  { duration, summary, spentAt }: SpentTime,
): Promise<TimeStats> => {
  const seconds = parseDuration(duration)
  const totalTimeSpent = getRecord(subject).totalTimeSpent + seconds
  if (totalTimeSpent < 0) throw invalid({ timeSpent: ['Time to subtract exceeds the total time spent'] })
  if (totalTimeSpent > maxSeconds) throw invalid({ duration: ['is too long'] })
  const amount = formatWorkDuration(Math.abs(seconds)) || '0h'
  const day = spentAt === undefined ? '' : ` at ${spentAt}`
  const note = `${seconds < 0 ? 'subtracted' : 'added'} ${amount} of time spent${day}`
  return setTimes(ctx, subject, { totalTimeSpent }, summary ? `${note}: ${summary}` : note)
}

export const resetSpent = (ctx: Context, subject: IssuableSubject): Promise<TimeStats> =>
  setTimes(ctx, subject, { totalTimeSpent: 0 }, 'removed time spent')
