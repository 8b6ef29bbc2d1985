import { defineJob } from '../../kernel/job.ts'

/** Specification 1, "Limits". */
const retentionYears = 2

/** Rows per transaction, so that other writers can run in between. */
const batchSize = 1_000

const computeRetentionCutoff = (now: string): string => {
  const cutoff = new Date(now)
  cutoff.setUTCFullYear(cutoff.getUTCFullYear() - retentionYears)
  return cutoff.toISOString()
}

/** Removes events older than two years. */
export const expireEvents = defineJob('events.expire', {
  every: 'day',
  async run({ now, write }) {
    for (;;) {
      const removed = await write(async ({ db }) => {
        const old = db
          .selectFrom('event')
          .where('createdAt', '<', computeRetentionCutoff(now))
          .orderBy('createdAt')
          .limit(batchSize)
        return db.deleteFrom('event').where('id', 'in', old.select('id')).returning('id').execute()
      })
      if (removed.length < batchSize) return
    }
  },
})
