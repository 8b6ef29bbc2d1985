import { when } from '../../signals.ts'
import { requestOwner } from './queries.ts'

/** Whoever becomes a member has what they asked for, by whichever way it came. */
export const joiningEndsRequests = when('member.joined', async (ctx, { userId, ...owner }) => {
  const [column, id] = requestOwner(owner)
  await ctx.db.deleteFrom('accessRequest').where(column, '=', id).where('userId', '=', userId).execute()
})
