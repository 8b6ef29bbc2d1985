import type { UserDetail } from '@forgelet/core/operations'
import * as v from 'valibot'
import { list, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

const IdentityWire = wire<UserDetail['identities'][number]>()({
  provider: v.string(),
  extern_uid: v.string(),
  saml_provider_id: v.nullable(v.number()),
})

/** The full user detail of specification 2, "SSH key record". It does not reveal administrators. */
export const UserDetailWire = wire<UserDetail>()({
  ...UserSummaryWire.fields,
  created_at: v.string(),
  bio: v.string(),
  location: v.string(),
  public_email: v.string(),
  skype: v.string(),
  linkedin: v.string(),
  twitter: v.string(),
  website_url: v.string(),
  organization: v.string(),
  last_sign_in_at: v.nullable(v.string()),
  confirmed_at: v.string(),
  last_activity_on: v.nullable(v.string()),
  email: v.string(),
  theme_id: v.number(),
  color_scheme_id: v.number(),
  projects_limit: v.number(),
  current_sign_in_at: v.nullable(v.string()),
  identities: list(IdentityWire),
  can_create_group: v.boolean(),
  can_create_project: v.boolean(),
  two_factor_enabled: v.boolean(),
  external: v.boolean(),
  private_profile: v.boolean(),
  shared_runners_minutes_limit: v.nullable(v.number()),
  extra_shared_runners_minutes_limit: v.nullable(v.number()),
})
