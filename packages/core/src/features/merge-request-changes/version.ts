import type { MergeRequest } from '../merge-requests/merge-request.ts'
import type { RepositoryCommit, RepositoryDiff } from '../repository/repository.ts'

/** What a merge request changes, as it stood at one time. Ids of commits. */
export interface MergeRequestVersion {
  id: number
  /** Where the two branches parted. */
  baseCommitSha: string
  /** The tip of the target branch. */
  startCommitSha: string
  /** The tip of the source branch. */
  headCommitSha: string
  createdAt: string
  mergeRequestId: number
}

/** A version with what it holds. */
export interface MergeRequestVersionDetails extends MergeRequestVersion {
  /** Newest first. */
  commits: readonly RepositoryCommit[]
  diffs: readonly RepositoryDiff[]
}

/** The commits that the changes of a merge request lie between. */
export interface DiffRefs {
  baseSha: string
  headSha: string
  startSha: string
}

/** A merge request and where its changes lie; both null while a branch is missing. */
export interface MergeRequestDetails extends MergeRequest {
  sha: string | null
  diffRefs: DiffRefs | null
}

/** A merge request with the files that it changes. */
export interface MergeRequestWithChanges extends MergeRequestDetails {
  changes: readonly RepositoryDiff[]
  /** There is more than is told. */
  overflow: boolean
}
