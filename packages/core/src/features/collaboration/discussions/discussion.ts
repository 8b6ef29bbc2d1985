import type { UserSummary } from '../../accounts/users/user.ts'
import type { ExecutedQuickActions, Note } from '../notes/note.ts'
import type { Suggestion } from '../suggestions/suggestion.ts'

/** The first or the last line of a comment on several lines. */
export interface LineRangeEnd {
  /** `<sha1 of the path>_<old line>_<new line>`; computed if omitted. */
  lineCode: string | null
  /** `new` for an added line, `old` for a removed one; null for an unchanged one. */
  type: 'new' | 'old' | null
  /** Line before the change, from 1; null for an added line. */
  oldLine: number | null
  /** Line after the change, from 1; null for a removed line. */
  newLine: number | null
}

/** The lines of a comment on several lines. */
export interface LineRange {
  /** The first line. */
  start: LineRangeEnd
  /** The last line. */
  end: LineRangeEnd
}

/** A position in the diff of a merge request. Line numbers start at 1; paths are relative to the repository root. */
export interface Position {
  /** SHA of the merge base of the compared branches, 40 hexadecimal digits. */
  baseSha: string
  /** SHA of the tip of the target branch when the diff was made, 40 hexadecimal digits. */
  startSha: string
  /** SHA of the tip of the source branch when the diff was made, 40 hexadecimal digits. */
  headSha: string
  /** `text` for a line of a text file, `image` or `file` for a whole file. */
  positionType: 'text' | 'image' | 'file'
  /** Path before the change, relative to the repository root; equal to `newPath` if only that was given. */
  oldPath: string | null
  /** Path after the change, relative to the repository root; equal to `oldPath` if only that was given. */
  newPath: string | null
  /** Line before the change, from 1; null for an added line or a whole file. */
  oldLine: number | null
  /** Line after the change, from 1; null for a removed line or a whole file. */
  newLine: number | null
  /** `<sha1 of the path>_<old line>_<new line>`; null for a whole file, and in projects without a repository. */
  lineCode: string | null
  /** The lines of a comment on several lines; null for one line. */
  lineRange: LineRange | null
  /** Distance from the left side of an image in pixels; null for other positions. */
  x: number | null
  /** Distance from the upper side of an image in pixels; null for other positions. */
  y: number | null
  /** Width of an image in pixels; null for other positions. */
  width: number | null
  /** Height of an image in pixels; null for other positions. */
  height: number | null
}

/** A note as part of a discussion. */
export interface DiscussionNote extends Omit<Note, 'noteableId' | 'noteableType'> {
  /** Id of the issue, merge request, snippet or epic, unique on the instance (not the iid); null for a commit. */
  noteableId: number | null
  /** Kind of the item that the note belongs to. */
  noteableType: Note['noteableType'] | 'Commit'
  /**
   * The full SHA of the commit that the note is about. Null for a note on the whole diff of a merge request; omitted for other
   * notes that are about no commit.
   */
  sha?: string | null
  /** Id of the project of the commit; omitted for notes of other items. */
  projectId?: number
  /** Whether the note is resolved; false for notes that cannot be resolved. */
  resolved: boolean
  /** The user who resolved the note; null if it is unresolved or the host resolved it. */
  resolvedBy: UserSummary | null
  /** Time of the resolution, ISO 8601 in UTC with milliseconds; null if the note is unresolved. */
  resolvedAt: string | null
  /** The position of the discussion in the diff of a merge request or commit; null without a position. */
  position: Position | null
  /** The changes that the text proposes; omitted for notes that are not on a diff. */
  suggestions?: readonly Suggestion[]
}

/** A thread of notes, or an individual note without replies. */
export interface Discussion {
  /** 40 hexadecimal digits, unique among discussions. */
  id: string
  /** Whether it is a single note that was not created as part of a discussion and has no replies. */
  individualNote: boolean
  /** The notes that the current user can read, oldest first. */
  notes: readonly DiscussionNote[]
}

/** The new discussion, or the effects of quick actions if its text contained nothing else. */
export type CreatedDiscussion = Discussion | ExecutedQuickActions
