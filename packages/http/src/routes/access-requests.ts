import { type AccessRequest, type ApprovedRequest, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { empty, one, page } from '../send.ts'
import { UserSummaryWire } from '../shapes/user.ts'
import { wire } from '../wire.ts'

const { accessRequests } = features

/** Specification 1, "Access request". */
const AccessRequestWire = wire<AccessRequest>()({
  ...UserSummaryWire.fields,
  created_at: v.string(),
  requested_at: v.string(),
})

/** The level stands in place of the time of the request; the rest of the new member comes along. */
const ApprovedRequestWire = wire<ApprovedRequest>()({
  ...UserSummaryWire.fields,
  created_at: v.string(),
  access_level: v.number(),
  expires_at: v.nullable(v.string()),
})

const ofUser = { names: { user_id: 'user' }, ids: ['user_id'] } as const

export const accessRequestRoutes = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/access_requests`, accessRequests.list, page(AccessRequestWire)),
  route(`POST /${base}/:id/access_requests`, accessRequests.create, one(AccessRequestWire)),
  route(`PUT /${base}/:id/access_requests/:user_id/approve`, accessRequests.approve, one(ApprovedRequestWire), ofUser),
  route(`DELETE /${base}/:id/access_requests/:user_id`, accessRequests.remove, empty(), ofUser),
])
