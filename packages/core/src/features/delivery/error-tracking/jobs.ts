import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'

/** Days after the last occurrence of an error. */
const retentionDays = 90
const secondsPerDay = 86_400
/** Rows per transaction. */
const batchSize = 1_000

/** Removes errors that have not occurred for 90 days. */
export const expireErrors = defineJob('errorTracking.expire', {
  every: 'day',
  async findNextEffect({ db }) {
    const oldest = await db
      .selectFrom('trackedError')
      .orderBy('lastSeenAt')
      .limit(1)
      .select('lastSeenAt')
      .executeTakeFirst()
    return oldest && addSeconds(oldest.lastSeenAt, retentionDays * secondsPerDay)
  },
  run: (tools) =>
    repeatStep(tools, async ({ db, now }) => {
      const before = addSeconds(now, -retentionDays * secondsPerDay)
      const old = db.selectFrom('trackedError').where('lastSeenAt', '<', before).orderBy('lastSeenAt').limit(batchSize)
      const removed = await db.deleteFrom('trackedError').where('id', 'in', old.select('id')).returning('id').execute()
      return removed.length === batchSize
    }),
})
