import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { UserProfile } from './user-detail.ts'

/** Whether a user follows another one. */
export const isFollowing = async ({ db }: Context, followerId: number, followedId: number): Promise<boolean> => {
  const rows = db.selectFrom('userFollow').where('followerId', '=', followerId).where('followedId', '=', followedId)
  return (await rows.select('createdAt').executeTakeFirst()) !== undefined
}

/** Columns of the users who follow a user, of those who are followed, and of the current user if they follow the user. */
export const selectFollows =
  ({ actor }: Context) =>
  (eb: ExpressionBuilder<Database, 'user'>) => {
    const follows = eb.selectFrom('userFollow').select(({ fn }) => fn.countAll<number>().as('count'))
    const followers = follows.whereRef('userFollow.followedId', '=', 'user.id')
    return [
      followers.as('followers'),
      follows.whereRef('userFollow.followerId', '=', 'user.id').as('following'),
      followers.where('userFollow.followerId', '=', getUserId(actor)).as('ownFollows'),
    ] as const
  }

type FollowRow = Readonly<Record<'followers' | 'following' | 'ownFollows', number | null>>

/** How many users follow a user and are followed, and whether the current user follows the user. */
export const toFollows = (
  { actor }: Context,
  { followers, following, ownFollows }: FollowRow,
): Pick<UserProfile, 'followers' | 'following' | 'isFollowed'> => ({
  followers: Number(followers),
  following: Number(following),
  ...(actor.kind === 'user' && { isFollowed: Number(ownFollows) > 0 }),
})
