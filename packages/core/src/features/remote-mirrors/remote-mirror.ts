/**
 * How the last push went: `none` before the first, `started` while one runs, `to_retry` when it failed and is tried again by
 * itself, `failed` when it is not.
 */
export type UpdateStatus = 'none' | 'started' | 'finished' | 'to_retry' | 'failed'

/** Another repository that is made to look like the one of a project: specification 2, "Remote mirror". */
export interface RemoteMirror {
  id: number
  enabled: boolean
  /** With stars for user and password. */
  url: string
  onlyProtectedBranches: boolean
  /** Leaves branches and tags alone that the other side has moved elsewhere. */
  keepDivergentRefs: boolean
  updateStatus: UpdateStatus
  /** Without anything secret. */
  lastError: string | null
  lastUpdateAt: string | null
  lastUpdateStartedAt: string | null
  lastSuccessfulUpdateAt: string | null
}

/** What opens the other side. */
export interface MirrorCredentials {
  readonly user: string | null
  readonly password: string | null
}

/** Where the credentials of a mirror belong. */
export const credentialsContext = (id: number): string => `remote_mirror.${id}.credentials`
