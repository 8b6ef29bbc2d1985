import { type AddMembersResult, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, oneOrElse, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { MemberWire } from '../shapes/member.ts'

const { members } = features

const userOptions = { names: { user_id: 'user' }, numericOnly: ['user_id'] } satisfies RouteOptions

type BulkAddResult = Extract<AddMembersResult, { member: null }>

/** The result for several users, with an error for each user that was not added. */
const BulkAddResultWire = wire<BulkAddResult>('AddMembersResult')({
  status: v.picklist(['success', 'error']),
  /** Errors by username; absent if all users were added. */
  message: computed(v.optional(v.record(v.string(), v.string())), ({ status, errors }: BulkAddResult) =>
    status === 'error' ? { ...errors } : undefined,
  ),
})

const memberOrBulkResult = oneOrElse('member', MemberWire, {
  status: 200,
  description: 'Several users were specified',
  shape: BulkAddResultWire,
})

const sharedRoutes = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/members`, members.list, page(MemberWire)),
  route(`GET /${base}/:id/members/all`, members.listAll, page(MemberWire)),
  route(`GET /${base}/:id/members/:user_id`, members.get, one(MemberWire), userOptions),
  route(`GET /${base}/:id/members/all/:user_id`, members.getAll, one(MemberWire), userOptions),
  route(`POST /${base}/:id/members`, members.addSeveral, memberOrBulkResult, { names: { user_id: 'users' } }),
  route(`PUT /${base}/:id/members/:user_id`, members.update, one(MemberWire), userOptions),
  route(`DELETE /${base}/:id/members/:user_id`, members.remove, empty(), userOptions),
])

export const memberRoutes = [
  ...sharedRoutes,
  route('POST /groups/:id/members/:user_id/override', members.setOverride, one(MemberWire), userOptions),
  route('DELETE /groups/:id/members/:user_id/override', members.removeOverride, one(MemberWire), userOptions),
]
