import type { Event, PushRecord } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, type Site, wire } from '../reply/wire.ts'
import { NoteWire } from './note.ts'
import { UserSummaryWire } from './user.ts'

/** The effect of a push on one branch or tag. */
const PushDataWire = wire<PushRecord>()({
  commit_count: v.number(),
  action: v.string(),
  ref_type: v.string(),
  commit_from: v.nullable(v.string()),
  commit_to: v.nullable(v.string()),
  ref: v.string(),
  commit_title: v.nullable(v.string()),
  /** Always null: each branch and tag of a push has a separate event. */
  ref_count: computed(v.null(), () => null),
})

const OptionalObject = v.optional(v.looseObject({}))

/** An activity event: specification 1, "Event". Comments have `note`, pushes have `push_data`. */
export const EventWire = wire<Event>()({
  id: v.number(),
  title: computed(v.null(), () => null),
  project_id: v.number(),
  action_name: v.string(),
  target_id: v.nullable(v.number()),
  target_iid: v.nullable(v.number()),
  target_type: v.nullable(v.string()),
  target_title: v.nullable(v.string()),
  author_id: v.number(),
  author: UserSummaryWire,
  author_username: computed(v.string(), ({ author }: Event) => author.username),
  created_at: v.string(),
  note: computed(OptionalObject, ({ note }: Event, site: Site) => note && NoteWire(note, site)),
  push_data: computed(OptionalObject, ({ pushData }: Event, site: Site) => pushData && PushDataWire(pushData, site)),
  data: computed(v.null(), () => null),
})
