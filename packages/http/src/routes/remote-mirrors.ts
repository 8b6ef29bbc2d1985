import { features, type RemoteMirror } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDateTime, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { remoteMirrors } = features

/** Specification 2, "Remote mirror". Credentials are never returned. */
const RemoteMirrorWire = wire<RemoteMirror>('RemoteMirror')({
  id: Integer,
  enabled: v.boolean(),
  url: v.string(),
  update_status: v.string(),
  last_update_at: NullableDateTime,
  last_update_started_at: NullableDateTime,
  last_successful_update_at: NullableDateTime,
  last_error: NullableText,
  only_protected_branches: v.boolean(),
  keep_divergent_refs: v.boolean(),
  mirror_branch_regex: NullableText,
  /** Always `password`: mirrors have no keys of their own. */
  auth_method: computed(v.literal('password'), () => 'password' as const),
})

const base = '/projects/:id/remote_mirrors'
const mirrorOptions = { names: { mirror_id: 'mirror' } } satisfies RouteOptions
/** Not in the specification; clients offer these operations. */
const mirrorExtensionOptions = { ...mirrorOptions, extension: true } satisfies RouteOptions

export const remoteMirrorRoutes = [
  route(`GET ${base}`, remoteMirrors.list, page(RemoteMirrorWire)),
  route(`POST ${base}`, remoteMirrors.create, one(RemoteMirrorWire)),
  route(`PUT ${base}/:mirror_id`, remoteMirrors.update, one(RemoteMirrorWire), mirrorOptions),
  route(`GET ${base}/:mirror_id`, remoteMirrors.get, one(RemoteMirrorWire), mirrorExtensionOptions),
  route(`DELETE ${base}/:mirror_id`, remoteMirrors.remove, empty(), {
    ...mirrorExtensionOptions,
  }),
  route(`POST ${base}/:mirror_id/sync`, remoteMirrors.sync, empty(), mirrorExtensionOptions),
]
