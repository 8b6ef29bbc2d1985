import { features } from '@forgelet/core/operations'
import { empty, one, oneOrElse, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { PublicKeyWire } from '../shapes/key.ts'
import { ListedUserWire, UserSummaryWire, UserWire } from '../shapes/user.ts'
import { ManagedUserWire } from '../shapes/user-detail.ts'

const { keys, profiles, users } = features

const extension = { extension: true } satisfies RouteOptions
const userOptions = { ...extension, names: { id: 'user' }, numericOnly: ['id'] } satisfies RouteOptions
const keyOptions = { ...extension, names: { key_id: 'key' } } satisfies RouteOptions

/** Sent by the host or its sign-in, and not a part of the API. */
const accountOptions = { hidden: ['avatarUrl', 'lastSignInAt', 'currentSignInAt', 'confirmedAt', 'lastActivityOn'] }

const managementRoutes = [
  route('POST /users', profiles.create, one(ManagedUserWire), { ...extension, ...accountOptions }),
  route('PUT /users/:id', profiles.update, one(ManagedUserWire), { ...userOptions, ...accountOptions }),
  route('DELETE /users/:id', users.remove, empty(), userOptions),
  route('POST /users/:id/block', users.block, one(UserWire), userOptions),
  route('POST /users/:id/unblock', users.unblock, one(UserWire), userOptions),
]

const keyRoutes = [
  route('GET /user/keys', keys.listOwn, page(PublicKeyWire), extension),
  route('POST /user/keys', keys.addOwn, one(PublicKeyWire), extension),
  route('GET /user/keys/:key_id', keys.getOwn, one(PublicKeyWire), keyOptions),
  route('DELETE /user/keys/:key_id', keys.removeOwn, empty(), keyOptions),
  route('GET /users/:id/keys', keys.list, page(PublicKeyWire), { ...extension, names: { id: 'user' } }),
  route('POST /users/:id/keys', keys.add, one(PublicKeyWire), userOptions),
  route('DELETE /users/:id/keys/:key_id', keys.removeFromUser, empty(), {
    ...userOptions,
    names: { id: 'user', key_id: 'key' },
  }),
]

export const userRoutes = [
  route('GET /user', users.current, one(UserWire), extension),
  route('GET /users', users.find, page(ListedUserWire), extension),
  route(
    'GET /users/:id',
    profiles.show,
    oneOrElse('details', ManagedUserWire, {
      status: 200,
      description: 'The caller is neither an administrator nor the user',
      shape: UserSummaryWire,
    }),
    userOptions,
  ),
  ...managementRoutes,
  ...keyRoutes,
]
