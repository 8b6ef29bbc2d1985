import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import { lower, matchesSearch } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { parseSearchText } from '../../shared/search-text.ts'
import { getSettings } from '../settings/queries.ts'
import { createUser, updateUser } from './mutations.ts'
import { findUser, selectUsers, toUser } from './queries.ts'
import { toUserSummary, type User, type UserSummary } from './user.ts'

const profileInput = {
  /** Display name, not blank. Default for a new user: the username. */
  name: v.optional(v.string()),
  /** At most 255 characters, unique regardless of case. Default for a new user: `<username>@users.invalid`. */
  email: v.optional(v.string()),
  /** Whether the user is an administrator, with access to all projects, groups and settings. Default for a new user: false. */
  admin: v.optional(v.boolean()),
  /** Whether the user sees internal projects and groups only as a member. Default for a new user: false. */
  external: v.optional(v.boolean()),
  /** Whether only administrators and the user can list the user's events. Default for a new user: false. */
  privateProfile: v.optional(v.boolean()),
  /** URL of the user's picture; null, the default for a new user, for the Gravatar of the e-mail address. */
  avatarUrl: v.optional(v.nullable(v.string())),
}

const setState = async (ctx: Context, ref: number | string, state: User['state']) => {
  const { id } = await findUser(ctx, ref)
  await ctx.db.updateTable('user').set({ state, updatedAt: ctx.now }).where('id', '=', id).execute()
  return findUser(ctx, id)
}

export const users = {
  /** Lists users with their private data, ordered by id. */
  list: query({
    on: instance,
    can: 'user.manage',
    input: {
      ...pagingEntries,
      /** Only the user with this username; case-insensitive. */
      username: v.optional(v.string()),
    },
    async run(ctx, { username, ...paging }) {
      const rows = selectUsers(ctx).orderBy('id')
      return paginate(
        username === undefined ? rows : rows.where(lower('username'), '=', username.toLowerCase()),
        paging,
        toUser(await getSettings(ctx)),
      )
    },
  }),

  /** Gets a user with private data. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => findUser(ctx, user),
  }),

  /** Lists the public data of users, ordered by id. */
  find: query({
    on: instance,
    can: 'user.find',
    scopes: ['read_user'],
    input: {
      ...pagingEntries,
      /** Only the user with this username; case-insensitive. */
      username: v.optional(v.string()),
      /**
       * Words of at least 3 characters and quoted phrases that the name or the username must contain: at most 1,024
       * characters and 8 words.
       */
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

  /** Gets the public data of a user. */
  profile: query({
    on: instance,
    can: 'user.find',
    scopes: ['read_user'],
    input: userEntries,
    run: async (ctx, { user }): Promise<UserSummary> => {
      const { id, username, name, state, avatarUrl } = await findUser(ctx, user)
      return { id, username, name, state, avatarUrl }
    },
  }),

  /** Gets the calling user with private data. The host has no user: `not_found`. */
  current: query({
    on: instance,
    can: 'user.current',
    scopes: ['read_user'],
    run: (ctx) => findUser(ctx, ctx.actor.kind === 'user' ? ctx.actor.id : 0),
  }),

  /**
   * Creates an active user, and a personal namespace whose path is the username.
   *
   * @throws PlatformError `invalid` for an invalid field, `conflict` when the username or the e-mail is taken
   */
  create: command({
    on: instance,
    can: 'user.manage',
    input: {
      /**
       * 1 to 255 letters, digits, `_`, `-` and `.`, without a leading `-` or `.` and without `.`, `.git` or `.atom` at the end.
       * Unique among users and top-level groups, regardless of case.
       */
      username: v.string(),
      ...profileInput,
    },
    run: (ctx, account) => createUser(ctx, account),
  }),

  /**
   * Updates a user; absent fields stay unchanged. A new name is also the name of the personal namespace.
   *
   * @throws PlatformError `invalid` for an invalid field, `conflict` when the e-mail is taken
   */
  update: command({
    on: instance,
    can: 'user.manage',
    input: { ...userEntries, ...profileInput },
    async run(ctx, { user, ...change }) {
      const { id } = await findUser(ctx, user)
      return updateUser(ctx, id, change)
    },
  }),

  /** Blocks a user: from now on, all calls of the user fail with `forbidden`. Tokens and memberships remain. */
  block: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, 'blocked'),
  }),

  /** Unblocks a user, who can call the platform again. */
  unblock: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, 'active'),
  }),
}
