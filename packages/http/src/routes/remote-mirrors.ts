import { features, type PullMirror, type RemoteMirror } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDateTime, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { pullMirrors, remoteMirrors } = features

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

/** The repository from which a project is updated. Credentials are never returned. */
const PullMirrorWire = wire<PullMirror>('PullMirror')({
  id: Integer,
  enabled: v.boolean(),
  url: NullableText,
  update_status: v.string(),
  last_error: NullableText,
  last_update_at: NullableDateTime,
  last_update_started_at: NullableDateTime,
  last_successful_update_at: NullableDateTime,
  next_update_at: NullableDateTime,
  mirror_trigger_builds: v.boolean(),
  only_mirror_protected_branches: v.nullable(v.boolean()),
  mirror_branch_regex: NullableText,
  mirror_overwrites_diverged_branches: v.boolean(),
})

const base = '/projects/:id/remote_mirrors'
const mirrorOptions = { names: { mirror_id: 'mirror' } } satisfies RouteOptions
/** Not in the specification; clients offer these operations. */
const mirrorExtensionOptions = { ...mirrorOptions, extension: true } satisfies RouteOptions

const extension = { extension: true } satisfies RouteOptions

export const remoteMirrorRoutes = [
  route(`GET ${base}`, remoteMirrors.list, page(RemoteMirrorWire)),
  route(`POST ${base}`, remoteMirrors.create, one(RemoteMirrorWire)),
  route(`PUT ${base}/:mirror_id`, remoteMirrors.update, one(RemoteMirrorWire), mirrorOptions),
  route(`GET ${base}/:mirror_id`, remoteMirrors.get, one(RemoteMirrorWire), mirrorExtensionOptions),
  route(`DELETE ${base}/:mirror_id`, remoteMirrors.remove, empty(), {
    ...mirrorExtensionOptions,
  }),
  route(`POST ${base}/:mirror_id/sync`, remoteMirrors.sync, empty(), mirrorExtensionOptions),
  route('GET /projects/:id/mirror/pull', pullMirrors.get, one(PullMirrorWire), extension),
  route('PUT /projects/:id/mirror/pull', pullMirrors.update, one(PullMirrorWire), extension),
  route('POST /projects/:id/mirror/pull', pullMirrors.sync, one(PullMirrorWire), { ...extension, creates: false }),
]
