import { type CommitComment, type Discussion, type DiscussionNote, defined, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { createdOrElse, empty, one, page } from '../reply/responders.ts'
import { computed, list, optional, wire } from '../reply/wire.ts'
import { listInputsExcept, type RouteOptions, route } from '../routing/route.ts'
import { PositionWire } from '../shapes/discussion.ts'
import { onlyQuickActions } from '../shapes/note.ts'
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
const CommitNoteWire = wire<DiscussionNote>('CommitNote')({
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
  commit_id: computed(v.string(), ({ sha }: DiscussionNote) => defined(sha)),
  project_id: computed(Integer, ({ projectId }: DiscussionNote) => defined(projectId)),
  /** Always false; discussions on commits cannot be resolved. */
  resolvable: isFalse,
  /** Always false. */
  confidential: isFalse,
  /** Always false. */
  internal: isFalse,
  /** The place in the diff; omitted for a comment on the whole commit. */
  position: computed(optional(PositionWire), ({ position }: DiscussionNote) => position ?? undefined),
})

const CommitDiscussionWire = wire<Discussion>('CommitDiscussion')({
  id: v.string(),
  individual_note: v.boolean(),
  notes: list(CommitNoteWire),
})

const { commitComments, discussions } = features

const extension = { extension: true } satisfies RouteOptions
const names = { sha: 'commit' } as const

const commit = '/projects/:id/repository/commits/:sha'
const threads = `${commit}/discussions` as const
const discussion = `${threads}/:discussion_id` as const

const discussionNames = { ...names, discussion_id: 'discussion' } as const
const noteNames = { ...discussionNames, note_id: 'note' } as const

const body = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000_000))

/** Hides all inputs except those that identify a discussion, those of a page, and the named ones. */
const hideExcept = (name: keyof typeof discussions, ...inputs: readonly string[]) => ({
  ...extension,
  hidden: listInputsExcept(discussions[name], 'project', 'commit', 'discussion', 'note', 'page', 'perPage', ...inputs),
})

export const commitCommentRoutes = [
  route(`GET ${commit}/comments`, commitComments.list, page(CommitCommentWire), { ...extension, names }),
  route(`POST ${commit}/comments`, commitComments.create, one(CommitCommentWire), {
    ...extension,
    names,
    hidden: ['author'],
  }),
  route(`GET ${threads}`, discussions.list, page(CommitDiscussionWire), { ...hideExcept('list'), names }),
  route(`POST ${threads}`, discussions.create, createdOrElse(CommitDiscussionWire, onlyQuickActions), {
    ...hideExcept('create', 'body', 'createdAt', 'position'),
    names,
    accepts: { body },
  }),
  route(`GET ${discussion}`, discussions.get, one(CommitDiscussionWire), {
    ...hideExcept('get'),
    names: discussionNames,
  }),
  route(`POST ${discussion}/notes`, discussions.reply, createdOrElse(CommitNoteWire, onlyQuickActions), {
    ...hideExcept('reply', 'body', 'createdAt'),
    names: discussionNames,
    accepts: { body },
  }),
  route(`GET ${discussion}/notes/:note_id`, discussions.getNote, one(CommitNoteWire), {
    ...hideExcept('getNote'),
    names: noteNames,
  }),
  route(`PUT ${discussion}/notes/:note_id`, discussions.updateNote, one(CommitNoteWire), {
    ...hideExcept('updateNote', 'body'),
    names: noteNames,
    accepts: { body },
    required: ['body'],
  }),
  route(`DELETE ${discussion}/notes/:note_id`, discussions.removeNote, empty(), {
    ...hideExcept('removeNote'),
    names: noteNames,
  }),
]
