import { type AccessRequest, type ApprovedRequest, features } from '@forgelet/core/operations'
import { DateTime, Integer, NullableDate } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const { accessRequests } = features

/** Specification 1, "Access request". */
const AccessRequestWire = wire<AccessRequest>('AccessRequest')({
  ...UserSummaryWire.fields,
  created_at: DateTime,
  requested_at: DateTime,
})

/** A new member: `access_level` and `expires_at` instead of `requested_at`. */
const ApprovedRequestWire = wire<ApprovedRequest>('ApprovedRequest')({
  ...UserSummaryWire.fields,
  created_at: DateTime,
  access_level: Integer,
  expires_at: NullableDate,
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
  route(`DELETE /${base}/:id/access_requests/:user_id`, accessRequests.remove, empty(), {
    ...userOptions,
  }),
])
