import {
  type Discussion,
  type DiscussionNote,
  defined,
  type LineRange,
  type LineRangeEnd,
  type Position,
  type Suggestion,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDateTime, NullableInteger, NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, optional, wire } from '../reply/wire.ts'
import { NoteWire } from './note.ts'
import { UserSummaryWire } from './user.ts'

const LineRangeEndWire = wire<LineRangeEnd>('LineRangeEnd')({
  line_code: NullableText,
  type: NullableText,
  old_line: NullableInteger,
  new_line: NullableInteger,
})

export const LineRangeWire = wire<LineRange>('LineRange')({ start: LineRangeEndWire, end: LineRangeEndWire })

export const PositionWire = wire<Position>('DiffPosition')({
  base_sha: v.string(),
  start_sha: v.string(),
  head_sha: v.string(),
  position_type: v.string(),
  old_path: NullableText,
  new_path: NullableText,
  old_line: NullableInteger,
  new_line: NullableInteger,
  line_code: NullableText,
  line_range: nullable(LineRangeWire),
  x: v.nullable(v.number()),
  y: v.nullable(v.number()),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
})

const { title: _title, file_name: _fileName, expires_at: _expiresAt, ...noteFields } = NoteWire.fields

export const SuggestionWire = wire<Suggestion>('Suggestion')({
  id: Integer,
  from_line: Integer,
  to_line: Integer,
  appliable: v.boolean(),
  applied: v.boolean(),
  from_content: v.string(),
  to_content: v.string(),
})

/** A note as part of a discussion. */
export const DiscussionNoteWire = wire<DiscussionNote>('DiscussionNote')({
  ...noteFields,
  noteable_id: computed(Integer, ({ noteableId }: DiscussionNote) => defined(noteableId)),
  resolved: v.boolean(),
  resolved_by: nullable(UserSummaryWire),
  resolved_at: NullableDateTime,
  /** The place in the changes; omitted for a note that is not on a diff. */
  position: computed(optional(PositionWire), ({ position }: DiscussionNote) => position ?? undefined),
  suggestions: optional(list(SuggestionWire)),
  /** SHA of the commit of the merge request that the discussion is about; only of notes on diffs and on commits. */
  commit_id: computed(v.optional(NullableText), ({ sha }: DiscussionNote) => sha),
})

export const DiscussionWire = wire<Discussion>('Discussion')({
  id: v.string(),
  individual_note: v.boolean(),
  notes: list(DiscussionNoteWire),
})
