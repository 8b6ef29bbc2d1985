import { features, type ProtectedBranch, type ProtectedTag, type ReferenceGrant } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { list, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { protectedBranches, protectedTags } = features

/** Who may do something with a protected branch or tag. */
const ReferenceGrantWire = wire<ReferenceGrant>('ReferenceGrant')({
  id: Integer,
  access_level: NullableInteger,
  access_level_description: v.string(),
  user_id: NullableInteger,
  group_id: NullableInteger,
})

const ProtectedBranchWire = wire<ProtectedBranch>('ProtectedBranch')({
  id: Integer,
  name: v.string(),
  push_access_levels: list(ReferenceGrantWire),
  merge_access_levels: list(ReferenceGrantWire),
  unprotect_access_levels: list(ReferenceGrantWire),
  allow_force_push: v.boolean(),
  code_owner_approval_required: v.boolean(),
})

const ProtectedTagWire = wire<ProtectedTag>('ProtectedTag')({
  name: v.string(),
  create_access_levels: list(ReferenceGrantWire),
})

const options = { extension: true, errors: [422] } satisfies RouteOptions
const branches = '/projects/:id/protected_branches'
const tags = '/projects/:id/protected_tags'

export const protectedReferenceRoutes = [
  route(`GET ${branches}`, protectedBranches.list, page(ProtectedBranchWire), { extension: true }),
  route(`POST ${branches}`, protectedBranches.create, one(ProtectedBranchWire), options),
  route(`GET ${branches}/:name`, protectedBranches.get, one(ProtectedBranchWire), { extension: true }),
  route(`PATCH ${branches}/:name`, protectedBranches.update, one(ProtectedBranchWire), options),
  route(`DELETE ${branches}/:name`, protectedBranches.remove, empty(), { extension: true }),
  route(`GET ${tags}`, protectedTags.list, page(ProtectedTagWire), { extension: true }),
  route(`POST ${tags}`, protectedTags.create, one(ProtectedTagWire), options),
  route(`GET ${tags}/:name`, protectedTags.get, one(ProtectedTagWire), { extension: true }),
  route(`DELETE ${tags}/:name`, protectedTags.remove, empty(), { extension: true }),
]
