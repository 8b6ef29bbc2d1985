import type { Generated } from 'kysely'

export interface RegistryTables {
  containerRepository: {
    id: Generated<number>
    projectId: number
    /** Below the project's path; empty for the repository of the project itself. */
    name: string
    /** Deletion was requested; a job is pending or running. */
    leaving: Generated<boolean>
    /** Time of the last accepted bulk deletion. */
    cleanupAskedAt: string | null
    createdAt: string
  }
  /** Tags that are stored in the database, not in an external registry: see the port `registry`. */
  containerTag: {
    id: Generated<number>
    containerRepositoryId: number
    name: string
    digest: string
    revision: string | null
    totalSize: number | null
    /** When the image was built, according to its pusher. */
    createdAt: string | null
    /** Time of the last change of the tag. */
    putAt: string
  }
}
