import type { User, UserSummary } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'

const webUrlField = computed(v.string(), ({ username }: UserSummary, site: Site) => `${site.url}/${username}`)

/** A user as author, assignee or member. */
export const UserSummaryWire = wire<UserSummary>('UserSummary')({
  id: Integer,
  name: v.string(),
  username: v.string(),
  state: v.string(),
  avatar_url: NullableText,
  web_url: webUrlField,
})

/** All fields, for the user and for administrators. */
export const UserWire = wire<User>('User')({
  ...UserSummaryWire.fields,
  created_at: DateTime,
  email: v.string(),
  commit_email: computed(v.string(), ({ email }: User) => email),
  external: v.boolean(),
  private_profile: v.boolean(),
  is_admin: computed(v.boolean(), ({ admin }: User) => admin),
})
