import type { ListedUser, User, UserSummary } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, Url } from '../reply/field-types.ts'
import { computed, list, optional, type Site, wire } from '../reply/wire.ts'
import { avatarUrlField } from './avatar-url.ts'
import { CustomAttributeWire } from './custom-attribute.ts'

const webUrlField = computed(Url, ({ username }: UserSummary, site: Site) => `${site.url}/${username}`)

/** A user as author, assignee or member. */
export const UserSummaryWire = wire<UserSummary>('UserSummary')({
  id: Integer,
  name: v.string(),
  username: v.string(),
  state: v.string(),
  avatar_url: avatarUrlField,
  /** URL of the user's page. */
  web_url: webUrlField,
})

/** All fields, for the user and for administrators. */
export const UserWire = wire<User>('User')({
  ...UserSummaryWire.fields,
  created_at: DateTime,
  email: v.string(),
  /** Address that the platform writes into commits of the user. */
  commit_email: computed(v.string(), ({ email }: User) => email),
  external: v.boolean(),
  private_profile: v.boolean(),
  bot: v.boolean(),
  /** Whether the user is an administrator. */
  is_admin: computed(v.boolean(), ({ admin }: User) => admin),
})

/** A user in a list; the fields after `web_url` only for administrators. */
export const ListedUserWire = wire<ListedUser>('ListedUser')({
  ...UserSummaryWire.fields,
  created_at: v.optional(DateTime),
  email: v.optional(v.string()),
  external: v.optional(v.boolean()),
  private_profile: v.optional(v.boolean()),
  bot: v.optional(v.boolean()),
  /** Whether the user is an administrator. */
  is_admin: computed(v.optional(v.boolean()), ({ admin }: ListedUser) => admin),
  custom_attributes: optional(list(CustomAttributeWire)),
})
