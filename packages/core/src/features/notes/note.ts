import type { UserSummary } from '../accounts/user.ts'

export type NoteableKind = 'issue' | 'mergeRequest' | 'snippet' | 'epic'

/** A note of a discussion, or of a discussion on a diff. */
export type NoteType = 'DiscussionNote' | 'DiffNote'

/** A stored note: enough for permission checks. */
export interface NoteRecord {
  id: number
  authorId: number
  body: string
  system: boolean
  /** Whether only reporters and above and the author can read it. */
  internal: boolean
  /** Null for a note outside of discussions. */
  type: NoteType | null
  createdAt: string
  updatedAt: string
}

/** A comment or a system note: specification 1, "Note". */
export interface Note extends NoteRecord {
  attachment: null
  author: UserSummary
  noteableId: number
  noteableType: 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic'
  /** The iid of an issue or merge request; null for snippets and epics. */
  noteableIid: number | null
  /** Whether the note belongs to a discussion that can be resolved. */
  resolvable: boolean
  /** Whether the noteable is confidential or the note is internal. */
  confidential: boolean
  /**
   * Title and file name of the noteable. Present where the specification requires them: on a single note of a snippet or
   * an epic, and on a new note that consists of one emoji.
   */
  title?: string
  fileName?: string | null
  expiresAt?: null
  /** Changes by quick actions. Present only on a new note with quick actions in its text. */
  commandsChanges?: QuickActionChanges
}

/** The changes that the quick actions of a comment made, by field. */
export interface QuickActionChanges {
  readonly stateEvent?: 'close' | 'reopen'
  readonly title?: string
  readonly confidential?: boolean
  readonly discussionLocked?: boolean
  /** All assignees after the change. */
  readonly assigneeIds?: readonly number[]
  readonly addLabelIds?: readonly number[]
  readonly removeLabelIds?: readonly number[]
  /** All labels after a replacement. */
  readonly labelIds?: readonly number[]
  readonly milestoneId?: number | null
  readonly emojiAward?: string
  readonly todoEvent?: 'add' | 'done'
}

/** The result of writing a comment with or without quick actions. */
export type WriteNoteResult =
  | { readonly note: Note }
  /** The text contained only quick actions, so no note was stored. */
  | { readonly note: null; readonly commandsChanges: QuickActionChanges; readonly summary: readonly string[] }

/** A noteable as the signals about notes describe it. */
export interface NoteTarget {
  kind: NoteableKind
  id: number
  /** The number within the project or group; null for a snippet. */
  iid: number | null
  projectId: number | null
  groupId: number | null
  title: string
  authorId: number
}

/** A mentioned user who can read the noteable. */
export interface MentionedUser {
  readonly userId: number
  /** Whether the note begins with the mention. */
  readonly direct: boolean
}

/** In characters (Unicode code points): specification 1, "Limits". */
const maxNoteLength = 1_000_000

/** Why a body is invalid; undefined for a valid one. */
export const bodyProblem = (body: string): string | undefined => {
  if (body.trim() === '') return "can't be blank"
  if (body.length <= maxNoteLength) return undefined
  let pairs = 0
  for (let index = 0; index < body.length; index++) if ((body.codePointAt(index) ?? 0) > 0xffff) pairs++
  return body.length - pairs > maxNoteLength ? `is too long (maximum is ${maxNoteLength} characters)` : undefined
}
