import { type BroadcastMessage, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { broadcastMessages } = features

/** A message to the users of the instance. */
const BroadcastMessageWire = wire<BroadcastMessage>('BroadcastMessage')({
  id: Integer,
  message: v.string(),
  starts_at: DateTime,
  ends_at: DateTime,
  active: v.boolean(),
  broadcast_type: v.string(),
  theme: v.string(),
  color: v.string(),
  font: v.string(),
  dismissable: v.boolean(),
  target_path: NullableText,
  /** Levels of the users who see it in projects and groups; empty for all users. */
  target_access_levels: computed(v.array(Integer), ({ targetAccessLevels }: BroadcastMessage) => [
    ...targetAccessLevels,
  ]),
})

const extension = { extension: true } satisfies RouteOptions
const messageOptions = { ...extension, names: { id: 'broadcastMessage' } } satisfies RouteOptions

export const broadcastMessageRoutes = [
  route('GET /broadcast_messages', broadcastMessages.list, page(BroadcastMessageWire), extension),
  route('POST /broadcast_messages', broadcastMessages.create, one(BroadcastMessageWire), extension),
  route('GET /broadcast_messages/:id', broadcastMessages.get, one(BroadcastMessageWire), messageOptions),
  route('PUT /broadcast_messages/:id', broadcastMessages.update, one(BroadcastMessageWire), messageOptions),
  route('DELETE /broadcast_messages/:id', broadcastMessages.remove, empty(), messageOptions),
]
