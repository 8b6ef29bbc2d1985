import * as v from 'valibot'
import { currentUser, instance } from '../../access/subjects.ts'
import { updateChanged } from '../../db/update-changed.ts'
import { getUserId, isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import type { Deferred } from '../../kernel/deferred.ts'
import { invalid } from '../../kernel/errors.ts'
import { DateOnly, IdOrName, Instant, normalizeInstant } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { isEmail } from '../../shared/text.ts'
import { accountInput } from '../accounts/account-input.ts'
import { createUser, updateUser } from '../accounts/mutations.ts'
import { findUser } from '../accounts/queries.ts'
import type { User, UserSummary } from '../accounts/user.ts'
import { AvatarUpload } from '../avatars/avatar.ts'
import { setAvatar } from '../avatars/mutations.ts'
import { changePassword, passwordInput } from '../passwords/new-password.ts'
import { webUrlProblem } from '../settings/web-url.ts'
import { userDetails } from './queries.ts'
import type { ShownUser, UserDetail } from './user-detail.ts'

const Text = v.optional(v.pipe(v.string(), v.maxLength(255)))
const Time = v.optional(v.nullable(Instant))
const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647))

const profileInput = {
  /** Self-description; at most 255 characters, like all texts of a profile. An empty text removes it. */
  bio: Text,
  /** Place of residence or work, at most 255 characters. */
  location: Text,
  /** Email address that other users can see, or an empty text. It need not be one of the user's confirmed addresses. */
  publicEmail: Text,
  /** Skype user name, at most 255 characters. */
  skype: Text,
  /** LinkedIn profile, at most 255 characters. */
  linkedin: Text,
  /** Twitter user name, at most 255 characters. */
  twitter: Text,
  /** URL of the user's website (`http` or `https`), at most 255 characters, or an empty text. */
  websiteUrl: Text,
  /** Company or other organization, at most 255 characters. */
  organization: Text,
  /** Time of the sign-in before the current one: ISO 8601; UTC if it has no offset; null for none. */
  lastSignInAt: Time,
  /** Time of the most recent sign-in: ISO 8601; UTC if it has no offset; null for none. */
  currentSignInAt: Time,
  /** When the email address was confirmed: ISO 8601; UTC if it has no offset. */
  confirmedAt: v.optional(Instant),
  /** Day of the last activity, such as `2026-11-21`; null for none. */
  lastActivityOn: v.optional(v.nullable(DateOnly)),
  /** Number of the color theme of the pages, from 0. It has no effect on the platform. */
  themeId: v.optional(Count),
  /** Number of the color scheme for code, from 0. It has no effect on the platform. */
  colorSchemeId: v.optional(Count),
  /** Maximum number of personal projects of the user; 0 allows none. */
  projectsLimit: v.optional(Count),
  /** Whether clients should offer to create groups. It has no effect on permissions. */
  canCreateGroup: v.optional(v.boolean()),
  /** Whether the user signs in with two factors, as reported by the host's sign-in. */
  twoFactorEnabled: v.optional(v.boolean()),
  /** Pipeline minutes per month on shared runners; null for no limit of the user's own. */
  sharedRunnersMinutesLimit: v.optional(v.nullable(Count)),
  /** Additional pipeline minutes on shared runners; null for none. */
  extraSharedRunnersMinutesLimit: v.optional(v.nullable(Count)),
}

const parseOptionalInstant = <T extends string | null | undefined>(text: T) => (text ? normalizeInstant(text) : text)

const assertValidLinks = ({
  publicEmail = '',
  websiteUrl = '',
}: {
  publicEmail?: string | undefined
  websiteUrl?: string | undefined
}) => {
  const problem = websiteUrl === '' ? undefined : webUrlProblem(websiteUrl)
  const problems = {
    ...(publicEmail !== '' && !isEmail(publicEmail) && { publicEmail: ['is invalid'] }),
    ...(problem !== undefined && { websiteUrl: [`is blocked: ${problem}`] }),
  }
  if (Object.keys(problems).length) throw invalid(problems)
}

const getUserDetail = async (ctx: Context, ref: number | string): Promise<UserDetail> => {
  const { id } = await findUser(ctx, ref)
  return (await userDetails(ctx, [id])).get(id) as UserDetail
}

const AccountSchema = v.object(accountInput)
const ProfileSchema = v.object(profileInput)
type Account = v.InferOutput<typeof AccountSchema>
type Profile = v.InferOutput<typeof ProfileSchema>

/** Separates the fields of the account from those of the profile. */
const splitInput = (input: Account & Profile): readonly [Account, Profile] => {
  const entries = Object.entries(input)
  const select = (names: object) => Object.fromEntries(entries.filter(([name]) => Object.hasOwn(names, name)))
  return [select(accountInput), select(profileInput)]
}

const updateProfile = async (ctx: Context, id: number, details: Profile): Promise<UserDetail> => {
  assertValidLinks(details)
  const change = {
    ...details,
    lastSignInAt: parseOptionalInstant(details.lastSignInAt),
    currentSignInAt: parseOptionalInstant(details.currentSignInAt),
    confirmedAt: parseOptionalInstant(details.confirmedAt),
  }
  await updateChanged(ctx, 'user', id, change)
  return getUserDetail(ctx, id)
}

const summarize = ({ id, username, name, state, avatarUrl }: User): UserSummary => ({
  id,
  username,
  name,
  state,
  avatarUrl,
})

export const profiles = {
  /** Gets all details of a user, including private ones; for administrators. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: {
      /** Id or username of the user. */
      user: IdOrName,
    },
    run: (ctx, { user }) => getUserDetail(ctx, user),
  }),

  /** Gets the public data of a user; all details for administrators and the user. */
  show: query({
    on: instance,
    can: 'user.find',
    scopes: ['read_user'],
    input: {
      /** Id or username of the user. */
      user: IdOrName,
    },
    async run(ctx, { user }): Promise<ShownUser> {
      const summary = summarize(await findUser(ctx, user))
      const { id } = summary
      const isSelf = ctx.actor.kind === 'user' && ctx.actor.id === id
      const details = isSelf || isAdministrator(ctx.actor) ? await getUserDetail(ctx, id) : null
      return { ...summary, details }
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
    },
    async run(ctx, input): Promise<UserDetail | Deferred<UserDetail>> {
      const [account, profile] = splitInput(input)
      const { id } = await createUser(ctx, { username: input.username, ...account })
      return changePassword(ctx, id, input, await updateProfile(ctx, id, profile))
    },
  }),

  /**
   * Updates the account, the profile, the password, the sign-in times and the limits of a user; for administrators. Absent fields
   * keep their values.
   */
  update: command({
    on: instance,
    can: 'user.manage',
    input: {
      /** Id or username of the user to change. */
      user: IdOrName,
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
      return summarize(await findUser(ctx, id))
    },
  }),
}
