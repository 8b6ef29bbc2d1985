import type { Member } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate } from '../reply/field-types.ts'
import { computed, nullable, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

const SamlIdentity = v.object({ extern_uid: v.string(), provider: v.string(), saml_provider_id: Integer })

/** Specification 1, "Member". `override` only for members of groups with directory synchronization. */
export const MemberWire = wire<Member>('Member')({
  ...UserSummaryWire.fields,
  access_level: Integer,
  created_at: DateTime,
  created_by: nullable(UserSummaryWire),
  expires_at: NullableDate,
  /** Always `active`: members do not wait for an approval. */
  membership_state: computed(v.literal('active'), () => 'active' as const),
  override: v.optional(v.boolean()),
  is_using_seat: v.optional(v.boolean()),
  group_saml_identity: computed(v.optional(v.nullable(SamlIdentity)), ({ groupSamlIdentity: identity }: Member) =>
    identity
      ? {
          extern_uid: identity.externUid,
          provider: identity.provider,
          saml_provider_id: identity.samlProviderId,
        }
      : identity,
  ),
})
