import type { Position } from '../discussions/discussion.ts'

/** A comment on a merge request that only its author sees until it is published. */
export interface DraftNote {
  /** Unique among draft notes; a published note has another id. */
  id: number
  /** Id of the user who wrote it. */
  authorId: number
  /** Id of the merge request, unique on the instance (not the iid). */
  mergeRequestId: number
  /** Whether publishing it resolves the discussion. */
  resolveDiscussion: boolean
  /** Id of the discussion that it replies to, 40 hexadecimal digits; null if it starts a new one. */
  discussionId: string | null
  /** Text in Markdown, at most 1,000,000 characters. */
  note: string
  /** SHA of the commit that the author named; null without one. */
  commitId: string | null
  /** Position in the diff; null for a reply and for a comment on the whole merge request. */
  position: Position | null
}
