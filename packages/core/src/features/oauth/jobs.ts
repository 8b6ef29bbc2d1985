import { defineJob } from '../../kernel/job.ts'

/** Rows per transaction, so that other writers can run in between. */
const purgeSize = 1_000

/** Removes expired tokens, codes and sessions of the OAuth provider. */
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
    return first?.expiresAt
  },
  async run({ now, write }) {
    for (;;) {
      const removed = await write(async ({ db }) => {
        const expired = db
          .selectFrom('oauthRecord')
          .where('expiresAt', '<=', now)
          .orderBy('expiresAt')
          .orderBy('id')
          .limit(purgeSize)
        return db.deleteFrom('oauthRecord').where('id', 'in', expired.select('id')).returning('id').execute()
      })
      if (removed.length < purgeSize) return
    }
  },
})
