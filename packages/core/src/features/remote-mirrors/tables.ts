import type { Generated } from 'kysely'
import type { UpdateStatus } from './remote-mirror.ts'

export interface RemoteMirrorTables {
  /** Another repository that is made to look like the one of a project. */
  remoteMirror: {
    id: Generated<number>
    projectId: number
    enabled: boolean
    /** Without user and password. */
    url: string
    /** The same with stars where it has a user and a password. */
    shownUrl: string
    /** User and password as JSON, sealed for `remote_mirror.<id>.credentials`. */
    sealedCredentials: string | null
    onlyProtectedBranches: boolean
    keepDivergentRefs: boolean
    updateStatus: UpdateStatus
    lastUpdateAt: string | null
    lastUpdateStartedAt: string | null
    lastSuccessfulUpdateAt: string | null
    lastError: string | null
    /** Since when something waits to be pushed; null when nothing does. */
    requestedAt: string | null
    createdAt: string
    updatedAt: string
  }
}
