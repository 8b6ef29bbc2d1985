import * as v from 'valibot'
import type { NoteableRef } from '../features/notes/noteable.ts'
import { At, type Planting } from './planting.ts'

const Note = v.strictObject({
  /** How the result calls it; that of what it hangs on and its place there, such as `acme/web#Dark mode 1`, when absent. */
  as: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  body: v.string(),
  createdAt: At,
})

/** Notes in a seed, on whatever they hang on. */
export const noteItems = v.optional(v.array(Note), [])

/** Writes notes in their order. */
export async function plantNotes(
  planting: Planting,
  items: v.InferOutput<typeof noteItems>,
  on: NoteableRef,
  of: string,
): Promise<void> {
  for (const [at, { as: name, createdAt, ...given }] of items.entries()) {
    const { id } = await planting.at(createdAt).notes.create({ ...on, ...given })
    planting.note('notes', name ?? `${of} ${at + 1}`, { id })
  }
}
