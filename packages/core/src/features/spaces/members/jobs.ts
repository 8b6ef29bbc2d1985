import { today } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'

/** Deletes expired memberships. They grant no access from their expiry date on; the job only removes the rows. */
export const expireMemberships = defineJob('members.expire', {
  every: 'day',
  async findNextEffect({ db }) {
    const expiring = db.selectFrom('member').where('expiresAt', 'is not', null).orderBy('expiresAt').limit(1)
    return (await expiring.select('expiresAt').executeTakeFirst())?.expiresAt ?? undefined
  },
  run: ({ write }) =>
    write(async (ctx) => {
      const expired = await ctx.db
        .deleteFrom('member')
        .where('expiresAt', '<=', today(ctx))
        .returning(['projectId', 'groupId', 'userId', 'accessLevel'])
        .execute()
      for (const member of expired) await ctx.emit('member.left', { ...member, expired: true })
    }),
})
