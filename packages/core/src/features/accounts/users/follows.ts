import { getUserId } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import type { UserProfile } from './user-detail.ts'

type Column = 'followerId' | 'followedId'

const countFollows = async ({ db }: Context, column: Column, id: number): Promise<number> => {
  const rows = db.selectFrom('userFollow').where(column, '=', id)
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a user follows another one. */
export const isFollowing = async ({ db }: Context, followerId: number, followedId: number): Promise<boolean> => {
  const rows = db.selectFrom('userFollow').where('followerId', '=', followerId).where('followedId', '=', followedId)
  return (await rows.select('createdAt').executeTakeFirst()) !== undefined
}

/** How many users follow a user and are followed, and whether the current user follows the user. */
export const getFollows = async (
  ctx: Context,
  id: number,
): Promise<Pick<UserProfile, 'followers' | 'following' | 'isFollowed'>> => {
  const ownId = getUserId(ctx.actor)
  const [followers, following, isFollowed] = await awaitAll([
    countFollows(ctx, 'followedId', id),
    countFollows(ctx, 'followerId', id),
    isFollowing(ctx, ownId, id),
  ])
  return { followers, following, ...(ctx.actor.kind === 'user' && { isFollowed }) }
}
