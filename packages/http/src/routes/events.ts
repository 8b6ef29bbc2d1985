import { features } from '@forgelet/core/operations'
import { page } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { EventWire } from '../shapes/event.ts'

const { events } = features

export const eventRoutes = [
  route('GET /events', events.list, page(EventWire), { hidden: ['project', 'user'] }),
  route('GET /users/:id/events', events.list, page(EventWire), { names: { id: 'user' }, hidden: ['project', 'scope'] }),
  route('GET /projects/:id/events', events.list, page(EventWire), { hidden: ['user', 'scope'] }),
]
