import type { Generated } from 'kysely'

export interface MergeRequestChangeTables {
  /** The commit range of a merge request at one time; a new row for each changed range. */
  mergeRequestVersion: {
    id: Generated<number>
    mergeRequestId: number
    /** The merge base of the branches. */
    baseSha: string
    /** The tip of the target branch. */
    startSha: string
    /** The tip of the source branch. */
    headSha: string
    /** Number of changed files, with a `+` if there are more; null for versions of earlier releases. */
    changesCount: string | null
    createdAt: string
  }
  /** The issues that a merge request closes, according to its title and description. */
  mergeRequestClosingIssue: { mergeRequestId: number; issueId: number }
  /** Commits of all versions of a merge request. */
  mergeRequestCommit: { mergeRequestId: number; sha: string }
}
