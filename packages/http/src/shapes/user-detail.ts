import type { UserDetail } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableDateTime, NullableInteger } from '../reply/field-types.ts'
import { computed, list, optional, wire } from '../reply/wire.ts'
import { CustomAttributeWire } from './custom-attribute.ts'
import { UserSummaryWire } from './user.ts'

/** The account of a user at an identity provider. */
const IdentityWire = wire<UserDetail['identities'][number]>('UserIdentity')({
  provider: v.string(),
  extern_uid: v.string(),
  saml_provider_id: NullableInteger,
})

/** The full user detail of specification 2, "SSH key record". It does not reveal administrators. */
export const UserDetailWire = wire<UserDetail>('UserDetail')({
  ...UserSummaryWire.fields,
  created_at: DateTime,
  bio: v.string(),
  location: v.string(),
  public_email: v.string(),
  skype: v.string(),
  linkedin: v.string(),
  twitter: v.string(),
  website_url: v.string(),
  organization: v.string(),
  last_sign_in_at: NullableDateTime,
  confirmed_at: DateTime,
  last_activity_on: NullableDate,
  email: v.string(),
  theme_id: Integer,
  color_scheme_id: Integer,
  projects_limit: Integer,
  current_sign_in_at: NullableDateTime,
  identities: list(IdentityWire),
  can_create_group: v.boolean(),
  can_create_project: v.boolean(),
  two_factor_enabled: v.boolean(),
  external: v.boolean(),
  private_profile: v.boolean(),
  shared_runners_minutes_limit: NullableInteger,
  extra_shared_runners_minutes_limit: NullableInteger,
})

/** All details of a user, for administrators and the user. */
export const ManagedUserWire = wire<UserDetail>('ManagedUser')({
  ...UserDetailWire.fields,
  bot: v.boolean(),
  /** Whether the user is an administrator. */
  is_admin: computed(v.boolean(), ({ admin }: UserDetail) => admin),
  custom_attributes: optional(list(CustomAttributeWire)),
})
