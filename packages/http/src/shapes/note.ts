import type { CommandsChanges, Note, Written } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, snake, wire } from '../wire.ts'
import { UserSummaryWire } from './user.ts'

const Ids = v.optional(v.array(v.number()))

const Changes = v.object({
  state_event: v.optional(v.picklist(['close', 'reopen'])),
  title: v.optional(v.string()),
  confidential: v.optional(v.boolean()),
  discussion_locked: v.optional(v.boolean()),
  assignee_ids: Ids,
  add_label_ids: Ids,
  remove_label_ids: Ids,
  label_ids: Ids,
  milestone_id: v.optional(v.nullable(v.number())),
  emoji_award: v.optional(v.string()),
  todo_event: v.optional(v.picklist(['add', 'done'])),
})

const changes = (given: CommandsChanges = {}): v.InferInput<typeof Changes> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [snake(name), value]))

type Obeyed = Extract<Written, { note: null }>

/** What came of a comment that was nothing but commands. */
export const CommandsWire = wire<Obeyed>()({
  commands_changes: computed(Changes, ({ commandsChanges }: Obeyed) => changes(commandsChanges)),
  summary: computed(v.array(v.string()), ({ summary }: Obeyed) => [...summary]),
})

/**
 * A note: specification 1, "Note". A single note of a snippet or an epic, and a new note that is one emoji, also have the
 * fields of the specification's object for them.
 */
export const NoteWire = wire<Note>()({
  id: v.number(),
  type: v.nullable(v.string()),
  body: v.string(),
  attachment: v.null(),
  author: UserSummaryWire,
  created_at: v.string(),
  updated_at: v.string(),
  system: v.boolean(),
  noteable_id: v.number(),
  noteable_type: v.string(),
  resolvable: v.boolean(),
  confidential: v.boolean(),
  noteable_iid: v.nullable(v.number()),
  /** What commands in the body did: only on a new note. */
  commands_changes: computed(Changes, ({ commandsChanges }: Note) => changes(commandsChanges)),
  title: v.optional(v.string()),
  file_name: v.optional(v.nullable(v.string())),
  expires_at: v.optional(v.null()),
})
