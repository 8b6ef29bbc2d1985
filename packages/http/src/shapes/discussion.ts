import type { Discussion, DiscussionNote, Position } from '@forgelet/core/operations'
import * as v from 'valibot'
import { list, wire } from '../reply/wire.ts'
import { NoteWire } from './note.ts'
import { UserSummaryWire } from './user.ts'

const PositionWire = wire<Position>()({
  base_sha: v.string(),
  start_sha: v.string(),
  head_sha: v.string(),
  position_type: v.string(),
  old_path: v.nullable(v.string()),
  new_path: v.nullable(v.string()),
  old_line: v.nullable(v.number()),
  new_line: v.nullable(v.number()),
})

const { title: _title, file_name: _fileName, expires_at: _expiresAt, ...noteFields } = NoteWire.fields

/** A note as part of a discussion. */
export const DiscussionNoteWire = wire<DiscussionNote>()({
  ...noteFields,
  resolved: v.boolean(),
  resolved_by: UserSummaryWire,
  resolved_at: v.nullable(v.string()),
  position: PositionWire,
})

export const DiscussionWire = wire<Discussion>()({
  id: v.string(),
  individual_note: v.boolean(),
  notes: list(DiscussionNoteWire),
})
