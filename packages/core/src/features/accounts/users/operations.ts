import * as v from 'valibot'
import { readCustomAttributes } from '../../../access/custom-attributes.ts'
import { accountEntries, currentUser, instance, userEntries } from '../../../access/subjects.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { allOrNone } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { AvatarUpload } from '../avatars/avatar.ts'
import { setAvatar } from '../avatars/mutations.ts'
import { linkIdentity } from '../identities/link.ts'
import { accountInput } from './account-input.ts'
import { filterUsers, type ListedUser, sortUsers, userFilterRules, userFilters } from './filters.ts'
import { createUser, updateUser } from './mutations.ts'
import { changePassword, passwordInput } from './new-password.ts'
import { profileInput, splitInput, updateProfile } from './profile.ts'
import { findUser, selectUsers } from './queries.ts'
import { toUserSummary } from './user.ts'
import { requireDetails, type ShownUser, type UserDetail } from './user-detail.ts'
import { findUserDetail, getShownUser, toUserDetails, withDetails } from './user-details.ts'

const addAttributes = async <T extends { readonly id: number }>(ctx: Context, items: readonly T[]) => {
  const attributesOf = await readCustomAttributes(
    ctx,
    'userId',
    items.map(({ id }) => id),
  )
  return items.map((user) => ({ ...user, customAttributes: attributesOf(user.id) }))
}

const identityInput = {
  /** Sign-in service of `externUid`, with which it is required: 1 to 255 characters. */
  provider: v.optional(v.string()),
  /** The user's id at `provider`, 1 to 255 characters, with which the user signs in there. It replaces one that was set before. */
  externUid: v.optional(v.string()),
}

interface NewIdentity {
  readonly provider?: string | undefined
  readonly externUid?: string | undefined
}

const identityRule = allOrNone<NewIdentity>('provider', 'externUid')

const setIdentity = async (ctx: Context, id: number, { provider, externUid }: NewIdentity): Promise<void> => {
  if (provider === undefined || externUid === undefined) return
  await linkIdentity(ctx, id, { provider, externalUid: externUid }, { replaces: true })
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
       * characters and 64 words. A complete e-mail address also finds the user with this public one and, for administrators,
       * with any confirmed one.
       */
      search: v.optional(v.string(), ''),
      ...userFilters,
    },
    rules: userFilterRules,
    async run(ctx, { sort, orderBy, ...filters }): Promise<Page<ListedUser>> {
      const rows = sortUsers(ctx, filterUsers(ctx, selectUsers(ctx), filters), { orderBy, sort })
      if (!isAdministrator(ctx.actor)) return paginate(rows, filters, toUserSummary(await getSettings(ctx)))
      const page = await paginate(withDetails(rows), filters, (row) => row)
      const items = await toUserDetails(ctx, page.items)
      return { ...page, items: filters.withCustomAttributes ? await addAttributes(ctx, items) : items }
    },
  }),

  /** Gets a user: all details for administrators and the user, the profile for others. The host has no user: `not_found`. */
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
      const shown = await getShownUser(ctx, user ?? getUserId(ctx.actor))
      if (!withCustomAttributes || !isAdministrator(ctx.actor)) return shown
      return defined((await addAttributes(ctx, [requireDetails(shown)]))[0])
    },
  }),

  /**
   * Creates a user with a profile, active unless `pendingApproval` is set, and a personal namespace whose path is the username; for administrators. The
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
      ...identityInput,
      /** Addresses of new users are confirmed with or without it: no message is sent. */
      skipConfirmation: v.optional(v.boolean()),
      /** Whether the user is marked as the bot of an access token, as in an export; `forbidden` for users. Default: false. */
      bot: v.optional(v.boolean()),
      /**
       * Whether the account waits until an administrator approves or rejects it; `forbidden` for users. Default: false.
       */
      pendingApproval: v.optional(v.boolean()),
    },
    rules: [identityRule],
    async run(ctx, input): Promise<UserDetail | Deferred<UserDetail>> {
      const { username, bot, pendingApproval } = input
      if (ctx.actor.kind !== 'system' && (bot ?? pendingApproval) !== undefined)
        throw forbidden(`Only the host application can set ${bot === undefined ? 'pendingApproval' : 'bot'}`)
      const [account, profile] = splitInput(input)
      const { id } = await createUser(ctx, { username, bot, pendingApproval, ...account })
      await setIdentity(ctx, id, input)
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
      ...identityInput,
      /** A new address is confirmed with or without it: no message is sent. */
      skipReconfirmation: v.optional(v.boolean()),
    },
    rules: [identityRule],
    async run(ctx, { user, ...input }): Promise<UserDetail | Deferred<UserDetail>> {
      const { id } = await findUser(ctx, user)
      const [account, profile] = splitInput(input)
      const change = { ...account, ...(input.username !== undefined && { username: input.username }) }
      if (Object.keys(change).length) await updateUser(ctx, id, change)
      await setIdentity(ctx, id, input)
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
      return defined(await findUserDetail(ctx, id))
    },
  }),
}
