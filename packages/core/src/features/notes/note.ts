import type { UserSummary } from '../accounts/user.ts'

/** Kinds of things that notes hang on. */
export type NoteableKind = 'issue' | 'mergeRequest' | 'snippet' | 'epic'

/** Part of a discussion, or a remark at a place in the changes of a merge request. */
export type NoteType = 'DiscussionNote' | 'DiffNote'

/** A note as it is stored: enough to judge who may do what. */
export interface NoteRecord {
  id: number
  authorId: number
  body: string
  system: boolean
  /** Null for a note that stands by itself. */
  type: NoteType | null
  createdAt: string
  updatedAt: string
}

/** A comment, or the record of a change: specification 1, "Note". */
export interface Note extends NoteRecord {
  attachment: null
  author: UserSummary
  noteableId: number
  noteableType: 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic'
  /** The number of an issue or merge request within its project; null for what is found by its id. */
  noteableIid: number | null
  /** It is part of a discussion that can be settled. */
  resolvable: boolean
  /** What it hangs on is confidential. */
  confidential: boolean
  /**
   * Title and file name of what it hangs on. Present where the specification asks for them: on a single note of a snippet
   * or an epic, and on a new note that is one emoji and nothing else.
   */
  title?: string
  fileName?: string | null
  expiresAt?: null
  /** What commands in its text did; only on a new note whose text held some. */
  commandsChanges?: CommandsChanges
}

/** What the commands of a comment changed, by what they set. */
export interface CommandsChanges {
  readonly stateEvent?: 'close' | 'reopen'
  readonly title?: string
  readonly confidential?: boolean
  readonly discussionLocked?: boolean
  /** Everybody who is assigned now. */
  readonly assigneeIds?: readonly number[]
  readonly addLabelIds?: readonly number[]
  readonly removeLabelIds?: readonly number[]
  /** The labels that are there instead of all others. */
  readonly labelIds?: readonly number[]
  readonly milestoneId?: number | null
  readonly emojiAward?: string
  readonly todoEvent?: 'add' | 'done'
}

/** What came of a comment that may hold commands. */
export type Written =
  | { readonly note: Note }
  /** It held nothing but commands, and so nothing is stored. */
  | { readonly note: null; readonly commandsChanges: CommandsChanges; readonly summary: readonly string[] }

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
