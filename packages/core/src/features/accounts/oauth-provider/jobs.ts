import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'

/** Rows per transaction, so that other writers can run in between. */
const purgeSize = 1_000

/** Seconds. Until then a client learns that its token has expired; afterwards the token is unknown. */
const retention = 86_400

/** Removes tokens, codes and sessions of the OAuth provider a day after they expire. */
export const expireOauthRecords = defineJob('oauth.expire', {
  every: 'day',
  async findNextEffect({ db }) {
    const first = await db
      .selectFrom('oauthRecord')
      .orderBy('expiresAt')
      .orderBy('id')
      .limit(1)
      .select('expiresAt')
      .executeTakeFirst()
    return first && addSeconds(first.expiresAt, retention)
  },
  run: (tools) =>
    repeatStep(tools, async ({ db, now }) => {
      const expired = db
        .selectFrom('oauthRecord')
        .where('expiresAt', '<=', addSeconds(now, -retention))
        .orderBy('expiresAt')
        .orderBy('id')
        .limit(purgeSize)
      const removed = await db
        .deleteFrom('oauthRecord')
        .where('id', 'in', expired.select('id'))
        .returning('id')
        .execute()
      return removed.length === purgeSize
    }),
})
