import {
  type EmailAddress,
  features,
  type GpgKey,
  hasDetails,
  requireDetails,
  type ShownUser,
  type UserActivity,
  type UserAssociations,
  type UserMembership,
  type UserPreferences,
  type UserStatus,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateOnly, DateTime, Integer, NullableDateTime } from '../reply/field-types.ts'
import {
  accepted,
  decided,
  empty,
  mapped,
  one,
  oneIfChanged,
  oneOrElse,
  page,
  pageWithDetails,
  succeeded,
} from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { PublicKeyWire } from '../shapes/key.ts'
import { UserProfileWire, UserSummaryWire } from '../shapes/user.ts'
import { ManagedUserWire } from '../shapes/user-detail.ts'
import { avatarOptions, readEmptyAvatar } from './avatars.ts'

const { emails, gpgKeys, identities, keys, users, userStatuses } = features

const extension = { extension: true } satisfies RouteOptions
const userOptions = { ...extension, names: { id: 'user' }, numericOnly: ['id'] } satisfies RouteOptions
const keyOptions = { ...extension, names: { key_id: 'key' } } satisfies RouteOptions

/** Sent by the host or its sign-in, and not a part of the API. */
const accountOptions = {
  ...avatarOptions,
  hidden: ['avatarUrl', 'lastSignInAt', 'currentSignInAt', 'confirmedAt', 'lastActivityOn'],
  rewrite: readEmptyAvatar,
}

const managementRoutes = [
  route('POST /users', users.create, one(ManagedUserWire), {
    ...extension,
    ...accountOptions,
    hidden: [...accountOptions.hidden, 'bot', 'pendingApproval'],
  }),
  route('PUT /users/:id', users.update, one(ManagedUserWire), { ...userOptions, ...accountOptions }),
  route('DELETE /users/:id', users.remove, empty(), userOptions),
  route('POST /users/:id/block', users.block, succeeded(), userOptions),
  route('POST /users/:id/unblock', users.unblock, succeeded(), userOptions),
  route('POST /users/:id/ban', users.ban, succeeded(), userOptions),
  route('POST /users/:id/unban', users.unban, succeeded(), userOptions),
  route('POST /users/:id/deactivate', users.deactivate, succeeded(), userOptions),
  route('POST /users/:id/activate', users.activate, succeeded(), userOptions),
  route('POST /users/:id/approve', users.approve, decided(), userOptions),
  route('POST /users/:id/reject', users.reject, decided(), userOptions),
  route('PATCH /users/:id/disable_two_factor', users.disableTwoFactor, empty(), userOptions),
  route('DELETE /users/:id/identities/:provider', identities.unlink, empty(), userOptions),
]

const keyRoutes = [
  route('GET /user/keys', keys.list, page(PublicKeyWire), extension),
  route('POST /user/keys', keys.create, one(PublicKeyWire), extension),
  route('GET /user/keys/:key_id', keys.get, one(PublicKeyWire), keyOptions),
  route('DELETE /user/keys/:key_id', keys.remove, empty(), keyOptions),
  route('GET /users/:id/keys', keys.list, page(PublicKeyWire), { ...extension, names: { id: 'user' } }),
  route('POST /users/:id/keys', keys.create, one(PublicKeyWire), userOptions),
  route('GET /users/:id/keys/:key_id', keys.get, one(PublicKeyWire), {
    ...extension,
    names: { id: 'user', key_id: 'key' },
  }),
  route('DELETE /users/:id/keys/:key_id', keys.remove, empty(), {
    ...userOptions,
    names: { id: 'user', key_id: 'key' },
  }),
]

/** A public OpenPGP key. */
const GpgKeyWire = wire<GpgKey>('GpgKey')({
  id: Integer,
  key: v.string(),
  created_at: DateTime,
})

const gpgKeyOfUserOptions = { ...userOptions, names: { id: 'user', key_id: 'key' } } satisfies RouteOptions

const gpgKeyRoutes = [
  route('GET /user/gpg_keys', gpgKeys.list, page(GpgKeyWire), extension),
  route('POST /user/gpg_keys', gpgKeys.create, one(GpgKeyWire), extension),
  route('GET /user/gpg_keys/:key_id', gpgKeys.get, one(GpgKeyWire), keyOptions),
  route('DELETE /user/gpg_keys/:key_id', gpgKeys.remove, empty(), keyOptions),
  route('POST /user/gpg_keys/:key_id/revoke', gpgKeys.revoke, accepted(), keyOptions),
  route('GET /users/:id/gpg_keys', gpgKeys.list, page(GpgKeyWire), userOptions),
  route('POST /users/:id/gpg_keys', gpgKeys.create, one(GpgKeyWire), userOptions),
  route('GET /users/:id/gpg_keys/:key_id', gpgKeys.get, one(GpgKeyWire), gpgKeyOfUserOptions),
  route('DELETE /users/:id/gpg_keys/:key_id', gpgKeys.remove, empty(), gpgKeyOfUserOptions),
  route('POST /users/:id/gpg_keys/:key_id/revoke', gpgKeys.revoke, accepted(), gpgKeyOfUserOptions),
]

/** An address in addition to the primary one. */
const EmailAddressWire = wire<EmailAddress>('EmailAddress')({
  id: Integer,
  email: v.string(),
  confirmed_at: NullableDateTime,
})

const emailRoutes = [
  route('GET /user/emails', emails.list, page(EmailAddressWire), extension),
  route('POST /user/emails', emails.create, one(EmailAddressWire), {
    ...extension,
    hidden: ['skipConfirmation'],
  }),
  route('GET /user/emails/:email_id', emails.get, one(EmailAddressWire), extension),
  route('DELETE /user/emails/:email_id', emails.remove, empty(), extension),
  route('GET /users/:id/emails', emails.list, page(EmailAddressWire), userOptions),
  route('POST /users/:id/emails', emails.create, one(EmailAddressWire), userOptions),
  route('GET /users/:id/emails/:email_id', emails.get, one(EmailAddressWire), userOptions),
  route('DELETE /users/:id/emails/:email_id', emails.remove, empty(), userOptions),
]

/** What a user says about the current situation. */
const UserStatusWire = wire<UserStatus>('UserStatus')({
  emoji: v.string(),
  message: v.string(),
  availability: v.string(),
  message_html: v.string(),
  clear_status_at: NullableDateTime,
})

const statusRoutes = [
  route('GET /user/status', userStatuses.get, one(UserStatusWire), extension),
  route('PUT /user/status', userStatuses.set, one(UserStatusWire), extension),
  route('PATCH /user/status', userStatuses.update, one(UserStatusWire), extension),
  route('GET /users/:id/status', userStatuses.get, one(UserStatusWire), { ...extension, names: { id: 'user' } }),
]

/** When a user was last active. */
const UserActivityWire = wire<UserActivity>('UserActivity')({
  username: v.string(),
  last_activity_on: DateOnly,
  /** Older name of `last_activity_on`. */
  last_activity_at: computed(DateOnly, ({ lastActivityOn }: UserActivity) => lastActivityOn),
})

/** A project or a group of which a user is a member. */
const UserMembershipWire = wire<UserMembership>('UserMembership')({
  source_id: Integer,
  source_name: v.string(),
  source_type: v.string(),
  access_level: Integer,
})

/** Numbers of objects that belong to a user. */
const UserAssociationsWire = wire<UserAssociations>('UserAssociations')({
  groups_count: Integer,
  projects_count: Integer,
  issues_count: Integer,
  merge_requests_count: Integer,
})

/** Choices of a user for clients. */
const UserPreferencesWire = wire<UserPreferences>('UserPreferences')({
  /** Id of the user: a user has preferences once. */
  id: computed(Integer, ({ userId }: UserPreferences) => userId),
  user_id: Integer,
  view_diffs_file_by_file: v.boolean(),
  show_whitespace_in_diffs: v.boolean(),
  pass_user_identities_to_ci_jwt: v.boolean(),
})

const preferenceRoutes = [
  route('GET /user/preferences', users.getPreferences, one(UserPreferencesWire), extension),
  route('PUT /user/preferences', users.updatePreferences, one(UserPreferencesWire), extension),
]

const followRoutes = [
  route('POST /users/:id/follow', users.follow, oneIfChanged('user', UserSummaryWire), userOptions),
  route('POST /users/:id/unfollow', users.unfollow, oneIfChanged('user', UserSummaryWire), userOptions),
  route('GET /users/:id/followers', users.listFollowers, page(UserSummaryWire), userOptions),
  route('GET /users/:id/following', users.listFollowing, page(UserSummaryWire), userOptions),
]

const activityRoutes = [
  route('GET /user/activities', users.listActivities, page(UserActivityWire), extension),
  route('GET /users/:id/memberships', users.listMemberships, page(UserMembershipWire), userOptions),
  route('GET /users/:id/associations_count', users.countAssociations, one(UserAssociationsWire), userOptions),
]

export const userRoutes = [
  route('GET /user', users.get, mapped(requireDetails, one(ManagedUserWire)), {
    ...extension,
    hidden: ['user', 'withCustomAttributes'],
  }),
  route('GET /users', users.list, pageWithDetails(UserSummaryWire, ManagedUserWire, hasDetails), extension),
  route(
    'GET /users/:id',
    users.get,
    mapped(
      (user: ShownUser) => (hasDetails(user) ? { details: user } : { ...user, details: null }),
      oneOrElse('details', ManagedUserWire, {
        status: 200,
        description: 'The caller is neither an administrator nor the user',
        shape: UserProfileWire,
      }),
    ),
    userOptions,
  ),
  ...managementRoutes,
  ...keyRoutes,
  ...gpgKeyRoutes,
  ...emailRoutes,
  ...statusRoutes,
  ...activityRoutes,
  ...preferenceRoutes,
  ...followRoutes,
]
