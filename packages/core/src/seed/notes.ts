import * as v from 'valibot'
import type { NoteableRef } from '../features/notes/noteable.ts'
import { seedNumberedItems } from './numbered-items.ts'
import { type Seeder, Timestamp } from './seeder.ts'

const Note = v.strictObject({
  /** Name in the result. Default: the name of the noteable and the number of the note, `acme/web#Dark mode 1`. */
  as: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  body: v.string(),
  /** Only reporters and above and the author can read it. */
  internal: v.optional(v.boolean()),
  /** A record of a change, such as `closed`, instead of a comment. */
  system: v.optional(v.boolean()),
  createdAt: Timestamp,
})

/** Notes of a noteable in a seed. */
export const NoteList = v.optional(v.array(Note), [])

export const seedNotes = (
  seeder: Seeder,
  items: v.InferOutput<typeof NoteList>,
  noteable: NoteableRef,
  parentName: string,
): Promise<void> =>
  seedNumberedItems(seeder, 'notes', items, parentName, ({ createdAt, ...fields }) =>
    seeder.asHost(createdAt).notes.create({ ...noteable, ...fields }),
  )
