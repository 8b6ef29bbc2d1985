import type { Generated } from 'kysely'

export interface MergeRequestChangeTables {
  /** What a merge request changes, as it stood when somebody looked: a new row whenever its ends have moved. */
  mergeRequestVersion: {
    id: Generated<number>
    mergeRequestId: number
    /** Where the two branches parted. */
    baseSha: string
    /** The tip of the target branch. */
    startSha: string
    /** The tip of the source branch. */
    headSha: string
    createdAt: string
  }
  /** Commits that a merge request brings, of all its versions. */
  mergeRequestCommit: { mergeRequestId: number; sha: string }
}
