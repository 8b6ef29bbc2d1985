import type { Session } from '@forgelet/core'
import { type Discussion, defined, type ItemReference, type Note } from '@forgelet/core/operations'
import type { Site } from '../../reply/wire.ts'
import { DiscussionWire } from '../../shapes/discussion.ts'
import { NoteWire } from '../../shapes/note.ts'
import { type ReadPage, readConnection, reverse, sliceConnection } from '../connection.ts'
import { findNote, getReference, type Item } from '../references.ts'
import type { GraphqlContext, Json, JsonShape, Resolver, With } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'

/** Notes and discussions with the item that they belong to, which their JSON does not contain. */
export const withItem =
  <T>(shape: JsonShape<T>, item: ItemReference): JsonShape<T> =>
  (value, site) => ({ ...shape(value, site), item })

/** A discussion, and in each of its notes the id of the discussion. */
export const shapeDiscussion = (item: ItemReference) => (value: Discussion, site: Site) => {
  const { notes, ...discussion } = DiscussionWire(value, site)
  return { ...discussion, item, notes: notes.map((note) => ({ ...note, item, discussion_id: value.id })) }
}

type Thread = With<{ notes: readonly Json[] }>

const firstNote = ({ notes }: Thread) => defined(notes[0])

/** A discussion can be resolved if one of its notes can; it is resolved if all of those are. */
const resolvableNotes = ({ notes }: Thread) => notes.filter(({ resolvable }) => resolvable)
const isResolved = (discussion: Thread) =>
  resolvableNotes(discussion).length > 0 && resolvableNotes(discussion).every(({ resolved }) => resolved)
const lastResolved = (discussion: Thread) => (isResolved(discussion) ? resolvableNotes(discussion).at(-1) : undefined)

/** The input of the list of notes that has the meaning of `NotesFilterType`. */
const activityFilters = {
  ALL_NOTES: 'all_notes',
  ONLY_COMMENTS: 'only_comments',
  ONLY_ACTIVITY: 'only_activity',
} as const

export const noteArguments = `filter: NotesFilterType = ALL_NOTES, ${paging}`

export const readNotes: Resolver = (
  source: Item,
  args: With<{ filter?: keyof typeof activityFilters | null }>,
  { session, site },
) => {
  const item = getReference(source)
  const shape = withItem(NoteWire, item)
  const activityFilter = activityFilters[args.filter ?? 'ALL_NOTES']
  return readConnection(
    args,
    (note: Note) => shape(note, site),
    (window) => session.notes.list({ ...item, sort: 'asc', activityFilter, ...window }),
  )
}

export const readDiscussions: Resolver = (source: Item, args, { session, site }) => {
  const item = getReference(source)
  const shape = shapeDiscussion(item)
  const read: ReadPage<Discussion> = (window) => session.discussions.list({ ...item, ...window })
  return readConnection(
    args,
    (discussion) => shape(discussion, site),
    args.sort === 'CREATED_DESC' ? reverse(read) : read,
  )
}

type NoteParent = With<{ id: number; item: ItemReference; discussion_id?: string }>

/** The discussion of a note. */
const readDiscussion: Resolver = async (
  { id, item, discussion_id: known }: NoteParent,
  _args,
  { session, site }: GraphqlContext,
) => {
  const discussion = known ?? (await session.globalIds.findNote({ id })).discussion
  return shapeDiscussion(item)(await session.discussions.get({ ...item, discussion }), site)
}

/** A note as JSON. */
export const readNote = async (text: unknown, { session, site }: GraphqlContext): Promise<Json> => {
  const { item, note } = await findNote(session, text)
  return withItem(NoteWire, item)(await session.notes.get({ ...item, note }), site)
}

const renderBody = async ({ markdown }: Session, body: unknown) => (await markdown.render({ text: String(body) })).html

/** Notes and discussions. */
export const notePart: SchemaPart = {
  types: `
enum NotesFilterType { ALL_NOTES ONLY_COMMENTS ONLY_ACTIVITY }

interface Noteable {
  notes(${noteArguments}): NoteConnection
  discussions(${paging}): DiscussionConnection
}

type DiffPosition {
  diffRefs: DiffRefs! filePath: String! oldPath: String newPath: String oldLine: Int newLine: Int positionType: String!
}

type Note implements Awardable {
  id: NoteID! body: String! bodyHtml: String author: UserCore createdAt: Time! updatedAt: Time! lastEditedAt: Time
  system: Boolean! internal: Boolean confidential: Boolean resolvable: Boolean! resolved: Boolean resolvedAt: Time
  resolvedBy: UserCore position: DiffPosition discussion: Discussion
}

type Discussion {
  id: DiscussionID! replyId: DiscussionID! createdAt: Time! resolvable: Boolean! resolved: Boolean! resolvedAt: Time
  resolvedBy: UserCore notes(${paging}): NoteConnection
}

extend type Issue { notes(${noteArguments}): NoteConnection discussions(${paging}): DiscussionConnection }
extend type MergeRequest { notes(${noteArguments}): NoteConnection discussions(${paging}): DiscussionConnection }
extend type Query { note(id: NoteID!): Note }
`,
  resolvers: {
    Issue: { calls: { notes: readNotes, discussions: readDiscussions } },
    MergeRequest: { calls: { notes: readNotes, discussions: readDiscussions } },
    Note: {
      computed: {
        lastEditedAt: ({ created_at: created, updated_at: updated }) => (updated === created ? null : updated),
      },
      calls: {
        discussion: readDiscussion,
        bodyHtml: ({ body }, _args, { session }) => renderBody(session, body),
      },
    },
    DiffPosition: {
      computed: {
        diffRefs: (position) => position,
        filePath: (position) => position.new_path ?? position.old_path,
      },
    },
    Discussion: {
      computed: {
        replyId: ({ id }) => `gid://gitlab/Discussion/${id}`,
        createdAt: (discussion: Thread) => firstNote(discussion).created_at,
        resolvable: (discussion: Thread) => resolvableNotes(discussion).length > 0,
        resolved: isResolved,
        resolvedAt: (discussion: Thread) => lastResolved(discussion)?.resolved_at,
        resolvedBy: (discussion: Thread) => lastResolved(discussion)?.resolved_by,
        notes: ({ notes }: Thread, args) => sliceConnection(args, notes),
      },
    },
    Query: { calls: { note: (_source, { id }, context) => readNote(id, context) } },
  },
}
