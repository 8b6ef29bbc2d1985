import {
  type CreatedScimToken,
  features,
  type ScimIdentity,
  type ScimToken,
  type SsoProvider,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

/** Single sign-on of a group. */
const SsoProviderWire = wire<SsoProvider>('SsoProvider')({
  id: Integer,
  group_id: Integer,
  name: v.string(),
  enabled: v.boolean(),
  created_at: DateTime,
})

const tokenFields = { id: Integer, group_id: Integer, created_at: DateTime }

/** A token of the SCIM API, without its secret. */
const ScimTokenWire = wire<ScimToken>('ScimToken')(tokenFields)

/** A new token of the SCIM API, with its secret. */
const NewScimTokenWire = wire<CreatedScimToken>('NewScimToken')({
  ...tokenFields,
  /** The secret, which no other response contains. */
  token: computed(v.string(), ({ secret }: CreatedScimToken) => secret),
})

const identityFields = { extern_uid: v.string(), user_id: Integer }

/** Who a user is for the identity provider of a group. */
const SamlIdentityWire = wire<ScimIdentity>('GroupSamlIdentity')(identityFields)

/** The same, also of users whom the provider has removed. */
const ScimIdentityWire = wire<ScimIdentity>('GroupScimIdentity')({ ...identityFields, active: v.boolean() })

const { sso } = features

const extension = { extension: true } as const
const tokens = '/groups/:id/sso/scim_tokens'
const tokenOptions = { ...extension, names: { token_id: 'token' } } satisfies RouteOptions
const uidOptions = { ...extension, names: { uid: 'externalUid' } } satisfies RouteOptions
const updateOptions = {
  ...extension,
  names: { uid: 'externalUid', extern_uid: 'newExternalUid' },
} satisfies RouteOptions
const unlinkOptions = { ...uidOptions, hidden: ['user'] } satisfies RouteOptions

export const ssoRoutes = [
  route('GET /groups/:id/sso', sso.get, one(SsoProviderWire), extension),
  route('PUT /groups/:id/sso', sso.enable, one(SsoProviderWire), extension),
  route('DELETE /groups/:id/sso', sso.disable, one(SsoProviderWire), extension),
  route(`GET ${tokens}`, sso.listTokens, page(ScimTokenWire), extension),
  route(`POST ${tokens}`, sso.createToken, one(NewScimTokenWire), { ...extension, hidden: ['secret'] }),
  route(`POST ${tokens}/:token_id/rotate`, sso.rotateToken, one(NewScimTokenWire), { ...tokenOptions, creates: false }),
  route(`DELETE ${tokens}/:token_id`, sso.revokeToken, empty(), tokenOptions),
  route('GET /groups/:id/saml/identities', sso.listIdentities, page(SamlIdentityWire), {
    ...extension,
    fixedInput: { active: true },
  }),
  route('GET /groups/:id/saml/:uid', sso.getIdentity, one(SamlIdentityWire), uidOptions),
  route('PATCH /groups/:id/saml/:uid', sso.updateIdentity, one(SamlIdentityWire), updateOptions),
  route('DELETE /groups/:id/saml/:uid', sso.unlinkIdentity, empty(), unlinkOptions),
  route('GET /groups/:id/scim/identities', sso.listIdentities, page(ScimIdentityWire), {
    ...extension,
    hidden: ['active'],
  }),
  route('GET /groups/:id/scim/:uid', sso.getIdentity, one(ScimIdentityWire), uidOptions),
  route('PATCH /groups/:id/scim/:uid', sso.updateIdentity, one(ScimIdentityWire), updateOptions),
  route('DELETE /groups/:id/scim/:uid', sso.unlinkIdentity, empty(), unlinkOptions),
]
