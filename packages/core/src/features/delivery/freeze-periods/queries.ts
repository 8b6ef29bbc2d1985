import type { Context } from '../../../kernel/context.ts'
import { parseCron } from '../pipeline-schedules/cron.ts'
import type { FreezePeriod } from './freeze-period.ts'

/** The freeze periods of a project, unordered. */
export const selectFreezePeriods = ({ db }: Pick<Context, 'db'>, projectId: number) =>
  db
    .selectFrom('freezePeriod')
    .where('projectId', '=', projectId)
    .select(['id', 'freezeStart', 'freezeEnd', 'cronTimezone', 'createdAt', 'updatedAt'])

/** The last time that a pattern matched; -Infinity for never. Patterns match whole minutes. */
const findLastTime = (cron: string, timezone: string, now: string): number => {
  const minute = new Date(now).setUTCSeconds(0, 0)
  // The reference itself is no earlier time.
  return (
    parseCron(cron, timezone)
      ?.previousRuns(1, new Date(minute + 1_000))[0]
      ?.getTime() ?? Number.NEGATIVE_INFINITY
  )
}

const isActive = ({ freezeStart, freezeEnd, cronTimezone }: FreezePeriod, now: string) =>
  findLastTime(freezeStart, cronTimezone, now) > findLastTime(freezeEnd, cronTimezone, now)

/** Whether a project is in one of its freeze periods: it has begun since its last end. */
export const isDeployFrozen = async (ctx: Pick<Context, 'db' | 'now'>, projectId: number): Promise<boolean> =>
  (await selectFreezePeriods(ctx, projectId).execute()).some((period) => isActive(period, ctx.now))
