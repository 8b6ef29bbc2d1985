import type { MergeRequest } from '../merge-requests/merge-request.ts'
import type { RepositoryCommit, RepositoryDiff } from '../repository/repository.ts'

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

/** The commits between which the diffs of a merge request are taken. */
export interface DiffRefs {
  /** Hexadecimal SHA of the merge base of the branches; diffs start here. */
  baseSha: string
  /** Hexadecimal SHA of the tip of the source branch; diffs end here. */
  headSha: string
  /** Hexadecimal SHA of the tip of the target branch. */
  startSha: string
}

/** A merge request with its head commit and diff refs; both are null if a branch is missing. */
export interface MergeRequestDetails extends MergeRequest {
  /** Hexadecimal SHA of the tip of the source branch. Null if a branch or the repository is missing. */
  sha: string | null
  /** The commits between which diffs are taken. Null if a branch or the repository is missing. */
  diffRefs: DiffRefs | null
}

/** A merge request with its diffs. */
export interface MergeRequestWithChanges extends MergeRequestDetails {
  /** One diff per changed file; empty if a branch is missing. */
  changes: readonly RepositoryDiff[]
  /** Whether `changes` is incomplete because a size or time limit was reached. */
  overflow: boolean
}
