import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { AutoMerge, MergeRequestRecord, ReviewState } from './merge-request.ts'

export interface MergeRequestTables {
  mergeRequest: WithGeneratedId<MergeRequestRecord> & {
    /** For `mergeWhenPipelineSucceeds`; null otherwise. */
    autoMerge: AutoMerge | null
  }
  mergeRequestAssignee: { mergeRequestId: number; userId: number }
  mergeRequestLabel: { mergeRequestId: number; labelId: number }
  /** `state`: that without an approval. */
  mergeRequestReviewer: { mergeRequestId: number; userId: number; createdAt: string; state: ReviewState }
  /** The last comparison of the branches of a merge request. It is outdated when a branch has moved. */
  mergeRequestCheck: {
    mergeRequestId: number
    /** The tip of the source branch; null if it was missing. */
    sourceSha: string | null
    /** The tip of the target branch; null if it was missing. */
    targetSha: string | null
    hasConflicts: boolean
    /** Whether the target branch has commits that the source branch does not contain. */
    isBehind: boolean
  }
}
