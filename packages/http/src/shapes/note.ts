import type { Note } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, wire } from '../wire.ts'
import { UserSummaryWire } from './user.ts'

/**
 * A note: specification 1, "Note". A single note of a snippet or an epic, and a new note that is one emoji, also have the
 * fields of the specification's object for them.
 */
export const NoteWire = wire<Note>()({
  id: v.number(),
  type: v.null(),
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
  /** What commands in the body did; bodies hold none here. */
  commands_changes: computed(v.strictObject({}), () => ({})),
  title: v.optional(v.string()),
  file_name: v.optional(v.nullable(v.string())),
  expires_at: v.optional(v.null()),
})
