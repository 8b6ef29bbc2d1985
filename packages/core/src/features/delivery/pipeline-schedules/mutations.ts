import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limitDelay } from '../../../kernel/jobs/times.ts'
import { isTimeZone, parseCron } from './cron.ts'
import type { PipelineScheduleRecord } from './schedule.ts'

/**
 * The first time after `now` that a pattern matches, ISO 8601 in UTC; null if there is none.
 *
 * @throws PlatformError `invalid` for a pattern or time zone that is not valid
 */
const findNextRun = (cron: string, timezone: string, now: string): string | null => {
  if (!isTimeZone(timezone)) throw invalid({ cronTimezone: ['is invalid syntax'] })
  const parsed = parseCron(cron, timezone)
  if (parsed === undefined) throw invalid({ cron: ['is invalid syntax'] })
  return parsed.nextRun(new Date(now))?.toISOString() ?? null
}

/** Queues the job for a due time. A job for an earlier due time of the schedule has no effect. */
export const enqueueRun = async (ctx: Context, schedule: number, dueAt: string | null): Promise<void> => {
  if (dueAt === null) return
  await ctx.enqueue('pipelineSchedules.run', { schedule, dueAt }, { runAfter: limitDelay(ctx.now, dueAt) })
}

type Timing = Pick<PipelineScheduleRecord, 'id' | 'cron' | 'cronTimezone' | 'active' | 'nextRunAt'>

/** Sets the next time of a schedule after a change or a run, and queues its job. */
export const scheduleNextRun = async (
  ctx: Context,
  { id, cron, cronTimezone, active, nextRunAt: before }: Timing,
): Promise<void> => {
  const next = findNextRun(cron, cronTimezone, ctx.now)
  const nextRunAt = active ? next : null
  if (nextRunAt === before) return
  await ctx.db.updateTable('pipelineSchedule').set({ nextRunAt }).where('id', '=', id).execute()
  await enqueueRun(ctx, id, nextRunAt)
}
