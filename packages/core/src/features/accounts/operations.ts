import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import { lower, matchesSearch } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { parseSearchText } from '../../shared/search-text.ts'
import { getSettings } from '../settings/queries.ts'
import { createUser, updateUser } from './mutations.ts'
import { findUser, selectUsers, toUser } from './queries.ts'
import { toUserSummary, type User, type UserSummary } from './user.ts'

const profileInput = {
  name: v.optional(v.string()),
  email: v.optional(v.string()),
  admin: v.optional(v.boolean()),
  external: v.optional(v.boolean()),
  privateProfile: v.optional(v.boolean()),
  avatarUrl: v.optional(v.nullable(v.string())),
}

const setState = async (ctx: Context, ref: number | string, state: User['state']) => {
  const { id } = await findUser(ctx, ref)
  await ctx.db.updateTable('user').set({ state, updatedAt: ctx.now }).where('id', '=', id).execute()
  return findUser(ctx, id)
}

export const users = {
  /** Lists users by id, filtered by `username`. */
  list: query({
    on: instance,
    can: 'user.manage',
    input: { ...pagingEntries, username: v.optional(v.string()) },
    async run(ctx, { username, ...paging }) {
      const rows = selectUsers(ctx).orderBy('id')
      return paginate(
        username === undefined ? rows : rows.where(lower('username'), '=', username.toLowerCase()),
        paging,
        toUser(await getSettings(ctx)),
      )
    },
  }),

  /** Gets a user by id or username. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: { user: IdOrName },
    run: (ctx, { user }) => findUser(ctx, user),
  }),

  /** Lists the public data of users by id, filtered by `username` and `search`. */
  find: query({
    on: instance,
    can: 'user.find',
    scopes: ['read_user'],
    input: {
      ...pagingEntries,
      username: v.optional(v.string()),
      /** Matches names and usernames. */
      search: v.optional(v.string(), ''),
    },
    async run(ctx, { username, search, ...paging }) {
      let rows = selectUsers(ctx).orderBy('id')
      if (username !== undefined) rows = rows.where(lower('username'), '=', username.toLowerCase())
      const matches = matchesSearch(ctx.dialect, ['name', 'username'], parseSearchText(search))
      if (matches) rows = rows.where(matches)
      return paginate(rows, paging, toUserSummary(await getSettings(ctx)))
    },
  }),

  /** Gets the public data of a user, by id or username. */
  profile: query({
    on: instance,
    can: 'user.find',
    scopes: ['read_user'],
    input: { user: IdOrName },
    run: async (ctx, { user }): Promise<UserSummary> => {
      const { id, username, name, state, avatarUrl } = await findUser(ctx, user)
      return { id, username, name, state, avatarUrl }
    },
  }),

  /** Gets the calling user. */
  current: query({
    on: instance,
    can: 'user.current',
    scopes: ['read_user'],
    run: (ctx) => findUser(ctx, ctx.actor.kind === 'user' ? ctx.actor.id : 0),
  }),

  /** Creates an active user with a personal namespace of the same name. The e-mail defaults to an undeliverable address. */
  create: command({
    on: instance,
    can: 'user.manage',
    input: { username: v.string(), ...profileInput },
    run: (ctx, account) => createUser(ctx, account),
  }),

  /** Updates a user's profile and flags. */
  update: command({
    on: instance,
    can: 'user.manage',
    input: { user: IdOrName, ...profileInput },
    async run(ctx, { user, ...change }) {
      const { id } = await findUser(ctx, user)
      return updateUser(ctx, id, change)
    },
  }),

  /** Blocks a user: all calls of the user are rejected. */
  block: command({
    on: instance,
    can: 'user.manage',
    input: { user: IdOrName },
    run: (ctx, { user }) => setState(ctx, user, 'blocked'),
  }),

  /** Unblocks a user. */
  unblock: command({
    on: instance,
    can: 'user.manage',
    input: { user: IdOrName },
    run: (ctx, { user }) => setState(ctx, user, 'active'),
  }),
}
