import type { UserSummary } from '../../accounts/users/user.ts'
import type { Position } from '../discussions/discussion.ts'
import type { NoteType } from '../notes/note.ts'

/** A stored comment on a commit: enough for permission checks. */
export interface CommitCommentRecord {
  /** Unique among comments on commits. */
  id: number
  /** Id of the project. */
  projectId: number
  /** The full id of the commit. */
  sha: string
  /** Id of the user who wrote the comment. */
  authorId: number
}

/** A comment on a commit as part of a discussion. */
export interface CommitNote extends CommitCommentRecord {
  /** `DiscussionNote` or `DiffNote` in a discussion; null for an individual comment. */
  type: NoteType | null
  /** Text in Markdown, at most 1,000,000 characters. */
  body: string
  /** The user who wrote the comment. */
  author: UserSummary
  /** When the comment was written: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the text was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** The position of the discussion in the diff of the commit; null without a position. */
  position: Position | null
}

/** A thread of comments on a commit, or an individual comment without replies. */
export interface CommitDiscussion {
  /** 40 hexadecimal digits, unique among discussions of commits. */
  id: string
  /** Whether it is a single comment that was not created as part of a discussion and has no replies. */
  individualNote: boolean
  /** The comments, oldest first. */
  notes: readonly CommitNote[]
}
