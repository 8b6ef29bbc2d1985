import { job } from '../../jobs.ts'
import { today } from '../../kernel/context.ts'

/** Ends the memberships whose last day has passed. They gave no access since then; this removes the rows. */
export const expireMemberships = job('members.expire', {
  every: 'day',
  run: ({ write }) =>
    write(async (ctx) => {
      const expired = await ctx.db
        .deleteFrom('member')
        .where('expiresAt', '<=', today(ctx))
        .returning(['projectId', 'groupId', 'userId'])
        .execute()
      for (const member of expired) await ctx.emit('member.left', { ...member, expired: true })
    }),
})
