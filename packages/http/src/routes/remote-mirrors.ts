import { features, type RemoteMirror } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { empty, one, page } from '../send.ts'
import { wire } from '../wire.ts'

const { remoteMirrors } = features

/** Specification 2, "Remote mirror". What opens it is in no answer. */
const RemoteMirrorWire = wire<RemoteMirror>()({
  id: v.number(),
  enabled: v.boolean(),
  url: v.string(),
  update_status: v.string(),
  last_update_at: v.nullable(v.string()),
  last_update_started_at: v.nullable(v.string()),
  last_successful_update_at: v.nullable(v.string()),
  last_error: v.nullable(v.string()),
  only_protected_branches: v.boolean(),
  keep_divergent_refs: v.boolean(),
})

const base = '/projects/:id/remote_mirrors'
const named = { names: { mirror_id: 'mirror' } } as const
/** Clients offer it, and what was made has to go again. */
const besides = { ...named, extension: true } as const

export const remoteMirrorRoutes = [
  route(`GET ${base}`, remoteMirrors.list, page(RemoteMirrorWire)),
  route(`POST ${base}`, remoteMirrors.create, one(RemoteMirrorWire)),
  route(`PUT ${base}/:mirror_id`, remoteMirrors.update, one(RemoteMirrorWire), named),
  route(`GET ${base}/:mirror_id`, remoteMirrors.get, one(RemoteMirrorWire), besides),
  route(`DELETE ${base}/:mirror_id`, remoteMirrors.remove, empty(), besides),
  route(`POST ${base}/:mirror_id/sync`, remoteMirrors.sync, empty(), besides),
]
