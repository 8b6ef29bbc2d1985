import * as v from 'valibot'
import { readCustomAttributes } from '../../../access/custom-attributes.ts'
import { accountEntries, currentUser, instance, userEntries } from '../../../access/subjects.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { AvatarUpload } from '../avatars/avatar.ts'
import { setAvatar } from '../avatars/mutations.ts'
import { accountInput } from './account-input.ts'
import { filterUsers, type ListedUser, sortUsers, userFilterRules, userFilters } from './filters.ts'
import { createUser, updateUser } from './mutations.ts'
import { changePassword, passwordInput } from './new-password.ts'
import { profileInput, splitInput, updateProfile } from './profile.ts'
import { findUser, selectUsers, toUser } from './queries.ts'
import { toUserSummary, type UserSummary } from './user.ts'
import type { ShownUser, UserDetail } from './user-detail.ts'
import { getUserDetail } from './user-details.ts'

const getSummary = async (ctx: Context, ref: number | string): Promise<UserSummary> => {
  const { id, username, name, state, avatarUrl } = await findUser(ctx, ref)
  return { id, username, name, state, avatarUrl }
}

const addAttributes = async <T extends { readonly id: number }>(ctx: Context, items: readonly T[]) => {
  const attributesOf = await readCustomAttributes(
    ctx,
    'userId',
    items.map(({ id }) => id),
  )
  return items.map((user) => ({ ...user, customAttributes: attributesOf(user.id) }))
}

export const users = {
  /** Lists users, by default ordered by id: their public data, and for administrators also that of their accounts. */
  list: query({
    on: instance,
    can: 'user.read',
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
      const isAdmin = isAdministrator(ctx.actor)
      const page = await paginate(rows, filters, isAdmin ? toUser(settings) : toUserSummary(settings))
      return isAdmin && filters.withCustomAttributes ? { ...page, items: await addAttributes(ctx, page.items) } : page
    },
  }),

  /** Gets a user: all details for administrators and the user, the public data for others. The host has no user: `not_found`. */
  get: query({
    on: instance,
    can: 'user.read',
    scopes: ['read_user'],
    input: {
      ...accountEntries,
      /** Whether to include the custom attributes; for administrators. Default: false. */
      withCustomAttributes: v.optional(v.boolean(), false),
    },
    async run(ctx, { user, withCustomAttributes }): Promise<ShownUser> {
      const ownId = getUserId(ctx.actor)
      if (isAdministrator(ctx.actor)) {
        const detail = await getUserDetail(ctx, user ?? ownId)
        return withCustomAttributes ? defined((await addAttributes(ctx, [detail]))[0]) : detail
      }
      if (user === undefined) return getUserDetail(ctx, ownId)
      const summary = await getSummary(ctx, user)
      return summary.id === ownId ? getUserDetail(ctx, ownId) : summary
    },
  }),

  /**
   * Creates an active user with a profile, and a personal namespace whose path is the username; for administrators. The
   * user signs in at the host, with a token, or with a password.
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
      ...profileInput,
      ...passwordInput,
      /** Addresses of new users are confirmed with or without it: no message is sent. */
      skipConfirmation: v.optional(v.boolean()),
      /** Whether the user is marked as the bot of an access token, as in an export; `forbidden` for users. Default: false. */
      bot: v.optional(v.boolean()),
    },
    async run(ctx, input): Promise<UserDetail | Deferred<UserDetail>> {
      const { username, bot } = input
      if (bot !== undefined && ctx.actor.kind !== 'system') throw forbidden('Only the host application can set bot')
      const [account, profile] = splitInput(input)
      const { id } = await createUser(ctx, { username, bot, ...account })
      return changePassword(ctx, id, input, await updateProfile(ctx, id, profile))
    },
  }),

  /**
   * Updates the account, the profile, the password, the sign-in times and the limits of a user; for administrators. Omitted fields
   * keep their values. A new name is also the name of the personal namespace.
   *
   * @throws PlatformError `invalid` for an invalid field, `conflict` when the username or the e-mail is taken
   */
  update: command({
    on: instance,
    can: 'user.manage',
    input: {
      ...userEntries,
      /** New name in URLs and mentions, as in `create`. URLs with the old one stop working. */
      username: v.optional(v.string()),
      ...accountInput,
      ...profileInput,
      ...passwordInput,
      /** A new address is confirmed with or without it: no message is sent. */
      skipReconfirmation: v.optional(v.boolean()),
    },
    async run(ctx, { user, ...input }): Promise<UserDetail | Deferred<UserDetail>> {
      const { id } = await findUser(ctx, user)
      const [account, profile] = splitInput(input)
      const change = { ...account, ...(input.username !== undefined && { username: input.username }) }
      if (Object.keys(change).length) await updateUser(ctx, id, change)
      return changePassword(ctx, id, input, await updateProfile(ctx, id, profile))
    },
  }),

  /** Sets or removes the current user's picture. */
  setAvatar: command({
    on: currentUser,
    can: 'avatar.manage',
    input: {
      /** The new picture; null removes the current one. */
      avatar: v.nullable(AvatarUpload),
    },
    async run(ctx, { avatar }) {
      const id = getUserId(ctx.actor)
      await setAvatar(ctx, 'user', id, avatar)
      return getSummary(ctx, id)
    },
  }),
}
