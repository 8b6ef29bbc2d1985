import type { Generated } from 'kysely'
import type { Position } from '../discussions/discussion.ts'

export interface DraftNoteTables {
  /** A comment on a merge request that only its author sees until it is published. */
  draftNote: {
    id: Generated<number>
    mergeRequestId: number
    authorId: number
    body: string
    /** Id of the first note of the discussion that the draft replies to; null for none. */
    discussion: number | null
    /** Whether publishing the draft resolves the discussion. */
    resolveDiscussion: boolean
    commitId: string | null
    /** Position in the diff; null for a reply and for a comment on the whole merge request. */
    position: Position | null
    createdAt: string
    updatedAt: string
  }
}
