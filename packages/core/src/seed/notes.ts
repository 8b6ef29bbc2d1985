import * as v from 'valibot'
import { PositionInput, StoredPosition } from '../features/collaboration/discussions/position.ts'
import type { NoteableRef } from '../features/collaboration/notes/noteable.ts'
import { defined } from '../shared/defined.ts'
import { seedNumberedItems } from './numbered-items.ts'
import { type Seeder, Timestamp } from './seeder.ts'

const replyFields = {
  /** A username. */
  author: v.string(),
  /** Text in Markdown, at most 1,000,000 characters. */
  body: v.string(),
  createdAt: Timestamp,
}

const noteFields = {
  /** Name in the result. Default: the name of the noteable and the number of the note, `acme/web#Dark mode 1`. */
  as: v.optional(v.string()),
  ...replyFields,
  /** Only reporters and above and the author can read it. */
  internal: v.optional(v.boolean()),
  /** A record of a change, such as `closed`, instead of a comment. */
  system: v.optional(v.boolean()),
  /** Starts a thread, also without replies. */
  thread: v.optional(v.boolean()),
  /** The other comments of its thread, in chronological order. */
  replies: v.optional(v.array(v.strictObject(replyFields)), []),
}

const { baseSha, startSha, headSha, ...placeFields } = PositionInput.entries

const Position = v.strictObject({
  /** Default: that of the current diff. */
  baseSha: v.optional(baseSha),
  /** Default: that of the current diff. */
  startSha: v.optional(startSha),
  /** Default: that of the current diff. */
  headSha: v.optional(headSha),
  ...placeFields,
  /** Only in exports, whose positions are not checked. Default: the position is checked, and the code computed. */
  lineCode: v.optional(StoredPosition.entries.lineCode),
})

const ReviewNote = v.strictObject({
  ...noteFields,
  /** The place in the diff that the thread is about. */
  position: v.optional(Position),
  /** Commit of the merge request that the thread is about. */
  commitSha: v.optional(v.string()),
  /** Whether the thread is resolved. */
  resolved: v.optional(v.boolean()),
})

/** Notes of a noteable in a seed. */
export const NoteList = v.optional(v.array(v.strictObject(noteFields)), [])

/** Notes of a merge request in a seed. */
export const ReviewNoteList = v.optional(v.array(ReviewNote), [])

type Note = Omit<v.InferOutput<typeof ReviewNote>, 'as'>

/** The commits of the current diff of a merge request; none for another noteable, and without a repository. */
const readDiffRefs = async (seeder: Seeder, noteable: NoteableRef) => {
  if (!('mergeRequest' in noteable)) return {}
  return (await seeder.asHost().mergeRequests.get(noteable)).diffRefs ?? {}
}

const toPosition = async (seeder: Seeder, noteable: NoteableRef, position: Note['position']) => {
  if (position === undefined) return {}
  const { lineCode, ...place } = position
  if (lineCode !== undefined) return { storedPosition: v.parse(StoredPosition, position) }
  return { position: v.parse(PositionInput, { ...(await readDiffRefs(seeder, noteable)), ...place }) }
}

const seedThread = async (
  seeder: Seeder,
  noteable: NoteableRef,
  { createdAt, replies, position, resolved = false, thread: _, ...fields }: Note,
) => {
  const place = await toPosition(seeder, noteable, position)
  const { discussions } = seeder.asHost(createdAt)
  const created = await discussions.create({ ...noteable, ...fields, ...place })
  if (created.id === null) throw new Error('The host executes no quick actions')
  const { id: discussion, notes } = created
  for (const { createdAt: repliedAt, ...reply } of replies)
    await seeder.asHost(repliedAt).discussions.reply({ ...noteable, discussion, ...reply })
  if (resolved && 'mergeRequest' in noteable)
    await seeder.asHost().discussions.resolve({ ...noteable, discussion, resolved })
  return defined(notes[0])
}

const seedNote = (seeder: Seeder, noteable: NoteableRef, note: Note) => {
  const { createdAt, replies, position, commitSha, resolved, thread, ...fields } = note
  if (thread || position || commitSha || resolved || replies.length) return seedThread(seeder, noteable, note)
  // The host executes no quick actions, so there is a note.
  return seeder.asHost(createdAt).notes.create({ ...noteable, ...fields }) as Promise<{ readonly id: number }>
}

export const seedNotes = (
  seeder: Seeder,
  items: v.InferOutput<typeof ReviewNoteList>,
  noteable: NoteableRef,
  parentName: string,
): Promise<void> => seedNumberedItems(seeder, 'notes', items, parentName, (note) => seedNote(seeder, noteable, note))
