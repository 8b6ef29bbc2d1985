import type { Discussion, DiscussionNote } from '../discussions/discussion.ts'

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
export interface CommitNote extends DiscussionNote {
  /** Unique among comments on commits. */
  id: number
  /** Id of the project. */
  projectId: number
  /** The full id of the commit. */
  sha: string
  /** Kind of the item that the note belongs to. */
  noteableType: 'Commit'
}

/** A thread of comments on a commit, or an individual comment without replies. */
export interface CommitDiscussion extends Discussion {
  /** The comments, oldest first. */
  notes: readonly CommitNote[]
}
