import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { acceptInvitations } from './accept.ts'

const accept = async (ctx: Context, userId: number, email: string) => {
  if (await acceptInvitations(ctx, userId, email)) await ctx.enqueue('invitations.accept', { userId, email })
}

/** Users become members where one of their addresses was invited: new users, and users with a new confirmed address. */
export const invitationReactions: readonly Reaction[] = [
  defineReaction('user.created', async (ctx, { user }) => {
    if (!user.bot) await accept(ctx, user.id, user.email)
  }),
  defineReaction('user.emailConfirmed', (ctx, { userId, email }) => accept(ctx, userId, email)),
]
