import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { page } from '../send.ts'
import { EventWire } from '../shapes/event.ts'

const { events } = features

export const eventRoutes = [
  route('GET /events', events.list, page(EventWire)),
  route('GET /users/:id/events', events.listOfUser, page(EventWire), { names: { id: 'user' } }),
  route('GET /projects/:id/events', events.listOfProject, page(EventWire)),
]
