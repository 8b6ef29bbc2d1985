import type { Position } from './discussion.ts'

export interface DiscussionTables {
  /** A note that is part of a discussion, or could begin one. A note without a row stands by itself. */
  discussionNote: {
    noteId: number
    /** The note that began it, which may be gone: the name of the discussion. */
    discussion: number
    resolvedAt: string | null
    resolvedById: number | null
    /** Where in the changes of a merge request it stands; kept with the first note. */
    position: Position | null
  }
}
