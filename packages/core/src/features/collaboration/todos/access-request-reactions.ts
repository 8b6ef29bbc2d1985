import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { findAccessRequestApprovers } from '../../spaces/access-requests/approvers.ts'
import { toOwnerColumn } from '../../spaces/access-requests/queries.ts'
import { openTodos } from './mutations.ts'
import { accessRequested } from './todo.ts'

interface Request {
  readonly projectId: number | null
  readonly groupId: number | null
  readonly userId: number
}

const finishRequest = async (ctx: Context, { userId, ...owner }: Request) => {
  const [column, id] = toOwnerColumn(owner)
  await ctx.db
    .updateTable('todo')
    .set({ state: 'done', updatedAt: ctx.now })
    .where('authorId', '=', userId)
    .where(column, '=', id)
    .where('action', '=', accessRequested)
    .where('state', '=', 'pending')
    .execute()
}

/** A request of access is to do for those who can approve it, until one of them has decided. */
export const accessRequestTodoReactions: readonly Reaction[] = [
  defineReaction('accessRequest.opened', async (ctx, { userId: authorId, projectId, groupId }) => {
    const approvers = await findAccessRequestApprovers(ctx, { projectId, groupId })
    const target = { kind: 'container', projectId, groupId } as const
    await openTodos(
      ctx,
      approvers.map((userId) => ({ userId, authorId, action: accessRequested, target })),
    )
  }),
  defineReaction('accessRequest.ended', finishRequest),
  defineReaction('member.joined', finishRequest),
]
