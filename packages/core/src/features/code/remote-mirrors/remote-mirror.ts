/**
 * Result of the last push: `none` before the first, `started` while it runs, `to_retry` after a failure that is
 * retried soon, `failed` after one that is tried again later.
 */
export type UpdateStatus = 'none' | 'started' | 'finished' | 'to_retry' | 'failed'

/** A remote repository to which changes of a project are pushed: specification 2, "Remote mirror". */
export interface RemoteMirror {
  /** Unique on the instance. */
  id: number
  /** Whether changes are pushed to the mirror. */
  enabled: boolean
  /** URL of the remote repository; user and password are masked with asterisks. */
  url: string
  /** Whether only the default branch and the tags are pushed, instead of all branches. */
  onlyProtectedBranches: boolean
  /** Whether branches and tags that have diverged on the remote are skipped instead of overwritten. */
  keepDivergentRefs: boolean
  /** Pattern in RE2 syntax: only branches whose name contains a match are pushed, and all tags; null for all branches. */
  mirrorBranchRegex: string | null
  /**
   * Result of the last push: `none` before the first, `started` while it runs, `finished`, `to_retry` after a failure
   * that is retried soon, `failed` after one that is tried again at `nextUpdateAt`.
   */
  updateStatus: UpdateStatus
  /** Why the last push failed, without credentials; null if it did not. */
  lastError: string | null
  /** End of the last push, successful or not: ISO 8601, UTC, with milliseconds; null before the first. */
  lastUpdateAt: string | null
  /** Start of the last push: ISO 8601, UTC, with milliseconds; null before the first. */
  lastUpdateStartedAt: string | null
  /** End of the last successful push: ISO 8601, UTC, with milliseconds; null before the first. */
  lastSuccessfulUpdateAt: string | null
  /**
   * When the mirror is tried again after a failure: ISO 8601, UTC, with milliseconds; null if no attempt is planned. The delay grows
   * with each failure, from one hour to a day.
   */
  nextUpdateAt: string | null
}

/** The context in which the credentials of a mirror are sealed. */
export const credentialsContext = (id: number): string => `remote_mirror.${id}.credentials`
