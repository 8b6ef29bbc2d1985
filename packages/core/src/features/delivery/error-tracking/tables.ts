import type { Generated } from 'kysely'
import type { ErrorEvent, ErrorStatus } from './tracked-error.ts'

export interface ErrorTrackingTables {
  /** The external error tracker of a project; at most one per project. */
  errorTrackingSetting: {
    projectId: number
    active: boolean
    /** Whether the platform collects the errors; the names and URLs of an external tracker are null then. */
    integrated: boolean
    projectName: string | null
    trackerExternalUrl: string | null
    apiUrl: string | null
    updatedAt: string
  }
  errorTrackingClientKey: {
    id: Generated<number>
    projectId: number
    active: boolean
    publicKey: string
    createdAt: string
  }
  trackedError: {
    id: Generated<number>
    projectId: number
    fingerprint: string
    name: string
    message: string
    culprit: string
    status: ErrorStatus
    eventsCount: number
    firstSeenAt: string
    lastSeenAt: string
    lastEvent: ErrorEvent
  }
}
