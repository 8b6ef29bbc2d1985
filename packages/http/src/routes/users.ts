import { features } from '@forgelet/core/operations'
import { one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { UserSummaryWire, UserWire } from '../shapes/user.ts'

const { users } = features

const extension = { extension: true } satisfies RouteOptions

export const userRoutes = [
  route('GET /user', users.current, one(UserWire), extension),
  route('GET /users', users.find, page(UserSummaryWire), extension),
  route('GET /users/:id', users.profile, one(UserSummaryWire), {
    ...extension,
    names: { id: 'user' },
    numericOnly: ['id'],
  }),
]
