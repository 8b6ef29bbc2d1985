import type { CreatedNote, Note } from '@forgelet/core/operations'

/** The note that a call created. Fails if the text contained only quick actions. */
export const noteOf = async (creation: Promise<CreatedNote>): Promise<Note> => {
  const created = await creation
  if (created.id === null) throw new Error(`No note was created: ${created.summary.join(' ')}`)
  return created
}
