import { features, type ProtectedTag } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { list, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ProtectedBranchWire, ReferenceGrantWire } from '../shapes/protected-branch.ts'

const { protectedBranches, protectedTags } = features

const ProtectedTagWire = wire<ProtectedTag>('ProtectedTag')({
  name: v.string(),
  create_access_levels: list(ReferenceGrantWire),
})

const options = { extension: true, errors: [422] } satisfies RouteOptions
const tags = '/projects/:id/protected_tags'

export const protectedReferenceRoutes = [
  ...(['/projects/:id/protected_branches', '/groups/:id/protected_branches'] as const).flatMap((branches) => [
    route(`GET ${branches}`, protectedBranches.list, page(ProtectedBranchWire), { extension: true }),
    route(`POST ${branches}`, protectedBranches.create, one(ProtectedBranchWire), options),
    route(`GET ${branches}/:name`, protectedBranches.get, one(ProtectedBranchWire), { extension: true }),
    route(`PATCH ${branches}/:name`, protectedBranches.update, one(ProtectedBranchWire), options),
    route(`DELETE ${branches}/:name`, protectedBranches.remove, empty(), { extension: true }),
  ]),
  route(`GET ${tags}`, protectedTags.list, page(ProtectedTagWire), { extension: true }),
  route(`POST ${tags}`, protectedTags.create, one(ProtectedTagWire), options),
  route(`GET ${tags}/:name`, protectedTags.get, one(ProtectedTagWire), { extension: true }),
  route(`DELETE ${tags}/:name`, protectedTags.remove, empty(), { extension: true }),
]
