import { currentUser, instance, userEntries } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, type PagingInput, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { isFollowing } from './follows.ts'
import { findUser } from './queries.ts'
import { toUserSummary, type UserSummary } from './user.ts'

/** The result of following a user, or of the end of that. */
export interface FollowChange {
  /** False if the current user followed the user before, or did not. */
  changed: boolean
  /** The followed user. */
  user: UserSummary
}

const listFollows = async (
  ctx: Context,
  ref: number | string,
  [column, other]: readonly ['followerId' | 'followedId', 'followerId' | 'followedId'],
  paging: PagingInput,
): Promise<Page<UserSummary>> => {
  const { id, privateProfile } = await findUser(ctx, ref)
  if (privateProfile && id !== getUserId(ctx.actor) && !isAdministrator(ctx.actor))
    throw forbidden('The profile is private')
  const rows = ctx.db
    .selectFrom('userFollow')
    .innerJoin('user', 'user.id', `userFollow.${other}`)
    .where(`userFollow.${column}`, '=', id)
    .orderBy(`userFollow.${other}`)
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.publicEmail'])
  return paginate(rows, paging, toUserSummary(await getSettings(ctx)))
}

const toSummary = ({ id, username, name, state, avatarUrl, publicEmail }: UserSummary): UserSummary => ({
  id,
  username,
  name,
  state,
  avatarUrl,
  publicEmail,
})

export const userFollows = {
  /** Follows a user. Nothing changes for a user who is followed already, and for the current user. */
  follow: command({
    on: currentUser,
    can: 'user.follow',
    serializes: 'user',
    input: userEntries,
    async run(ctx, { user: ref }): Promise<FollowChange> {
      const user = await findUser(ctx, ref)
      const followerId = getUserId(ctx.actor)
      const result = { user: toSummary(user) }
      if (user.id === followerId || (await isFollowing(ctx, followerId, user.id))) return { ...result, changed: false }
      await ctx.db
        .insertInto('userFollow')
        .values({ followerId, followedId: user.id, createdAt: ctx.now } satisfies CompleteRow<'userFollow'>)
        .execute()
      return { ...result, changed: true }
    },
  }),

  /** Ends following a user. Nothing changes for a user who is not followed. */
  unfollow: command({
    on: currentUser,
    can: 'user.follow',
    serializes: 'user',
    input: userEntries,
    async run(ctx, { user: ref }): Promise<FollowChange> {
      const user = await findUser(ctx, ref)
      const removed = await ctx.db
        .deleteFrom('userFollow')
        .where('followerId', '=', getUserId(ctx.actor))
        .where('followedId', '=', user.id)
        .returning('followedId')
        .execute()
      return { user: toSummary(user), changed: removed.length > 0 }
    },
  }),

  /** Lists the users who follow a user, by id. Fails with `forbidden` for a private profile of another user. */
  listFollowers: query({
    on: instance,
    can: 'user.read',
    input: { ...userEntries, ...pagingEntries },
    run: (ctx, { user, ...paging }) => listFollows(ctx, user, ['followedId', 'followerId'], paging),
  }),

  /** Lists the users whom a user follows, by id. Fails with `forbidden` for a private profile of another user. */
  listFollowing: query({
    on: instance,
    can: 'user.read',
    input: { ...userEntries, ...pagingEntries },
    run: (ctx, { user, ...paging }) => listFollows(ctx, user, ['followerId', 'followedId'], paging),
  }),
}
