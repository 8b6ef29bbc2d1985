import { features, type Joined, type Member } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { empty, one, orElse, page } from '../send.ts'
import { UserSummaryWire } from '../shapes/user.ts'
import { computed, wire } from '../wire.ts'

const { members } = features

const SamlIdentity = v.object({ extern_uid: v.string(), provider: v.string(), saml_provider_id: v.number() })

/** Specification 1, "Member". `override` is there only for members of groups that a directory keeps in step. */
const MemberWire = wire<Member>()({
  ...UserSummaryWire.fields,
  access_level: v.number(),
  expires_at: v.nullable(v.string()),
  override: v.optional(v.boolean()),
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

const ofUser = { names: { user_id: 'user' }, ids: ['user_id'] } as const

type Several = Extract<Joined, { member: null }>

/** Several users at once: who of them did not become a member, and why. */
const SeveralWire = wire<Several>()({
  status: v.picklist(['success', 'error']),
  message: computed(v.optional(v.record(v.string(), v.string())), ({ status, refused }: Several) =>
    status === 'error' ? { ...refused } : undefined,
  ),
})

const joined = orElse('member', MemberWire, { status: 200, says: 'Several users were named', shape: SeveralWire })

/** The same calls for both: `:id` is the group or the project. */
const common = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/members`, members.list, page(MemberWire)),
  route(`GET /${base}/:id/members/all`, members.listAll, page(MemberWire)),
  route(`GET /${base}/:id/members/:user_id`, members.get, one(MemberWire), ofUser),
  route(`GET /${base}/:id/members/all/:user_id`, members.getAll, one(MemberWire), ofUser),
  route(`POST /${base}/:id/members`, members.addSeveral, joined, { names: { user_id: 'users' } }),
  route(`PUT /${base}/:id/members/:user_id`, members.update, one(MemberWire), ofUser),
  route(`DELETE /${base}/:id/members/:user_id`, members.remove, empty(), ofUser),
])

export const memberRoutes = [
  ...common,
  route('POST /groups/:id/members/:user_id/override', members.setOverride, one(MemberWire), ofUser),
  route('DELETE /groups/:id/members/:user_id/override', members.removeOverride, one(MemberWire), ofUser),
]
