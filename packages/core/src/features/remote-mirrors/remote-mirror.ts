/**
 * Result of the last push: `none` before the first, `started` while it runs, `to_retry` after a failure that is
 * retried, `failed` after one that is not.
 */
export type UpdateStatus = 'none' | 'started' | 'finished' | 'to_retry' | 'failed'

/** A remote repository to which changes of a project are pushed: specification 2, "Remote mirror". */
export interface RemoteMirror {
  id: number
  enabled: boolean
  /** User and password are masked with asterisks. */
  url: string
  onlyProtectedBranches: boolean
  /** Skips branches and tags that have diverged on the remote. */
  keepDivergentRefs: boolean
  updateStatus: UpdateStatus
  /** Contains no credentials. */
  lastError: string | null
  lastUpdateAt: string | null
  lastUpdateStartedAt: string | null
  lastSuccessfulUpdateAt: string | null
}

export interface MirrorCredentials {
  readonly user: string | null
  readonly password: string | null
}

/** The context in which the credentials of a mirror are sealed. */
export const credentialsContext = (id: number): string => `remote_mirror.${id}.credentials`
