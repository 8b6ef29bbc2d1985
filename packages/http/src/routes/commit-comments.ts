import { type CommitComment, type CommitDiscussion, type CommitNote, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, list, optional, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { PositionWire } from '../shapes/discussion.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const CommitCommentWire = wire<CommitComment>('CommitComment')({
  note: v.string(),
  path: NullableText,
  line: NullableInteger,
  line_type: v.nullable(v.picklist(['new', 'old'])),
  author: UserSummaryWire,
  created_at: DateTime,
})

const isFalse = computed(v.boolean(), () => false)

/** A comment on a commit as part of a discussion, with the fields of other notes. */
const CommitNoteWire = wire<CommitNote>('CommitNote')({
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

const CommitDiscussionWire = wire<CommitDiscussion>('CommitDiscussion')({
  id: v.string(),
  individual_note: v.boolean(),
  notes: list(CommitNoteWire),
})

const { commitComments, commitDiscussions } = features

const extension = { extension: true } satisfies RouteOptions
const writeOptions = { ...extension, hidden: ['author'] } satisfies RouteOptions
const discussionNames = { discussion_id: 'discussion' } as const
const noteOptions = { ...extension, names: { ...discussionNames, note_id: 'note' } } satisfies RouteOptions

const commit = '/projects/:id/repository/commits/:sha'
const discussions = `${commit}/discussions` as const
const discussion = `${discussions}/:discussion_id` as const

export const commitCommentRoutes = [
  route(`GET ${commit}/comments`, commitComments.list, page(CommitCommentWire), extension),
  route(`POST ${commit}/comments`, commitComments.create, one(CommitCommentWire), writeOptions),
  route(`GET ${discussions}`, commitDiscussions.list, page(CommitDiscussionWire), extension),
  route(`POST ${discussions}`, commitDiscussions.create, one(CommitDiscussionWire), writeOptions),
  route(`GET ${discussion}`, commitDiscussions.get, one(CommitDiscussionWire), {
    ...extension,
    names: discussionNames,
  }),
  route(`POST ${discussion}/notes`, commitDiscussions.reply, one(CommitNoteWire), {
    ...writeOptions,
    names: discussionNames,
  }),
  route(`GET ${discussion}/notes/:note_id`, commitDiscussions.getNote, one(CommitNoteWire), noteOptions),
  route(`PUT ${discussion}/notes/:note_id`, commitDiscussions.updateNote, one(CommitNoteWire), noteOptions),
  route(`DELETE ${discussion}/notes/:note_id`, commitDiscussions.removeNote, empty(), noteOptions),
]
