import type { UserSummary } from '../accounts/user.ts'

/** Kinds of things that notes hang on. */
export type NoteableKind = 'issue' | 'mergeRequest' | 'snippet' | 'epic'

/** A note as it is stored: enough to judge who may do what. */
export interface NoteRecord {
  id: number
  authorId: number
  body: string
  system: boolean
  createdAt: string
  updatedAt: string
}

/** A comment, or the record of a change: specification 1, "Note". */
export interface Note extends NoteRecord {
  /** Notes stand by themselves: there are no threads. */
  type: null
  attachment: null
  author: UserSummary
  noteableId: number
  noteableType: 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic'
  /** The number of an issue or merge request within its project; null for what is found by its id. */
  noteableIid: number | null
  resolvable: false
  /** What it hangs on is confidential. */
  confidential: boolean
  /**
   * Title and file name of what it hangs on. Present where the specification asks for them: on a single note of a snippet
   * or an epic, and on a new note that is one emoji and nothing else.
   */
  title?: string
  fileName?: string | null
  expiresAt?: null
}

/** What a note hangs on, as facts about notes tell it. */
export interface NoteTarget {
  kind: NoteableKind
  id: number
  /** Its number within its project or group; null for a snippet. */
  iid: number | null
  projectId: number | null
  groupId: number | null
  title: string
  authorId: number
}

/** A user whom a note mentions, and who can read what it hangs on. */
export interface Mentioned {
  readonly userId: number
  /** The note begins with the mention. */
  readonly direct: boolean
}

/** Specification 1, "Limits". In characters, an emoji counting as one. */
const longestNote = 1_000_000

/** Why a note cannot have this body; undefined when it can. */
export const bodyComplaint = (body: string): string | undefined => {
  if (body.trim() === '') return "can't be blank"
  if (body.length <= longestNote) return undefined
  let pairs = 0
  for (let at = 0; at < body.length; at++) if ((body.codePointAt(at) ?? 0) > 0xffff) pairs++
  return body.length - pairs > longestNote ? `is too long (maximum is ${longestNote} characters)` : undefined
}
