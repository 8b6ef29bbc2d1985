import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import { lower, matches } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { searchPatterns } from '../../kernel/search-text.ts'
import { settingsInForce } from '../settings/queries.ts'
import { changeUser, createUser } from './account.ts'
import { findUser, toUser, users as userRows } from './queries.ts'
import { toUserSummary, type User, type UserSummary } from './user.ts'

const profile = {
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
  /** All users, by id; with `username`, the one of that name. */
  list: query({
    on: instance,
    can: 'user.manage',
    input: { ...paging, username: v.optional(v.string()) },
    async run(ctx, { username, ...at }) {
      const rows = userRows(ctx).orderBy('id')
      return paginate(
        username === undefined ? rows : rows.where(lower('username'), '=', username.toLowerCase()),
        at,
        toUser(await settingsInForce(ctx)),
      )
    },
  }),

  /** One user, by id or username. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    run: (ctx, { user }) => findUser(ctx, user),
  }),

  /** Everybody, by id, as far as everybody may know them; with `username` the one of that name. */
  find: query({
    on: instance,
    can: 'user.find',
    scopes: ['read_user'],
    input: {
      ...paging,
      username: v.optional(v.string()),
      /** In names and usernames. */
      search: v.optional(v.string(), ''),
    },
    async run(ctx, { username, search, ...at }) {
      let rows = userRows(ctx).orderBy('id')
      if (username !== undefined) rows = rows.where(lower('username'), '=', username.toLowerCase())
      for (const pattern of searchPatterns(search)) {
        rows = rows.where((eb) => eb.or([matches('name', pattern), matches('username', pattern)]))
      }
      return paginate(rows, at, toUserSummary(await settingsInForce(ctx)))
    },
  }),

  /** One user, by id or username, as far as everybody may know them. */
  profile: query({
    on: instance,
    can: 'user.find',
    scopes: ['read_user'],
    input: { user: Reference },
    run: async (ctx, { user }): Promise<UserSummary> => {
      const { id, username, name, state, avatarUrl } = await findUser(ctx, user)
      return { id, username, name, state, avatarUrl }
    },
  }),

  /** The caller. */
  current: query({
    on: instance,
    can: 'user.current',
    scopes: ['read_user'],
    run: (ctx) => findUser(ctx, ctx.actor.kind === 'user' ? ctx.actor.id : 0),
  }),

  /** Adds an active user with a personal namespace of the same name. E-mail defaults to an address that reaches nobody. */
  create: command({
    on: instance,
    can: 'user.manage',
    input: { username: v.string(), ...profile },
    run: (ctx, account) => createUser(ctx, account),
  }),

  /** Changes a user's name, address or standing. */
  update: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference, ...profile },
    async run(ctx, { user, ...change }) {
      const { id } = await findUser(ctx, user)
      return changeUser(ctx, id, change)
    },
  }),

  /** Shuts a user out: from now on every call of theirs is refused. */
  block: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    run: (ctx, { user }) => setState(ctx, user, 'blocked'),
  }),

  /** Lets a blocked user in again. */
  unblock: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    run: (ctx, { user }) => setState(ctx, user, 'active'),
  }),
}
