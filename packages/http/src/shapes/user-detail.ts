import type { UserDetail } from '@forgelet/core/operations'
import * as v from 'valibot'
import {
  DateTime,
  Integer,
  NullableDate,
  NullableDateTime,
  NullableInteger,
  NullableText,
} from '../reply/field-types.ts'
import { computed, list, nullable, optional, wire } from '../reply/wire.ts'
import { CustomAttributeWire } from './custom-attribute.ts'
import { UserProfileWire, UserSummaryWire } from './user.ts'

/** The account of a user at an identity provider. */
const IdentityWire = wire<UserDetail['identities'][number]>('UserIdentity')({
  provider: v.string(),
  extern_uid: v.string(),
  saml_provider_id: NullableInteger,
})

/** The full user detail of specification 2, "SSH key record". It does not reveal administrators. */
export const UserDetailWire = wire<UserDetail>('UserDetail')({
  ...UserProfileWire.fields,
  created_at: DateTime,
  last_sign_in_at: NullableDateTime,
  confirmed_at: DateTime,
  last_activity_on: NullableDate,
  email: v.string(),
  commit_email: v.string(),
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

/** All details of a user, for the user and administrators; the fields after `namespace_id` for administrators. */
export const ManagedUserWire = wire<UserDetail>('ManagedUser')({
  ...UserDetailWire.fields,
  /** Whether the user is an administrator. */
  is_admin: computed(v.boolean(), ({ admin }: UserDetail) => admin),
  namespace_id: NullableInteger,
  note: v.optional(v.string()),
  current_sign_in_ip: v.optional(NullableText),
  last_sign_in_ip: v.optional(NullableText),
  created_by: optional(nullable(UserSummaryWire)),
  /** Whether the user counts for a license: active, and no bot. */
  using_license_seat: computed(v.optional(v.boolean()), ({ note, state, bot }: UserDetail) =>
    note === undefined ? undefined : state === 'active' && !bot,
  ),
  /** Always false: there are no auditors. */
  is_auditor: computed(v.optional(v.boolean()), ({ note }: UserDetail) => (note === undefined ? undefined : false)),
  /** Always null: users are not asked to change their address. */
  email_reset_offered_at: computed(v.optional(v.null()), ({ note }: UserDetail) =>
    note === undefined ? undefined : null,
  ),
  custom_attributes: optional(list(CustomAttributeWire)),
})
