import { job } from '../../jobs.ts'

/** Specification 1, "Limits". */
const yearsKept = 2

/** Rows a transaction: other writers come in between. */
const slice = 1_000

const expiry = (now: string): string => {
  const day = new Date(now)
  day.setUTCFullYear(day.getUTCFullYear() - yearsKept)
  return day.toISOString()
}

/** Removes the events that are older than two years. */
export const expireEvents = job('events.expire', {
  every: 'day',
  async run({ now, write }) {
    for (;;) {
      const removed = await write(async ({ db }) => {
        const old = db.selectFrom('event').where('createdAt', '<', expiry(now)).orderBy('createdAt').limit(slice)
        return db.deleteFrom('event').where('id', 'in', old.select('id')).returning('id').execute()
      })
      if (removed.length < slice) return
    }
  },
})
