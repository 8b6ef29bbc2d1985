import type { UserSummary } from '../accounts/user.ts'
import type { Note } from '../notes/note.ts'

/** A position in the diff of a merge request. Line numbers start at 1; paths are relative to the repository root. */
export interface Position {
  baseSha: string
  startSha: string
  headSha: string
  positionType: 'text' | 'image' | 'file'
  oldPath: string | null
  newPath: string | null
  oldLine: number | null
  newLine: number | null
}

/** A note as part of a discussion. */
export interface DiscussionNote extends Note {
  resolved: boolean
  resolvedBy: UserSummary | null
  resolvedAt: string | null
  position: Position | null
}

/** A thread of notes, or an individual note without replies. */
export interface Discussion {
  /** 40 hexadecimal digits. */
  id: string
  /** True for a single note that was not created as part of a discussion and has no replies. */
  individualNote: boolean
  /** Oldest first. */
  notes: readonly DiscussionNote[]
}

const idLength = 40

/** A discussion id is the id of its first note, in hexadecimal digits. */
export const formatDiscussionId = (firstNoteId: number): string => firstNoteId.toString(16).padStart(idLength, '0')

/** Returns the id of the first note; undefined for an invalid discussion id. */
export const parseDiscussionId = (id: string): number | undefined => {
  if (!/^0{27}[0-9a-f]{13}$/.test(id)) return undefined
  const number = Number.parseInt(id, 16)
  return Number.isSafeInteger(number) ? number : undefined
}
