import { type Event, features, type PushEventData } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { page } from '../reply/responders.ts'
import { computed, optional, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { NoteWire } from '../shapes/note.ts'
import { UserSummaryWire } from '../shapes/user.ts'

/** The effect of a push on one branch or tag, or on many. */
const PushDataWire = wire<PushEventData>('PushRecord')({
  commit_count: Integer,
  action: v.string(),
  ref_type: v.string(),
  commit_from: NullableText,
  commit_to: NullableText,
  ref: NullableText,
  commit_title: NullableText,
  /** Number of branches or tags if the event stands for many of one push, of more than three; null for one. */
  ref_count: NullableInteger,
})

/** An activity event: specification 1, "Event". Comments have `note`, pushes have `push_data`. */
const EventWire = wire<Event>('Event')({
  id: Integer,
  /** Always null, for clients that expect the field. */
  title: computed(v.null(), () => null),
  project_id: Integer,
  action_name: v.string(),
  target_id: NullableInteger,
  target_iid: NullableInteger,
  target_type: NullableText,
  target_title: NullableText,
  author_id: Integer,
  author: UserSummaryWire,
  /** Username of the author. */
  author_username: computed(v.string(), ({ author }: Event) => author.username),
  created_at: DateTime,
  note: optional(NoteWire),
  push_data: optional(PushDataWire),
  /** Always null, for clients that expect the field. */
  data: computed(v.null(), () => null),
})

const { events } = features

export const eventRoutes = [
  route('GET /events', events.list, page(EventWire), { hidden: ['project', 'user'] }),
  route('GET /users/:id/events', events.list, page(EventWire), { names: { id: 'user' }, hidden: ['project', 'scope'] }),
  route('GET /projects/:id/events', events.list, page(EventWire), { hidden: ['user', 'scope'] }),
]
