import type { Position } from './discussion.ts'

export interface DiscussionTables {
  /** A note of a discussion. An individual note has no row. */
  discussionNote: {
    noteId: number
    /** Id of the first note, which may be removed; identifies the discussion. */
    discussion: number
    resolvedAt: string | null
    resolvedById: number | null
    /** Position in the diff of a merge request; stored with the first note only. */
    position: Position | null
    /** Commit of the merge request that the discussion is about, or null; stored with the first note only. */
    commitSha: string | null
  }
}
