import { type AccessRequest, type ApprovedRequest, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const { accessRequests } = features

/** Specification 1, "Access request". */
const AccessRequestWire = wire<AccessRequest>()({
  ...UserSummaryWire.fields,
  created_at: v.string(),
  requested_at: v.string(),
})

/** A new member: `access_level` and `expires_at` instead of `requested_at`. */
const ApprovedRequestWire = wire<ApprovedRequest>()({
  ...UserSummaryWire.fields,
  created_at: v.string(),
  access_level: v.number(),
  expires_at: v.nullable(v.string()),
})

const userOptions = { names: { user_id: 'user' }, numericOnly: ['user_id'] } satisfies RouteOptions

export const accessRequestRoutes = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/access_requests`, accessRequests.list, page(AccessRequestWire)),
  route(`POST /${base}/:id/access_requests`, accessRequests.create, one(AccessRequestWire)),
  route(
    `PUT /${base}/:id/access_requests/:user_id/approve`,
    accessRequests.approve,
    one(ApprovedRequestWire),
    userOptions,
  ),
  route(`DELETE /${base}/:id/access_requests/:user_id`, accessRequests.remove, empty(), userOptions),
])
