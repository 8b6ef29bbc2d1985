import { defineReaction } from '../../../kernel/reaction.ts'
import { toOwnerColumn } from './queries.ts'

/** Closes a user's request when the user becomes a member by any operation. */
export const closeAccessRequestOnJoin = defineReaction('member.joined', async (ctx, { userId, ...owner }) => {
  const [column, id] = toOwnerColumn(owner)
  await ctx.db.deleteFrom('accessRequest').where(column, '=', id).where('userId', '=', userId).execute()
})
