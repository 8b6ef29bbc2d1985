import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'

/** Specification 1, "Limits". */
const retentionYears = 2

/** Rows per transaction, so that other writers can run in between. */
const batchSize = 1_000

const addYears = (instant: string, years: number): string => {
  const date = new Date(instant)
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.toISOString()
}

/** Removes events older than two years. */
export const expireEvents = defineJob('events.expire', {
  every: 'day',
  async findNextEffect({ db }) {
    const oldest = await db.selectFrom('event').orderBy('createdAt').limit(1).select('createdAt').executeTakeFirst()
    return oldest && addYears(oldest.createdAt, retentionYears)
  },
  run: (tools) =>
    repeatStep(tools, async ({ db, now }) => {
      const old = db
        .selectFrom('event')
        .where('createdAt', '<', addYears(now, -retentionYears))
        .orderBy('createdAt')
        .limit(batchSize)
      const removed = await db.deleteFrom('event').where('id', 'in', old.select('id')).returning('id').execute()
      return removed.length === batchSize
    }),
})
