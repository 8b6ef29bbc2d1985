/** An issue that a merge closes. */
interface ClosedIssue {
  /** Full path of its project; null for the project of the merge request. */
  readonly projectPath: string | null
  /** Number of the issue within its project. */
  readonly iid: number
}

/**
 * Why references moved, if it is more than a push. Stored before git moves them, and passed to the reactions to `code.pushed`, so
 * that the rest of the change happens in the transaction that records the push.
 */
export type PushCause = MergeCause | MirrorCause

/** The project was updated from the repository that it mirrors. */
export interface MirrorCause {
  readonly kind: 'mirror'
  readonly createsPipelines: boolean
}

/** A merge request was merged by this push. */
export interface MergeCause {
  readonly kind: 'merge'
  readonly mergeRequestId: number
  /** SHA of the merge commit, in hexadecimal; null without one. */
  readonly mergeCommitSha: string | null
  /** SHA of the squashed commit, in hexadecimal; null without one. */
  readonly squashCommitSha: string | null
  /** Whether the merge also removes the source branch: in this push, or in one to the fork that contains the branch. */
  readonly removesSourceBranch: boolean
  /** SHA of the merged tip of the source branch, in hexadecimal. */
  readonly sourceSha?: string
  /** The issues that the merge closes, if the merging user may close them. */
  readonly closedIssues: readonly ClosedIssue[]
}
