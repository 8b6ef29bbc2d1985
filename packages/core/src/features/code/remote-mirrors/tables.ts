import type { Generated } from 'kysely'
import type { UpdateStatus } from './remote-mirror.ts'

export interface RemoteMirrorTables {
  remoteMirror: {
    id: Generated<number>
    projectId: number
    enabled: boolean
    /** Without user and password. */
    url: string
    /** The URL with masked user and password. */
    shownUrl: string
    /** User and password as JSON, sealed in the context `remote_mirror.<id>.credentials`. */
    sealedCredentials: string | null
    onlyProtectedBranches: boolean
    keepDivergentRefs: boolean
    mirrorBranchRegex: string | null
    updateStatus: UpdateStatus
    lastUpdateAt: string | null
    lastUpdateStartedAt: string | null
    lastSuccessfulUpdateAt: string | null
    lastError: string | null
    /** Pushes in a row that failed after all their attempts. */
    failureCount: number
    /** When the next push starts after a failure; null if none is planned. */
    nextUpdateAt: string | null
    /** Time of the latest push request; null when none is pending. */
    requestedAt: string | null
    createdAt: string
    updatedAt: string
  }
}
