import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import { lower } from '../../db/functions.ts'
import { updateChanged } from '../../db/update-changed.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { getSettings } from '../settings/queries.ts'
import { accountInput } from './account-input.ts'
import { filterUsers, type ListedUser, sortUsers, userFilterRules, userFilters } from './filters.ts'
import { createUser, updateUser } from './mutations.ts'
import { findUser, selectUsers, toUser } from './queries.ts'
import { toUserSummary, type UserState, type UserSummary } from './user.ts'

/** @throws PlatformError `forbidden` if the user is in a state that `from` does not contain */
const setState = async (
  ctx: Context,
  ref: number | string,
  { from, to: state }: { readonly from: readonly UserState[]; readonly to: UserState },
) => {
  const { id, state: current } = await findUser(ctx, ref)
  // Also keeps the last administrator: nobody else could unblock them.
  if (ctx.actor.kind === 'user' && ctx.actor.id === id) throw forbidden('Administrators cannot block themselves')
  if (current !== state && !from.includes(current)) throw forbidden(`The user is ${current}`)
  await updateChanged(ctx, 'user', id, { state })
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

  /** Lists users, by default ordered by id: their public data, and for administrators all of it. */
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
      ...userFilters,
    },
    rules: userFilterRules,
    async run(ctx, { sort, orderBy, ...filters }): Promise<Page<ListedUser>> {
      const rows = sortUsers(ctx, filterUsers(ctx, selectUsers(ctx), filters), { orderBy, sort })
      const settings = await getSettings(ctx)
      return paginate(rows, filters, isAdministrator(ctx.actor) ? toUser(settings) : toUserSummary(settings))
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
      ...accountInput,
      /** Whether the user is marked as the bot of an access token, as in an export. Default: false. */
      bot: v.optional(v.boolean()),
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
    input: { ...userEntries, ...accountInput },
    async run(ctx, { user, ...change }) {
      const { id } = await findUser(ctx, user)
      return updateUser(ctx, id, change)
    },
  }),

  /**
   * Blocks a user: from now on, all calls of the user fail with `forbidden`. Tokens and memberships remain. Administrators cannot block,
   * ban or deactivate themselves.
   */
  block: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['active', 'deactivated'], to: 'blocked' }),
  }),

  /** Unblocks a user, who can call the platform again. Fails with `forbidden` for a banned or deactivated user. */
  unblock: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['blocked'], to: 'active' }),
  }),

  /** Bans an active user: like `block`, and shown as `banned`. Fails with `forbidden` for a user who is not active. */
  ban: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['active'], to: 'banned' }),
  }),

  /** Ends the ban of a user. Fails with `forbidden` for a blocked or deactivated user. */
  unban: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['banned'], to: 'active' }),
  }),

  /** Deactivates an active user: like `block`, and shown as `deactivated`. Fails with `forbidden` for others. */
  deactivate: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['active'], to: 'deactivated' }),
  }),

  /** Activates a deactivated user. Fails with `forbidden` for a blocked or banned user. */
  activate: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['deactivated'], to: 'active' }),
  }),
}
