import type { MergeRequest } from '../merge-requests/merge-request.ts'
import type { RepositoryCommit, RepositoryDiff } from '../repository/repository.ts'

/** The commit range of a merge request at one time. */
export interface MergeRequestVersion {
  id: number
  /** The merge base of the branches. */
  baseCommitSha: string
  /** The tip of the target branch. */
  startCommitSha: string
  /** The tip of the source branch. */
  headCommitSha: string
  createdAt: string
  mergeRequestId: number
}

/** A version with its commits and diffs. */
export interface MergeRequestVersionDetails extends MergeRequestVersion {
  /** Newest first. */
  commits: readonly RepositoryCommit[]
  diffs: readonly RepositoryDiff[]
}

/** The commits between which the diffs of a merge request are taken. */
export interface DiffRefs {
  baseSha: string
  headSha: string
  startSha: string
}

/** A merge request with its head commit and diff refs; both are null if a branch is missing. */
export interface MergeRequestDetails extends MergeRequest {
  sha: string | null
  diffRefs: DiffRefs | null
}

/** A merge request with its diffs. */
export interface MergeRequestWithChanges extends MergeRequestDetails {
  changes: readonly RepositoryDiff[]
  /** Whether `changes` is incomplete. */
  overflow: boolean
}
