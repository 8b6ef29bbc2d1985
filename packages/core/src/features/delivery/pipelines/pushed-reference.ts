/** A branch or tag at a commit for which a job creates a pipeline. */
export interface PushedReference {
  /** Random: a repeated job with the same key creates no second pipeline. */
  readonly key: string
  readonly projectId: number
  /** The user whose permissions the pipeline needs; null for the host. */
  readonly userId: number | null
  /** Name of the branch or tag. */
  readonly ref: string
  readonly isTag: boolean
  /** SHA before the push; null for a new branch or tag. */
  readonly before: string | null
  /** SHA of the commit; null for that of the branch when the job runs. */
  readonly sha: string | null
  /** Whether the push has the option `ci.skip`. */
  readonly isSkipped: boolean
  /** Number of the merge request that the pipeline is for; null for a pipeline of the branch or tag. */
  readonly mergeRequest: number | null
  /** Id of the project of the merge request. Default: `projectId`, which contains the branch. */
  readonly targetProjectId?: number
}
