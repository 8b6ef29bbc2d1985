import type { UserProfile, UserSummary } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText, Url } from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { avatarUrlField } from './avatar-url.ts'

const webUrlField = computed(Url, ({ username }: UserSummary, site: Site) => `${site.url}/${username}`)

/** A user as author, assignee or member. */
export const UserSummaryWire = wire<UserSummary>('UserSummary')({
  id: Integer,
  username: v.string(),
  public_email: v.string(),
  name: v.string(),
  state: v.string(),
  /** Always false: too many attempts to sign in are refused for a while, and lock no account. */
  locked: computed(v.boolean(), () => false),
  avatar_url: avatarUrlField,
  /** URL of the user's page. */
  web_url: webUrlField,
})

const formatWork = ({ jobTitle, organization }: UserProfile) =>
  jobTitle && organization ? `${jobTitle} at ${organization}` : jobTitle || organization || null

/** The profile of a user, for all users. */
export const UserProfileWire = wire<UserProfile>('UserProfile')({
  ...UserSummaryWire.fields,
  created_at: v.optional(DateTime),
  bio: v.string(),
  location: v.string(),
  skype: v.string(),
  linkedin: v.string(),
  twitter: v.string(),
  discord: v.string(),
  github: v.string(),
  website_url: v.string(),
  organization: v.string(),
  job_title: v.string(),
  pronouns: v.string(),
  bot: v.boolean(),
  /** The role and the organization; null without both. */
  work_information: computed(NullableText, formatWork),
  followers: v.optional(Integer),
  following: v.optional(Integer),
  is_followed: v.optional(v.boolean()),
  /** Always null: users have no time zone. */
  local_time: computed(v.null(), () => null),
})
