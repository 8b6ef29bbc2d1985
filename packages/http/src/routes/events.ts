import { features } from '@forgelet/core/operations'
import { page } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { EventWire } from '../shapes/event.ts'

const { events } = features

export const eventRoutes = [
  route('GET /events', events.list, page(EventWire)),
  route('GET /users/:id/events', events.listOfUser, page(EventWire), { names: { id: 'user' } }),
  route('GET /projects/:id/events', events.listOfProject, page(EventWire)),
]
