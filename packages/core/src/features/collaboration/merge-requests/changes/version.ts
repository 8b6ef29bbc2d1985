import type { RepositoryCommit, RepositoryDiff } from '../../../code/repository/repository.ts'
import type { MergeRequestDetails } from '../merge-request.ts'

/** The commit range of a merge request at one time. */
export interface MergeRequestVersion {
  /** Id of the version; newer versions have higher ids. */
  id: number
  /** Hexadecimal SHA of the merge base of the branches; diffs start here. */
  baseCommitSha: string
  /** Hexadecimal SHA of the tip of the target branch. */
  startCommitSha: string
  /** Hexadecimal SHA of the tip of the source branch; diffs end here. */
  headCommitSha: string
  /** When the platform stored the version: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Number of changed files, with a `+` if there are more; null for versions of earlier releases. */
  changesCount: string | null
  /** Id of the merge request, unique on the instance (not the iid). */
  mergeRequestId: number
}

/** A version with its commits and diffs. */
export interface MergeRequestVersionDetails extends MergeRequestVersion {
  /** Commits between `baseCommitSha` and `headCommitSha`, newest first. */
  commits: readonly RepositoryCommit[]
  /** One diff per changed file between `baseCommitSha` and `headCommitSha`. */
  diffs: readonly RepositoryDiff[]
}

/** A merge request with its diffs. */
export interface MergeRequestWithChanges extends MergeRequestDetails {
  /** One diff per changed file; empty if a branch is missing. */
  changes: readonly RepositoryDiff[]
  /** Whether `changes` is incomplete because a size or time limit was reached. */
  overflow: boolean
}
