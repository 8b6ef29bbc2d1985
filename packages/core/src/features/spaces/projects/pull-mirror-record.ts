/** The repository from which a project is updated. */
export interface PullMirror {
  /** Unique on the instance. */
  id: number
  /** Whether the project is updated. */
  enabled: boolean
  /** URL of the repository with masked user and password; null for none. */
  url: string | null
  /** `none` before the first update, `scheduled`, `started`, `finished`, or `failed`. */
  updateStatus: 'none' | 'scheduled' | 'started' | 'finished' | 'failed'
  /** Why the last update failed, without credentials; null if it did not. */
  lastError: string | null
  /** End of the last update, successful or not; null before the first. */
  lastUpdateAt: string | null
  /** Start of the last update; null before the first. */
  lastUpdateStartedAt: string | null
  /** End of the last successful update; null before the first. */
  lastSuccessfulUpdateAt: string | null
  /** When the next update starts; null for none. After failures, the delay grows; after 14 in a row, it is a day. */
  nextUpdateAt: string | null
  /** Whether updates create pipelines. */
  mirrorTriggerBuilds: boolean
  /** Whether only protected branches are updated; null if that was never set. */
  onlyMirrorProtectedBranches: boolean | null
  /** Pattern in RE2 syntax: only branches whose name contains a match are updated; null for all branches. */
  mirrorBranchRegex: string | null
  /** Whether branches and tags are overwritten that have commits which the other repository does not have. */
  mirrorOverwritesDivergedBranches: boolean
}
