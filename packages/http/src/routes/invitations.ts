import { features, type Invitation, type InvitationResult } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { invitations } = features

/** An e-mail address without a user that is invited to a project or a group. */
const InvitationWire = wire<Invitation>('Invitation')({
  id: Integer,
  invite_email: v.string(),
  created_at: DateTime,
  access_level: Integer,
  expires_at: NullableDate,
  created_by_name: NullableText,
  /** Name of the user with the address: null, because users become members at once. */
  user_name: computed(v.null(), () => null),
})

/** The result of inviting users and e-mail addresses. */
const InvitationResultWire = wire<InvitationResult>('InvitationResult')({
  status: v.picklist(['success', 'error']),
  /** Reasons of the rejections, by e-mail address or username; omitted if there are none. */
  message: computed(v.optional(v.record(v.string(), v.string())), ({ status, errors }: InvitationResult) =>
    status === 'error' ? { ...errors } : undefined,
  ),
})

const extension = { extension: true } satisfies RouteOptions

export const invitationRoutes = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/invitations`, invitations.list, page(InvitationWire), extension),
  route(`POST /${base}/:id/invitations`, invitations.create, one(InvitationResultWire), {
    ...extension,
    names: { email: 'emails', user_id: 'users' },
  }),
  route(`PUT /${base}/:id/invitations/:email`, invitations.update, one(InvitationWire), extension),
  route(`DELETE /${base}/:id/invitations/:email`, invitations.remove, empty(), extension),
])
