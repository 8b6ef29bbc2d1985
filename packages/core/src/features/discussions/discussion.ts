import type { UserSummary } from '../accounts/user.ts'
import type { Note } from '../notes/note.ts'

/** A place in the changes of a merge request. Lines are counted from 1; paths are from the root of the repository. */
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

/** Notes that answer one another, or one that nobody has answered. */
export interface Discussion {
  /** 40 hexadecimal digits. */
  id: string
  /** A note by itself, which is no discussion yet. */
  individualNote: boolean
  /** The oldest first. */
  notes: readonly DiscussionNote[]
}

const digits = 40

/** The name of a discussion: the id of the note that began it, in hexadecimal digits. */
export const discussionName = (first: number): string => first.toString(16).padStart(digits, '0')

/** The note that began the discussion of this name; undefined for what is no name of one. */
export const discussionNumber = (name: string): number | undefined => {
  if (!/^0{27}[0-9a-f]{13}$/.test(name)) return undefined
  const number = Number.parseInt(name, 16)
  return Number.isSafeInteger(number) ? number : undefined
}
