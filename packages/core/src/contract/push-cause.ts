/**
 * Why references moved, if it is more than a push. Stored before git moves them, and passed to the reactions to `code.pushed`, so
 * that the rest of the change happens in the transaction that records the push.
 */
export type PushCause = {
  /** A merge request was merged by this push. */
  readonly kind: 'merge'
  readonly mergeRequestId: number
  /** SHA of the merge commit, in hexadecimal; null without one. */
  readonly mergeCommitSha: string | null
  /** SHA of the squashed commit, in hexadecimal; null without one. */
  readonly squashCommitSha: string | null
}
