import type { CommitComment, CommitDiscussion, CommitNote } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { computed, list, optional, wire } from '../reply/wire.ts'
import { PositionWire } from './discussion.ts'
import { UserSummaryWire } from './user.ts'

export const CommitCommentWire = wire<CommitComment>('CommitComment')({
  note: v.string(),
  path: NullableText,
  line: NullableInteger,
  line_type: v.nullable(v.picklist(['new', 'old'])),
  author: UserSummaryWire,
  created_at: DateTime,
})

const isFalse = computed(v.boolean(), () => false)

/** A comment on a commit as part of a discussion, with the fields of other notes. */
export const CommitNoteWire = wire<CommitNote>('CommitNote')({
  id: Integer,
  type: NullableText,
  body: v.string(),
  /** Always null; files are uploads that the text links to. */
  attachment: computed(v.null(), () => null),
  author: UserSummaryWire,
  created_at: DateTime,
  updated_at: DateTime,
  /** Always false; commits have no system notes. */
  system: isFalse,
  /** Always null; `commit_id` has the SHA of the commit. */
  noteable_id: computed(v.null(), () => null),
  /** Always `Commit`. */
  noteable_type: computed(v.string(), () => 'Commit'),
  /** Always null. */
  noteable_iid: computed(v.null(), () => null),
  /** SHA of the commit. */
  commit_id: computed(v.string(), ({ sha }: CommitNote) => sha),
  project_id: Integer,
  /** Always false; discussions on commits cannot be resolved. */
  resolvable: isFalse,
  /** Always false. */
  confidential: isFalse,
  /** Always false. */
  internal: isFalse,
  /** The place in the diff; omitted for a comment on the whole commit. */
  position: computed(optional(PositionWire), ({ position }: CommitNote) => position ?? undefined),
})

export const CommitDiscussionWire = wire<CommitDiscussion>('CommitDiscussion')({
  id: v.string(),
  individual_note: v.boolean(),
  notes: list(CommitNoteWire),
})
